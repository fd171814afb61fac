import { newView, type SessionView } from "../../core/session/session-facts.js";
import { IDLE_AFTER, type SessionState, transcriptState, wiredState } from "../../core/session/session-state.js";
import { withTasksOnDisk } from "./agents/claude-tasks-folder.js";
import type { Attachment } from "./attachment.js";
import { withTitle } from "./prompt-title.js";
import type { SeenSession } from "./seen-session.js";
import { reportOf, type SessionReport } from "./session-report.js";
import { hasHooks, isClientGone, isClientThere, type StoredSession, type StoredSessions } from "./stored-session.js";

/** What is known of one session from its transcript, from the store, or from both. */
interface Known {
  readonly id: string;
  readonly parent: string | null;
  readonly seen?: SeenSession | undefined;
  readonly stored?: StoredSession | undefined;
  /** When anything was last heard of it. */
  readonly at: number;
}

export interface BoardOptions {
  /** So many sessions, the newest first; sub-agents come with theirs. */
  readonly limit: number;
  readonly now: number;
  readonly isWanted?: (report: SessionReport) => boolean;
  /** The beginning of an id: only those that have it, and their sub-agents. */
  readonly asked?: string | undefined;
}

/** Every session on this machine and in the store, each one once. */
export async function boardOf(
  attachment: Attachment,
  store: StoredSessions,
  { limit, now, isWanted, asked }: BoardOptions,
): Promise<readonly SessionReport[]> {
  const known = join(attachment.sessions(isWanted ? undefined : limit), await store.all());
  const { roots, below } = familiesOf(known);
  const reports: SessionReport[] = [];
  let shown = 0;
  for (const root of roots) {
    if (shown >= limit) break;
    const [first, ...others] = askedIn([root, ...descendants(below, root.id)], asked);
    if (!first) continue;
    const report = await knownReport(store, first, now);
    if (isWarmUp(report) || isWanted?.(report) === false) continue;
    // A sub-agent whose session nobody knows takes nobody's place.
    if (report.parent === null) shown += 1;
    reports.push(report);
    for (const child of others) {
      const agent = await knownReport(store, child, now);
      if (!isWarmUp(agent)) reports.push(agent);
    }
  }
  return reports;
}

/** Of a session and its sub-agents, whoever is above comes first. */
function askedIn(family: readonly Known[], asked: string | undefined): readonly Known[] {
  if (asked === undefined) return family;
  const ids = new Set<string>();
  for (const { id, parent } of family) if (id.startsWith(asked) || ids.has(parent ?? "")) ids.add(id);
  return family.filter(({ id }) => ids.has(id));
}

interface Families {
  readonly roots: readonly Known[];
  readonly below: Map<string, Known[]>;
}

/** Who stands below whom. Files may say anything: whoever has no known root above is one. */
function familiesOf(known: readonly Known[]): Families {
  const parents = new Map(known.map(({ id, parent }) => [id, parent]));
  const hasRoot = ({ parent }: Known) => {
    let id = parent;
    for (let depth = 0; id !== null && parents.has(id) && depth < DEEPEST; depth += 1) {
      const next: string | null = parents.get(id) ?? null;
      if (next === null || !parents.has(next)) return true;
      id = next;
    }
    return false;
  };
  const roots: Known[] = [];
  const below = new Map<string, Known[]>();
  for (const one of known) {
    const siblings = below.get(one.parent ?? "");
    if (!hasRoot(one)) roots.push(one);
    else if (siblings) siblings.push(one);
    else below.set(one.parent ?? "", [one]);
  }
  return { roots, below };
}

const DEEPEST = 20;

/** Some versions of Claude Code start agents that do nothing, so that later ones start faster. */
function isWarmUp({ title, calls, turns }: SessionReport): boolean {
  return title === "Warmup" && calls.total === 0 && turns <= 1;
}

/** Sub-agents, and theirs. Each once, whatever the files say of who is whose. */
function descendants(below: Map<string, readonly Known[]>, id: string): readonly Known[] {
  const children = below.get(id) ?? [];
  below.delete(id);
  return children.flatMap((child) => [child, ...descendants(below, child.id)]);
}

function join(seen: readonly SeenSession[], stored: readonly StoredSession[]): readonly Known[] {
  const byId = new Map<string, Known>();
  for (const one of seen)
    byId.set(one.view.id, { id: one.view.id, parent: one.view.parent, seen: one, at: one.grewAt });
  for (const one of stored) {
    const known = byId.get(one.id);
    const [root, agent] = one.id.split("/");
    const parent = known?.parent ?? (agent === undefined ? null : (root ?? null));
    byId.set(one.id, { id: one.id, parent, seen: known?.seen, stored: one, at: Math.max(one.at, known?.at ?? 0) });
  }
  return [...byId.values()].sort((a, b) => b.at - a.at);
}

async function knownReport(store: StoredSessions, known: Known, now: number): Promise<SessionReport> {
  const { id, seen, stored, at } = known;
  const told = stored && (await store.view(stored));
  const view = seen && told ? combine(seen.view, told) : (seen?.view ?? told ?? newView(id));
  return reportOf(seen ? withTasksOnDisk(withTitle(view, seen), seen) : view, {
    state: stateOf(known, view, now),
    updatedAt: at,
    transcript: seen?.path ?? null,
    problems: seen?.problems ?? { lines: 0, first: [] },
    unfinished: seen?.unfinished ?? 0,
  });
}

/** Who reports to us is believed about the list; a transcript knows the rest, also from before it did. */
function combine(seen: SessionView, told: SessionView): SessionView {
  const isListTold = told.list.revision > 0;
  return {
    ...seen,
    agent: told.agent || seen.agent,
    folder: told.folder || seen.folder,
    list: isListTold ? told.list : seen.list,
    work: isListTold ? told.work : seen.work,
    // Its agent's own tasks, else ours that it holds: ids of both would be mixed up.
    tasks: seen.tasks.length > 0 ? seen.tasks : told.tasks,
    goal: told.goal ?? seen.goal,
    turns: Math.max(seen.turns, told.turns),
    compactions: Math.max(seen.compactions, told.compactions),
  };
}

function stateOf({ seen, stored, at }: Known, view: SessionView, now: number): SessionState {
  const quiet = now - at;
  const byTranscript = transcriptState(view.phase, quiet);
  if (!stored || (seen && !hasHooks(stored))) return byTranscript;
  // Where its process cannot be asked for, silence is all there is to go by.
  if (byTranscript === "ended" && !isClientThere(stored)) return "ended";
  const { state } = stored.session;
  // Whoever interrupts a turn ends it without any hook.
  const isOver = state === "running" && seen?.view.phase === "resting" && quiet >= IDLE_AFTER;
  return wiredState(isOver ? "idle" : state, {
    quiet,
    hasOpenCall: view.open.length > 0,
    isProcessGone: isClientGone(stored),
  });
}
