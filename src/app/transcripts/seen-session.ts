import { type SessionWork, withBelow } from "../../core/grounding/seen-work.js";
import { mergePlans } from "../../core/plan/plan-sequence.js";
import { sumTokens } from "../../core/session/observation.js";
import type { KnownTask, SessionView } from "../../core/session/session-facts.js";
import type { Problems } from "../../readers/transcript.js";
import { findFormat } from "../../readers/transcript-formats.js";

/** A session as one transcript, or several of it, show it. */
export interface SeenSession {
  readonly view: SessionView;
  /** When its file last grew, in milliseconds. */
  readonly grewAt: number;
  readonly path: string;
  readonly format: string;
  readonly problems: Problems;
  /** Bytes of a last line that is not whole yet. */
  readonly unfinished: number;
}

/** When a session was last heard of: one of many in a file did not grow with it. */
export function heardAt({ at }: SessionView, format: string, grewAt: number): number {
  return findFormat(format)?.isArchive && at > 0 ? Math.min(at, grewAt) : grewAt;
}

/** What a session's own file tells is better than what was printed meanwhile. */
const BEST_FIRST = [
  "claude",
  "codex",
  "oh-my-pi-session",
  "gemini-session",
  "hermes-sessions",
  "hermes",
  "opencode",
  "codex-app-server",
  "claude-stream",
  "codex-exec",
];

/** One for each session: the same one can be in its own file and in what its client printed. */
export function mergeSessions(seen: readonly SeenSession[]): readonly SeenSession[] {
  const merged = new Map<string, SeenSession>();
  const order = [...seen].sort((a, b) => rank(a) - rank(b) || b.view.at - a.view.at);
  for (const one of order) {
    const better = merged.get(one.view.id);
    const view =
      better && (isEarlierPart(one, better) ? addPart(better.view, one.view) : fillGaps(better.view, one.view));
    merged.set(one.view.id, better && view ? { ...better, view } : one);
  }
  // In the order they came in, whatever was better of each.
  const ids = new Set(seen.map(({ view }) => view.id));
  return shareWork(shareTasks([...ids].flatMap((id) => merged.get(id) ?? [])));
}

function rank({ format }: SeenSession): number {
  const place = BEST_FIRST.indexOf(format);
  return place < 0 ? BEST_FIRST.length : place;
}

/** Claude Code 1.0 goes on with a resumed session in another file: that one ends before this one begins. */
function isEarlierPart(one: SeenSession, later: SeenSession): boolean {
  return one.format === later.format && one.view.at > 0 && one.view.at <= later.view.startedAt;
}

function addPart(later: SessionView, earlier: SessionView): SessionView {
  const both = fillGaps(later, earlier);
  const { calls, tokens } = both;
  return {
    ...both,
    ...(both.titleBy === "person" && earlier.titleBy !== "nobody"
      ? { title: earlier.title, titleBy: earlier.titleBy }
      : undefined),
    startedAt: earlier.startedAt,
    work: later.list.revision === 0 ? withBelow(earlier.work, [later.work]) : withBelow(later.work, [earlier.work]),
    turns: later.turns + earlier.turns,
    compactions: later.compactions + earlier.compactions,
    calls: { total: calls.total + earlier.calls.total, failed: calls.failed + earlier.calls.failed },
    tokens: later.tokens.total === 0 ? tokens : sumTokens(tokens, earlier.tokens),
  };
}

/** Nothing that is known is replaced. In code mode Codex does not write its checklist down, but prints it. */
function fillGaps(view: SessionView, other: SessionView): SessionView {
  const isUntitled = view.titleBy === "nobody" || (view.titleBy === "person" && other.titleBy === "agent");
  return {
    ...view,
    ...(isUntitled ? { title: other.title, titleBy: other.titleBy } : undefined),
    parent: view.parent ?? other.parent,
    folder: view.folder || other.folder,
    branch: view.branch || other.branch,
    version: view.version || other.version,
    model: view.model || other.model,
    // A list, and what ran for its todos.
    ...(view.list.revision === 0 ? { list: other.list, work: other.work } : undefined),
    finished: view.finished ?? other.finished,
    ...(view.list.revision > 0 && !view.finished && other.finished
      ? { work: withBelow(view.work, [other.work]) }
      : undefined),
    plan: view.plan ?? other.plan,
    plans: mergePlans(view.plans, other.plans),
    goal: view.goal ?? other.goal,
    tasks: view.tasks.length === 0 ? other.tasks : view.tasks,
    tokens: view.tokens.total === 0 ? other.tokens : view.tokens,
    context: view.context ?? other.context,
    cost: view.cost ?? other.cost,
    pullRequest: view.pullRequest ?? other.pullRequest,
  };
}

/** Sub-agents work on their parent's tasks: the last change of each one counts, whoever made it. */
function shareTasks(sessions: readonly SeenSession[]): readonly SeenSession[] {
  if (sessions.every(({ view }) => view.tasks.length === 0)) return sessions;
  const byId = new Map(sessions.map((one) => [one.view.id, one.view]));
  const tasks = new Map<string, readonly KnownTask[]>();
  for (const { view } of sessions) {
    const owner = view.parent !== null && byId.has(view.parent) ? view.parent : view.id;
    tasks.set(owner, mergeTasks(tasks.get(owner) ?? [], view.tasks));
  }
  return sessions.map((one) => {
    const shared = tasks.get(one.view.id) ?? NO_TASKS;
    // The same view tells a live board that nothing has changed.
    return shared === one.view.tasks || (shared.length === 0 && one.view.tasks.length === 0)
      ? one
      : { ...one, view: { ...one.view, tasks: shared } };
  });
}

const NO_TASKS: readonly KnownTask[] = [];

/** What a sub-agent does is also work on what its session is on. */
function shareWork(sessions: readonly SeenSession[]): readonly SeenSession[] {
  const below = new Map<string, SessionWork[]>();
  const parents = new Map(sessions.map(({ view }) => [view.id, view.parent]));
  for (const { view } of sessions)
    for (const id of aboveOf(view.parent, parents)) {
      if (id === view.id) continue;
      const others = below.get(id);
      if (others) others.push(view.work);
      else below.set(id, [view.work]);
    }
  if (below.size === 0) return sessions;
  return sessions.map((one) => {
    const others = below.get(one.view.id);
    return others ? { ...one, view: { ...one.view, work: withBelow(one.view.work, others) } } : one;
  });
}

const DEEPEST = 20;

/** Files may say anything of who is whose. */
function aboveOf(parent: string | null, parents: ReadonlyMap<string, string | null>): ReadonlySet<string> {
  const above = new Set<string>();
  for (let id = parent; id !== null && parents.has(id) && !above.has(id) && above.size < DEEPEST; ) {
    above.add(id);
    id = parents.get(id) ?? null;
  }
  return above;
}

function mergeTasks(tasks: readonly KnownTask[], more: readonly KnownTask[]): readonly KnownTask[] {
  if (tasks.length === 0 || more.length === 0) return tasks.length === 0 ? more : tasks;
  const merged = new Map(tasks.map((task) => [task.id, task]));
  for (const task of more) {
    const known = merged.get(task.id);
    const [older, newer] = known && known.at > task.at ? [task, known] : [known, task];
    merged.set(task.id, older && newer.subject === "" ? addWork(older, newer) : newer);
  }
  return [...merged.values()];
}

/** Who only worked on a task does not know what it is called, nor what it waits for. */
function addWork(task: KnownTask, work: KnownTask): KnownTask {
  const { subject, blocks, blockedBy } = task;
  return { ...task, ...work, subject, blocks, blockedBy };
}
