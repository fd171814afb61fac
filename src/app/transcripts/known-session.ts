import { isSameName, type NamedSession, wholeName } from "../../core/session/match-session.js";
import type { SessionView } from "../../core/session/session-facts.js";
import { type Seen, type StateReport, stateOf, type Told } from "../../core/session/session-state.js";
import { nextFire } from "../../core/session/state/next-fire.js";
import type { ClaudeProcesses } from "./agents/claude-live.js";
import type { SeenSession } from "./seen-session.js";
import { type StoredSession, tellsTurns } from "./stored-session.js";

/** What is known of one session from its transcript, from the store, or from both. */
export interface Known {
  readonly id: string;
  readonly parent: string | null;
  readonly seen?: SeenSession | undefined;
  readonly stored?: StoredSession | undefined;
  /** The session that it is a sub-agent of, as the store knows it. */
  readonly root?: StoredSession | undefined;
  /** When anything was last heard of it. */
  readonly at: number;
}

/** Each one once, whoever knows of it; the one that was heard of last comes first. */
export function joinSessions(seen: readonly SeenSession[], stored: readonly StoredSession[]): readonly Known[] {
  const byId = new Map<string, Known>();
  for (const one of seen)
    byId.set(one.view.id, { id: one.view.id, parent: one.view.parent, seen: one, at: one.grewAt });
  const roots = new Map(stored.map((one) => [one.id, one]));
  const names = new Map<string, string>();
  for (const one of stored) {
    const [root = "", agent] = one.id.split("/");
    const known = byId.get(one.id) ?? threadOf(byId, agent);
    if (known && known.id !== one.id) {
      byId.delete(known.id);
      names.set(known.id, one.id);
    }
    const parent = known?.parent ?? (agent === undefined ? null : root);
    const at = Math.max(one.at, known?.at ?? 0);
    const above = agent === undefined ? undefined : roots.get(root);
    byId.set(one.id, { id: one.id, parent, seen: known?.seen, stored: one, root: above, at });
  }
  return [...byId.values()]
    .map((one) => ({ ...one, parent: names.get(one.parent ?? "") ?? one.parent }))
    .sort((a, b) => b.at - a.at);
}

/** A sub-agent of Codex is a thread with a file of its own, and to its hooks an agent of the first thread. */
function threadOf(byId: ReadonlyMap<string, Known>, agent: string | undefined): Known | undefined {
  const known = agent === undefined ? undefined : byId.get(agent);
  return known?.parent === null ? undefined : known;
}

/** Some agents name a sub-agent in its session, others give it an id of its own. */
export function isNamed({ id, parent }: Known, asked: NamedSession): boolean {
  if (id === wholeName(asked)) return true;
  return asked.agent !== undefined && parent !== null && isSameName({ session: parent, agent: id }, asked);
}

export interface Circumstances {
  readonly processes: ClaudeProcesses;
  /** Whether a process is there, by its name; undefined where nobody can tell. */
  readonly isThere: (process: string) => boolean | undefined;
  readonly now: number;
  /** The state of the session that it is a sub-agent of. */
  readonly parent?: StateReport | undefined;
}

export function knownState(known: Known, view: Pick<SessionView, "wake">, around: Circumstances): StateReport {
  const { processes, now, parent } = around;
  const { seen, stored, id, at } = known;
  if (parent?.state === "ended") return { ...parent, reason: "parent-ended" };
  const client = known.parent === null ? processes.get(id) : undefined;
  const byHook = stored && around.isThere(stored.session.process);
  const isThere = client?.isThere || byHook ? true : (client?.isThere ?? byHook);
  const isAsleep = wakeOf(known, view, now) !== undefined;
  const told = toldOf(known);
  return stateOf({ told, seen: seen && seenIn(seen.view), live: client?.live, isThere, isAsleep, now, heardAt: at });
}

export function seenIn({ phase, shown, open }: SessionView): Seen {
  return { phase, shown, hasOpenCall: open.length > 0 };
}

/** Where only calls were reported, a transcript knows better when a turn begins and ends. */
function toldOf(known: Known): Told | undefined {
  const { stored, seen, root, id } = known;
  if (!stored || (seen && !tellsTurns(stored))) return undefined;
  const { state, why } = stored.session;
  if (known.parent === null) return { state, why };
  // That it has ended is told to its session.
  const [, agent = ""] = id.split("/");
  if (!root || root.session.agents.includes(agent)) return { state, why };
  return seen ? undefined : { state: "idle", why: { reason: "turn-ended", since: stored.at } };
}

/** A client may be a moment late; one that has not gone on by then does not. */
const LATE = 2 * 60_000;

/** When a session whose turn is over goes on by itself. */
export function wakeOf({ stored }: Known, { wake }: Pick<SessionView, "wake">, now: number): number | undefined {
  const scheduled = wake?.schedule === undefined ? wake?.until : nextFire(wake.schedule, now);
  const until = stored?.session.wakesAt ?? scheduled;
  return until !== undefined && until > now - LATE ? until : undefined;
}
