import { isObject, listAt, objectAt, own, scalarText } from "../../../core/json.js";
import { fail, ok, type Result } from "../../../core/result.js";
import { isOurLine } from "../command-line.js";
import { appendValue, removeValue, setValue, valueAt } from "./json-document.js";

// Hooks of Claude Code and of Codex: {"hooks":{"Stop":[{"hooks":[{"type":"command","command":"..."}]}]}}

/** Seconds. A hook that takes longer is cut off by the client, and the agent waits no longer than this. */
const HOOK_TIMEOUT = 10;

/** A hook of ours: the event, the tools it is for, and its own limit where the client has one. */
export interface WantedHook {
  readonly event: string;
  readonly matcher?: string;
  readonly timeout?: number;
}

/** What setup had to make around our entries; undefined when no record of it is left. */
export type Made = readonly string[] | undefined;

interface OurHook {
  readonly event: string;
  readonly matcher: string;
  readonly group: number;
  readonly index: number;
  readonly command: string;
}

type Choice = (hook: OurHook, index: number, all: readonly OurHook[]) => boolean;

export function wireHooks(text: string, wanted: readonly WantedHook[], command: string): Result<string> {
  const wrong = wrongShape(
    text,
    wanted.map(({ event }) => event),
  );
  if (wrong) return fail({ code: "bad-config", message: wrong });
  const isTwice = (hook: OurHook, all: readonly OurHook[]) => all.find((other) => isSame(other, hook)) !== hook;
  let next = removeHooks(
    text,
    (hook, _index, all) => isTwice(hook, all) || !wanted.some((one) => isSame(one, hook)),
    undefined,
  );
  for (const { event, group, index, command: old } of ourHooks(next))
    if (old !== command) next = setValue(next, ["hooks", event, group, "hooks", index, "command"], command);
  const wired = ourHooks(next);
  const missing = wanted.filter((one) => !wired.some((hook) => isSame(one, hook)));
  // At the end of each list: the hooks that are there keep their place, which Codex remembers when it trusts one.
  for (const hook of missing) next = appendValue(next, ["hooks", hook.event], hookGroup(hook, command));
  return ok(next);
}

export function hookGroup({ matcher, timeout = HOOK_TIMEOUT }: WantedHook, command: string): object {
  const hooks = [{ type: "command", command, timeout }];
  return matcher === undefined ? { hooks } : { matcher, hooks };
}

/** For the same tools, too: an earlier version may have asked for others. */
function isSame(wanted: WantedHook, { event, matcher }: OurHook): boolean {
  return wanted.event === event && (wanted.matcher ?? "") === matcher;
}

function wrongShape(text: string, events: readonly string[]): string | undefined {
  const hooks = valueAt(text, ["hooks"]);
  if (hooks === undefined) return undefined;
  if (!isObject(hooks)) return `has a "hooks" that is not an object`;
  const event = events.find((name) => hooks[name] !== undefined && !Array.isArray(hooks[name]));
  return event && `has "hooks" for ${event} that are not an array`;
}

export function unwireHooks(text: string, made: Made): string {
  return removeHooks(text, () => true, made);
}

function removeHooks(text: string, isUnwanted: Choice, made: Made): string {
  let next = text;
  const unwanted = ourHooks(text).filter(isUnwanted);
  // From the end, so that the places of the others stay true.
  for (const { event, group, index } of unwanted.toReversed()) {
    next = removeValue(next, ["hooks", event, group, "hooks", index]);
    const rest = valueAt(next, ["hooks", event, group, "hooks"]);
    if (isEmpty(rest)) next = removeValue(next, ["hooks", event, group]);
    next = removeEmpty(next, ["hooks", event], made);
  }
  return unwanted.length > 0 ? removeEmpty(next, ["hooks"], made) : next;
}

/** What we made around our entries goes with them; what a person has put there stays, empty or not. */
export function removeEmpty(text: string, path: readonly string[], made: Made): string {
  const isOurs = made?.includes(path.join("/")) ?? true;
  return isOurs && isEmpty(valueAt(text, path)) ? removeValue(text, path) : text;
}

/** What is in one value and not in the other: `a/b` is an object or a list, `a/b=c` a text in a list. */
export function madeBetween(before: unknown, after: unknown, path: readonly string[] = []): readonly string[] {
  const place = path.join("/");
  if (typeof after !== "object" || after === null) return [];
  const self = before === undefined && path.length > 0 ? [place] : [];
  if (Array.isArray(after)) {
    const added = after.filter((item) => typeof item === "string" && !(Array.isArray(before) && before.includes(item)));
    return [...self, ...added.map((item) => `${place}=${item}`)];
  }
  const old = objectAt(before);
  const inside = Object.entries(after).map(([key, value]) => madeBetween(own(old, key), value, [...path, key]));
  return [...self, ...inside.flat()];
}

export function ourHooks(text: string): readonly OurHook[] {
  const hooks = valueAt(text, ["hooks"]);
  if (!isObject(hooks)) return [];
  return Object.entries(hooks).flatMap(([event, groups]) =>
    listAt(groups).flatMap((group, groupIndex) =>
      listAt(isObject(group) ? group.hooks : undefined).flatMap((hook, index) => {
        const command = objectAt(hook).command;
        const matcher = scalarText(objectAt(group).matcher)?.replace(/^\*$/, "") ?? "";
        return isOurLine(command, "hook") ? [{ event, matcher, group: groupIndex, index, command }] : [];
      }),
    ),
  );
}

export function missingHooks(wanted: readonly WantedHook[], found: readonly OurHook[]): readonly string[] {
  return wanted.map(({ event }) => event).filter((event) => !found.some((hook) => hook.event === event));
}

/** Events of hooks that an earlier version wanted, or wanted for other tools. */
export function outdatedHooks(wanted: readonly WantedHook[], found: readonly OurHook[]): readonly string[] {
  return found.filter((hook) => !wanted.some((one) => isSame(one, hook))).map(({ event }) => event);
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}
