import { waiverIn } from "../session/waiver.js";
import type { Evidence, TodoStatus } from "../todo/list.js";
import type { Ground, LastCheck, Owned } from "./todo-facts.js";
import { type Waived, waiverOf } from "./waived.js";
import type { SeenCheck } from "./work-runs.js";

/**
 * What the facts say of a todo that is called completed. `verified`: a check passed after its last edit. `worked`:
 * something ran, and no check tells how good it is. `unbacked`: nothing ran. `contradicted`: its last check failed, or
 * one that came after it. `waived`: it cannot be checked here, and somebody said why.
 */
export type Verdict = "verified" | "worked" | "unbacked" | "contradicted" | "waived";

/** Why, for people. `own-check`: it ran while the todo was worked on; `later-check`: after that. */
export type Because =
  | { readonly by: "own-check" | "later-check" | "named-check"; readonly check: LastCheck }
  | { readonly by: "person"; readonly text: string; readonly person: string }
  | { readonly by: "waiver"; readonly reason: string }
  | { readonly by: "calls" }
  | { readonly by: "nothing" };

export interface Judgement {
  readonly verdict: Verdict;
  readonly because: Because;
}

/** What is known of a todo, or of a client's task, besides its calls. */
export interface Claim<Key> {
  readonly key: Key;
  readonly status: TodoStatus;
  readonly notes?: readonly string[];
  readonly evidence?: readonly Evidence[];
}

/** Null for what is not called completed: there is no claim to hold against the facts. */
export function judge<Key extends number | string>(
  ground: Ground<Key>,
  claim: Claim<Key>,
  waived: readonly Waived[] = [],
): Judgement | null {
  if (claim.status !== "completed") return null;
  const { evidence = [] } = claim;
  // A person has looked: that is more than any command can tell.
  const person = evidence.findLast(({ by, text }) => by !== undefined && waiverIn(text) === undefined);
  if (person) return { verdict: "verified", because: { by: "person", text: person.text, person: person.by ?? "" } };
  const checked = checkedBy(ground, claim.key);
  if (checked?.verdict === "contradicted") return checked;
  const found = checked ?? namedCheck(ground, claim);
  if (found) return found;
  const reason = waiverOf(waived, claim.key) ?? waiverSaid(claim);
  if (reason !== undefined) return { verdict: "waived", because: { by: "waiver", reason } };
  if ((ground.facts.get(claim.key)?.calls ?? 0) > 0) return { verdict: "worked", because: { by: "calls" } };
  return { verdict: "unbacked", because: { by: "nothing" } };
}

function waiverSaid<Key>({ notes = [], evidence = [] }: Claim<Key>): string | undefined {
  for (const text of [...evidence.map((one) => one.text), ...notes].toReversed()) {
    const reason = waiverIn(text);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

type Check<Key> = SeenCheck & Owned<Key>;

function checkedBy<Key>({ edits, known, editsOf }: Ground<Key>, key: Key): Judgement | undefined {
  const isOwn = ({ keys }: Owned<Key>) => keys.includes(key);
  const edit = lastEdit(editsOf.get(key) ?? []);
  const isExcused = (check: Check<Key>, since: Timed) =>
    check.result === "failed" && edits.some((one) => isBetween(one, since, check) && !isOwn(one));
  const own = known.findLast(isOwn);
  const decided = edit
    ? known.findLast((check) => covers(check, edit) && (isOwn(check) || !isExcused(check, edit)))
    : own && byOwnCheck(known, own, (check) => isExcused(check, own));
  if (decided) return judged(decided, isOwn(decided));
  // A red check that no green one ever followed: what was edited after it, nobody has looked at.
  if (own?.result !== "failed" || isFollowedByGreen(known, own)) return undefined;
  return judged(own, true);
}

/** Nothing was edited: what ran while it was worked on tells, until a check of the same files tells otherwise. */
function byOwnCheck<Key>(
  known: readonly Check<Key>[],
  own: Check<Key>,
  isExcused: (check: Check<Key>) => boolean,
): Check<Key> | undefined {
  const later = known.slice(known.indexOf(own) + 1);
  if (own.result === "failed") return undefined;
  const counted = later.filter((check) => check.result === "passed" || !isExcused(check)).at(-1);
  return counted?.result === "failed" ? counted : own;
}

function judged<Key>(check: Check<Key>, isOwn: boolean): Judgement {
  const verdict = check.result === "passed" ? "verified" : "contradicted";
  return { verdict, because: { by: isOwn ? "own-check" : "later-check", check: shown(check) } };
}

function shown({ kind, result, end, title }: SeenCheck): LastCheck {
  return { kind, result, at: end, ...(title !== undefined && { title }) };
}

interface Timed {
  readonly start: number;
  readonly end: number;
}

/** Calls of one reply start together, and run one after the other: the check saw the edit if it ended later. */
function covers(check: Timed, edit: Timed): boolean {
  return check.start >= edit.start && check.end >= edit.end;
}

/** Somebody else has edited since: a check that is red then may be red because of that. */
function isBetween(edit: Timed, since: Timed, check: Timed): boolean {
  return edit.start >= since.end && edit.start < check.end;
}

function isFollowedByGreen<Key>(known: readonly Check<Key>[], { end }: Timed): boolean {
  return known.some((check) => check.result === "passed" && check.end > end);
}

function lastEdit<Item extends Timed>(edits: readonly Item[]): Item | undefined {
  return edits.reduce<Item | undefined>((last, one) => (last && last.end > one.end ? last : one), undefined);
}

const SHORTEST_ID = 6;

/** The evidence names a call, and that call was a check that passed on these very files. */
function namedCheck<Key>({ editsOf, known }: Ground<Key>, { key, evidence = [] }: Claim<Key>): Judgement | undefined {
  if (evidence.length === 0) return undefined;
  const edit = lastEdit(editsOf.get(key) ?? []);
  const isNamed = (id: string) =>
    evidence.some(({ text, call }) => call === id || (id.length >= SHORTEST_ID && text.includes(id)));
  const check = known.findLast(
    (one) => one.result === "passed" && one.call !== undefined && isNamed(one.call) && (!edit || covers(one, edit)),
  );
  return check && { verdict: "verified", because: { by: "named-check", check: shown(check) } };
}
