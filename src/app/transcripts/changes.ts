import { reasonText } from "../../core/session/state/reason.js";
import { terminalText } from "../../core/text/terminal-text.js";
import type { SessionMention } from "../session/session-mention.js";
import { type SessionReport, todosIn } from "./session-report.js";

/** Something that became different in a session between two looks. */
export interface Change extends SessionMention {
  /** In one line: `Todo "Run tests": pending -> in_progress`. */
  readonly text: string;
}

/** What changed, in the order of the sessions. Sessions that were not there before are told of whole. */
export function changesBetween(
  before: ReadonlyMap<string, SessionReport>,
  after: readonly SessionReport[],
): readonly Change[] {
  return after.flatMap((session) => {
    const about = mentionOf(session);
    return linesOf(before.get(session.id), session).map((text) => ({ ...about, text }));
  });
}

/** A sub-agent is named after the session above it; some agents have `SESSION/AGENT` as its id. */
function mentionOf({ id, parent, agent, project, folder, branch }: SessionReport): SessionMention {
  const subAgent = parent === null ? null : (id.split("/").at(-1) ?? id);
  return { session: parent ?? id, subAgent, agent, project, folder, branch };
}

function linesOf(old: SessionReport | undefined, session: SessionReport): readonly string[] {
  const { goal, state, title, id, compactions } = session;
  const moved = `Session ${quoted(title || id)}: ${old?.state ?? "new"} -> ${state}${whyText(session)}`;
  if (!old) return [moved, ...itemLines([], session)];
  const isSameGoal = old.goal?.text === goal?.text && old.goal?.status === goal?.status;
  return [
    ...(old.compactions < compactions ? ["Context compacted"] : []),
    ...itemLines(itemsOf(old), session),
    ...planLines(old.plan, session.plan),
    ...(isSameGoal ? [] : [`Goal ${quoted((goal ?? old.goal)?.text ?? "")}: ${goalWord(old)} -> ${goalWord(session)}`]),
    ...(old.state === state && isSameAsk(old, session) ? [] : [moved]),
  ];
}

/** A plan that takes the place of another is told of as a new one. */
function planLines(old: SessionReport["plan"], plan: SessionReport["plan"]): readonly string[] {
  const about = plan ?? old;
  if (about === null) return [];
  const before = old?.id === about.id ? old : null;
  const name = `Plan ${about.id} ${quoted(about.title)}`;
  if (before?.status === plan?.status) return before?.hash === plan?.hash ? [] : [`${name}: edited`];
  return [`${name}: ${before?.status ?? "none"} -> ${plan?.status ?? "none"}`];
}

/** Who follows the lines wants to know what is asked of them. */
function whyText({ state, why, waitingFor }: SessionReport): string {
  if (state !== "waiting") return "";
  return ` (${reasonText(why.reason)}${waitingFor?.text ? `: ${terminalText(waitingFor.text)}` : ""})`;
}

function isSameAsk({ waitingFor: old }: SessionReport, { waitingFor: now }: SessionReport): boolean {
  return old?.kind === now?.kind && old?.text === now?.text;
}

function goalWord({ goal }: SessionReport): string {
  return goal === null ? "none" : terminalText(goal.status);
}

interface Item {
  readonly name: string;
  readonly status: string;
  readonly isTodo: boolean;
}

/** Todos and tasks alike. Reports do not have numbers, so a todo is told by its text, and the second of two by that. */
function itemsOf(session: SessionReport): readonly Item[] {
  const times = new Map<string, number>();
  const todos = todosIn(session).map(({ text, status }) => {
    const nth = (times.get(text) ?? 0) + 1;
    times.set(text, nth);
    return { name: `Todo ${quoted(text)}${nth === 1 ? "" : ` (${nth})`}`, status, isTodo: true };
  });
  const tasks = session.tasks.map(({ id, subject, status }) => {
    return { name: `Task #${id} ${quoted(subject)}`, status, isTodo: false };
  });
  return [...todos, ...tasks];
}

function itemLines(old: readonly Item[], session: SessionReport): readonly string[] {
  const before = new Map(old.map(({ name, status }) => [name, status]));
  const after = itemsOf(session);
  // A list that is over goes as a whole.
  const isOver = todosIn(session).length === 0;
  const names = new Set(after.map(({ name }) => name));
  const gone = old
    .filter(({ name }) => !names.has(name))
    .map(({ name, status, isTodo }) => `${name}: ${status} -> ${isTodo && isOver ? "cleared" : "removed"}`);
  const changed = after.filter(({ name, status }) => before.get(name) !== status);
  // As it happens: one todo is put down before the next is taken up.
  const inOrder = [...changed].sort((a, b) => Number(a.status === "in_progress") - Number(b.status === "in_progress"));
  return [...gone, ...inOrder.map(({ name, status }) => `${name}: ${before.get(name) ?? "new"} -> ${status}`)];
}

function quoted(text: string): string {
  return `"${terminalText(text).replaceAll('"', '\\"')}"`;
}
