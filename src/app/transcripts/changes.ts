import type { Verdict } from "../../core/grounding/verdict.js";
import { isSameJson } from "../../core/json.js";
import { reasonText } from "../../core/session/state/reason.js";
import { terminalText } from "../../core/text/terminal-text.js";
import { isOpen } from "../../core/todo/list.js";
import type { SessionMention } from "../session/session-mention.js";
import { behindText } from "../terminal/verdict-text.js";
import type { TodoReport } from "../todo/todo-report.js";
import type { AlertReport } from "./report/alert-report.js";
import { noticeLines } from "./report/child-notice.js";
import { type SessionReport, todosIn } from "./session-report.js";

/** Something that became different in a session between two looks. */
export interface Change extends SessionMention {
  /** In one line: `Todo "Run tests": pending -> in_progress`. */
  readonly text: string;
}

/**
 * What changed, in the order of the sessions. Sessions that were not there before are told of whole. `isListTold`: the
 * todos of a session are told of by somebody else.
 */
export function changesBetween(
  before: ReadonlyMap<string, SessionReport>,
  after: readonly SessionReport[],
  isListTold: (session: string) => boolean = () => false,
): readonly Change[] {
  return after.flatMap((session) => {
    // Reports are made once for each state: most are the same as before.
    if (before.get(session.id) === session) return [];
    const about = mentionOf(session);
    return linesOf(before.get(session.id), session, isListTold(session.id)).map((text) => ({ ...about, text }));
  });
}

/** A sub-agent is named after the session above it; some agents have `SESSION/AGENT` as its id. */
export function mentionOf({ id, parent, agent, project, folder, branch }: SessionReport): SessionMention {
  const subAgent = parent === null ? null : (id.split("/").at(-1) ?? id);
  return { session: parent ?? id, subAgent, agent, project, folder, branch };
}

function linesOf(old: SessionReport | undefined, session: SessionReport, isListTold: boolean): readonly string[] {
  const { goal, state, title, id, compactions } = session;
  const items = isSameWork(old, session)
    ? []
    : [...(isListTold ? [] : todoLines(old ?? NO_TODOS, session)), ...taskLines(old?.tasks ?? [], session)];
  const moved = `Session ${quoted(title || id)}: ${old?.state ?? "new"} -> ${state}${whyText(session)}`;
  if (!old) return [moved, ...items];
  const isSameGoal = old.goal?.text === goal?.text && old.goal?.status === goal?.status;
  return [
    ...(old.compactions < compactions ? ["Context compacted"] : []),
    ...items,
    ...(isSameWork(old, session) ? [] : contradictions(old, session)),
    ...planLines(old.plan, session.plan),
    ...alertLines(old, session),
    ...noticeLines(old.children, session.children),
    ...(isSameGoal ? [] : [`Goal ${quoted((goal ?? old.goal)?.text ?? "")}: ${goalWord(old)} -> ${goalWord(session)}`]),
    ...(old.state === state && isSameAsk(old, session) ? [] : [moved]),
  ];
}

/** The very same reports: nothing in them has changed. */
function isSameWork(old: SessionReport | undefined, { list, finished, tasks }: SessionReport): boolean {
  return old !== undefined && old.list === list && old.finished === finished && old.tasks === tasks;
}

/** A check has failed since it was called completed. */
function contradictions(old: SessionReport, session: SessionReport): readonly string[] {
  const names = (report: SessionReport, isOf: (item: Item) => boolean) =>
    [...todoItems(todosIn(report)), ...report.tasks.map(taskItem)].filter(isOf).map(({ name }) => name);
  const done = new Set(names(old, ({ status, verdict }) => status === "completed" && verdict !== "contradicted"));
  const red = names(session, ({ verdict }) => verdict === "contradicted");
  return red.filter((name) => done.has(name)).map((name) => `${name}: completed${behindText("contradicted")}`);
}

/** Those that are new, or have become worse; what is over is told by what comes after it. */
function alertLines(old: SessionReport, { alerts }: SessionReport): readonly string[] {
  const known = new Set(old.alerts.map(alertMark));
  return alerts.filter((alert) => !alert.isOver && !known.has(alertMark(alert))).map(alertLine);
}

function alertMark({ detector, level, at }: AlertReport): string {
  return `${detector} ${level} ${at}`;
}

function alertLine({ detector, level, message }: AlertReport): string {
  return `Alert ${detector}, ${level}: ${terminalText(message)}`;
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

/** What is shown of a session's todos. */
export type ShownTodos = Pick<SessionReport, "list" | "finished">;

const NO_TODOS: ShownTodos = { list: { phases: [] }, finished: null };

/** A list that was finished meanwhile, and is gone: its todos were completed before the next list began. */
export function todoLines(old: ShownTodos, now: ShownTodos): readonly string[] {
  const [before, after] = [todosIn(old), todosIn(now)];
  const done = now.finished && !isSameList(old.finished, now.finished) ? todosIn({ list: now.finished }) : [];
  const numbers = new Set(after.map(({ number }) => number));
  if (done.every(({ number }) => numbers.has(number))) return itemLines(todoItems(before), todoItems(after));
  return [...itemLines(todoItems(before), todoItems(done)), ...itemLines([], todoItems(after))];
}

/** Verdicts may change afterwards: a call can be told of late. */
function isSameList(a: SessionReport["finished"], b: SessionReport["finished"]): boolean {
  const marks = (list: SessionReport["finished"]) =>
    list && [list.at, ...todosIn({ list }).map(({ number, text, status }) => [number, text, status])];
  return isSameJson(marks(a), marks(b));
}

function taskLines(old: SessionReport["tasks"], { tasks }: SessionReport): readonly string[] {
  return itemLines(old.map(taskItem), tasks.map(taskItem));
}

interface Item {
  readonly name: string;
  readonly status: string;
  readonly verdict?: Verdict | null;
  /** A closed todo that goes with all others has been told of when it was closed. */
  readonly isSilent?: boolean;
}

/** A todo is told by its text, and the second of two by that. */
function todoItems(todos: readonly TodoReport[]): readonly Item[] {
  const times = new Map<string, number>();
  return todos.map((todo) => {
    const { text, status, verdict } = todo;
    const nth = (times.get(text) ?? 0) + 1;
    times.set(text, nth);
    return { name: `Todo ${quoted(text)}${nth === 1 ? "" : ` (${nth})`}`, status, verdict, isSilent: !isOpen(todo) };
  });
}

function taskItem({ id, subject, status, verdict }: SessionReport["tasks"][number]): Item {
  return { name: `Task #${id} ${quoted(subject)}`, status, verdict };
}

function itemLines(old: readonly Item[], after: readonly Item[]): readonly string[] {
  const before = new Map(old.map(({ name, status }) => [name, status]));
  const names = new Set(after.map(({ name }) => name));
  const gone = old.filter(({ name, isSilent }) => !names.has(name) && !(isSilent && after.length === 0));
  const changed = after.filter(({ name, status }) => before.get(name) !== status);
  // As it happens: one todo is put down before the next is taken up.
  const inOrder = [...changed].sort((a, b) => Number(a.status === "in_progress") - Number(b.status === "in_progress"));
  return [
    ...gone.map(({ name, status }) => `${name}: ${status} -> removed`),
    ...inOrder.map(({ name, status, verdict = null }) => {
      return `${name}: ${before.get(name) ?? "new"} -> ${status}${behindText(verdict)}`;
    }),
  ];
}

function quoted(text: string): string {
  return `"${terminalText(text).replaceAll('"', '\\"')}"`;
}
