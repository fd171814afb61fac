import stringWidth from "string-width";
import type { SessionState } from "../../core/session/state.js";
import { terminalText } from "../../core/text/terminal-text.js";
import type { Output } from "../command.js";
import { paint } from "../paint.js";
import { cutToWidth } from "../row.js";
import { type SessionReport, type TodoReport, todosIn } from "./session-report.js";

type Style = Parameters<typeof paint>[1];

const STYLES: Readonly<Record<SessionState, Style>> = {
  running: "green",
  waiting: "yellow",
  idle: "dim",
  stalled: "red",
  ended: "dim",
};

const PROJECT_MAX = 18;

/** One session: two rows. What it does, and how to go on with it. */
export function tableRows(sessions: readonly SessionReport[], output: Output, now: number): readonly string[] {
  const shown = sessions.filter(({ parent, state }) => parent === null || state === "running" || state === "waiting");
  const width = {
    agent: widest(shown.map(({ agent }) => agent || "?")),
    project: Math.min(PROJECT_MAX, widest(shown.map(projectOf))),
    progress: widest(shown.map(progressText)),
  };
  return shown.flatMap((session) => {
    const state = paint(output, STYLES[session.state], session.state.padEnd("running".length));
    const indent = session.parent === null ? "" : "  ";
    const left = [
      pad(session.agent || "?", width.agent),
      pad(cutToWidth(projectOf(session), width.project), width.project),
      pad(progressText(session), width.progress),
    ].join("  ");
    const age = ageText(session, now).padStart(4);
    const room = output.columns - "running".length - stringWidth(indent) - stringWidth(left) - age.length - 6;
    const focus = pad(cutToWidth(focusText(session), Math.max(room, 8)), Math.max(room, 8));
    return [`${indent}${state}  ${left}  ${focus}  ${age}`, ...secondRow(session, output)];
  });
}

function widest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map((text) => stringWidth(text)));
}

function pad(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - stringWidth(text)));
}

/** The last folder of the path: where the work is. */
function projectOf({ folder }: SessionReport): string {
  return terminalText(folder?.split(/[\\/]/).filter(Boolean).at(-1) ?? "-");
}

function progressText(session: SessionReport): string {
  const { done, total } = progressIn(session);
  return total === 0 ? "-" : `${done}/${total}`;
}

/** Its list; tasks where it keeps no list. */
export function progressIn(session: SessionReport): { readonly done: number; readonly total: number } {
  const todos = todosIn(session).filter(({ status }) => status !== "cancelled");
  const items = todos.length > 0 ? todos : session.tasks;
  return { done: items.filter(({ status }) => status === "completed").length, total: items.length };
}

function focusText(session: SessionReport): string {
  const todo = todosIn(session).find(({ status }) => status === "in_progress");
  const task = session.tasks.find(({ status }) => status === "in_progress");
  const focus = todo ? nowText(todo) : task && (task.activeForm ?? task.subject);
  return focus === undefined ? terminalText(session.title || session.id) : `▸ ${terminalText(focus)}`;
}

function nowText({ activeForm, text }: TodoReport): string {
  return activeForm ?? text;
}

function secondRow(session: SessionReport, output: Output): readonly string[] {
  const { resume, title } = session;
  if (resume === null) return [];
  const isTitled = title === "" || focusText(session) === terminalText(title);
  const words = isTitled ? resume : `${resume}  ${terminalText(title)}`;
  return [paint(output, "dim", `  ${cutToWidth(words, output.columns - 2)}`)];
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long ago anything was heard of it. */
function ageText({ updatedAt }: SessionReport, now: number): string {
  const age = updatedAt === null ? 0 : Math.max(0, now - Date.parse(updatedAt));
  if (age < MINUTE) return `${Math.floor(age / 1000)}s`;
  if (age < HOUR) return `${Math.floor(age / MINUTE)}m`;
  return age < DAY ? `${Math.floor(age / HOUR)}h` : `${Math.floor(age / DAY)}d`;
}
