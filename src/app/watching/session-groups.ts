import { isOnTable, type SessionReport } from "../transcripts/session-report.js";

// The order in which a person looks at sessions: who needs them first, then what is wrong, then what goes on.

export const GROUPS = ["needs-you", "pinned", "alerts", "stalled", "running", "idle", "ended", "snoozed"] as const;
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
    .map(([name, families]) => ({ name, families: families.sort(ORDERS[name] ?? byChange) }));
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

type Order = (a: SessionFamily, b: SessionFamily) => number;

const timeOf = (text: string | null) => (text === null ? 0 : Date.parse(text));
const sinceOf = ({ session }: SessionFamily) => timeOf(session.why.since ?? session.updatedAt);
const startOf = ({ session }: SessionFamily) => timeOf(session.startedAt);
const byId: Order = (a, b) => (a.session.id < b.session.id ? -1 : 1);
/** The state that is newest first; those at work by their start, or rows would change places with every call. */
const byChange: Order = (a, b) => sinceOf(b) - sinceOf(a) || byId(a, b);
const byStart: Order = (a, b) => startOf(b) - startOf(a) || byId(a, b);
/** Whoever has waited longest first. */
const byWait: Order = (a, b) => sinceOf(a) - sinceOf(b) || byId(a, b);

const ORDERS: Partial<Record<GroupName, Order>> = {
  "needs-you": byWait,
  pinned: byStart,
  alerts: byStart,
  running: byStart,
};

export function totalsOf(reports: readonly SessionReport[]): Omit<SessionTotals, "sessions"> {
  const families = familiesOf(reports);
  const count = (fits: (family: SessionFamily) => boolean) => families.filter(fits).length;
  return {
    waiting: count(needsPerson),
    running: count(({ session }) => session.state === "running"),
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
