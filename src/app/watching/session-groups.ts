import { isOnTable, type SessionReport } from "../transcripts/session-report.js";

// The order in which a person looks at sessions: who needs them first, then what is wrong, then what goes on.

const GROUPS = ["needs-you", "pinned", "alerts", "stalled", "running", "idle", "ended", "snoozed"] as const;
export type GroupName = (typeof GROUPS)[number];

/** A session, and its sub-agents that something is going on in. */
export interface SessionFamily {
  readonly session: SessionReport;
  readonly below: readonly SessionReport[];
}

export interface SessionGroup {
  readonly name: GroupName;
  readonly families: readonly SessionFamily[];
}

/** True counts of sessions, sub-agents left out. `more`: sessions that are known and have no row. */
export interface SessionTotals {
  readonly sessions: number;
  readonly waiting: number;
  readonly running: number;
  readonly stalled: number;
  readonly alerts: number;
}

/** What the person has said about a session in this view. */
export interface PersonView {
  isPinned(id: string): boolean;
  isSnoozed(id: string): boolean;
}

function familiesOf(reports: readonly SessionReport[]): readonly SessionFamily[] {
  const families: { session: SessionReport; below: SessionReport[] }[] = [];
  for (const report of reports) {
    const last = families.at(-1);
    if (report.parent === null || !last) families.push({ session: report, below: [] });
    else if (isOnTable(report)) last.below.push(report);
  }
  return families;
}

/** Groups in their order, each with its families in an order that does not change while they work. */
export function groupsOf(reports: readonly SessionReport[], person: PersonView): readonly SessionGroup[] {
  const sorted = new Map<GroupName, SessionFamily[]>(GROUPS.map((name) => [name, []]));
  for (const family of familiesOf(reports)) sorted.get(groupOf(family, person))?.push(family);
  return [...sorted]
    .filter(([, families]) => families.length > 0)
    .map(([name, families]) => ({ name, families: inOrder(families, ORDERS[name] ?? latest(sinceOf)) }));
}

function groupOf(family: SessionFamily, person: PersonView): GroupName {
  const { session } = family;
  if (person.isSnoozed(session.id)) return "snoozed";
  if (needsPerson(family)) return "needs-you";
  if (person.isPinned(session.id)) return "pinned";
  if (session.state === "ended") return "ended";
  if (hasAlert(session)) return "alerts";
  return session.state === "waiting" ? "needs-you" : session.state;
}

function needsPerson({ session, below }: SessionFamily): boolean {
  return session.state === "waiting" || below.some(({ state }) => state === "waiting");
}

/** Something that detectors have found is not over, and is more than a remark. */
export function hasAlert({ alerts }: Pick<SessionReport, "alerts">): boolean {
  return alerts.some(({ isOver, level }) => !isOver && level !== "note");
}

/** What families are sorted by, the least first. */
type Order = (family: SessionFamily) => number;

const timeOf = (text: string | null) => (text === null ? 0 : Date.parse(text));
const sinceOf: Order = ({ session }) => timeOf(session.why.since ?? session.updatedAt);
const startOf: Order = ({ session }) => timeOf(session.startedAt);
const latest =
  (order: Order): Order =>
  (family) =>
    -order(family);

/** By the newest state; those at work by their start, or rows would change places with every call. */
const ORDERS: Partial<Record<GroupName, Order>> = {
  // Whoever has waited longest first.
  "needs-you": sinceOf,
  pinned: latest(startOf),
  alerts: latest(startOf),
  running: latest(startOf),
};

/** Times are read once for each: to compare reads them again and again. */
function inOrder(families: readonly SessionFamily[], order: Order): readonly SessionFamily[] {
  const placed = families.map((family) => ({ family, place: order(family) }));
  placed.sort((a, b) => a.place - b.place || (a.family.session.id < b.family.session.id ? -1 : 1));
  return placed.map(({ family }) => family);
}

export function totalsOf(reports: readonly SessionReport[]): Omit<SessionTotals, "sessions"> {
  const families = familiesOf(reports);
  const count = (fits: (family: SessionFamily) => boolean) => families.filter(fits).length;
  return {
    waiting: count(needsPerson),
    // As in the groups: what has an alert is counted there.
    running: count(({ session }) => session.state === "running" && !hasAlert(session)),
    stalled: count(({ session }) => session.state === "stalled"),
    alerts: count(({ session }) => session.state !== "ended" && hasAlert(session)),
  };
}

/** Words that a session is found by: all of them have to be in it somewhere. */
export function matchesFilter(session: SessionReport, filter: string): boolean {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return true;
  const { id, agent, title, state, folder, branch, model, waitingFor, list, plan } = session;
  const todos = list.phases.flatMap((phase) => phase.todos.map(({ text }) => text));
  const texts = [id, agent, title, state, folder, branch, model, waitingFor?.text, plan?.title, ...todos];
  const all = texts.join("\n").toLowerCase();
  return words.every((word) => all.includes(word));
}
