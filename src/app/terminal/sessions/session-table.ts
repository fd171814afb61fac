import { doneAgoText } from "../../../core/session/finished/finished-list.js";
import { distinctId } from "../../../core/session/match-session.js";
import { isOpenGoal } from "../../../core/session/observation.js";
import type { SessionState } from "../../../core/session/session-state.js";
import { terminalText } from "../../../core/text/terminal-text.js";
import { ageText } from "../../../core/text/time-text.js";
import type { Output } from "../../command-definition.js";
import { focusOf, reportProgress } from "../../transcripts/report/report-progress.js";
import {
  isOnTable,
  type SessionReport,
  shownFinish,
  shownItems,
  waitingFirst,
} from "../../transcripts/session-report.js";
import { paint } from "../paint.js";
import { cutToWidth, screenWidth, stringWidth } from "../text-width.js";
import { countedVerdicts } from "../verdict-text.js";
import { alertRows, askRows, stateText } from "./state-text.js";
import { subAgentCount } from "./sub-agent-rows.js";

type Style = Parameters<typeof paint>[1];

const STYLES: Readonly<Record<SessionState, Style>> = {
  running: "green",
  waiting: "yellow",
  idle: "dim",
  stalled: "red",
  ended: "dim",
};

interface Column {
  readonly name: string;
  readonly text: (session: SessionReport) => string;
  readonly width: number;
}

const AGENT_MAX = 14;
const ID_MAX = 24;
const PROJECT_MAX = 18;
const PROJECT_MIN = 8;
const FOCUS_MIN = 12;
const SHORTEST_STATE = "running".length;
const GAP = "  ";
/** Nothing stands beside anything on a screen like this. */
const NARROW = 30;
const AGE = 4;

/** A heading, and two rows for each session: what it does, and how to go on with it. */
export function tableRows(sessions: readonly SessionReport[], output: Output, now: number): readonly string[] {
  const shown = waitingFirst(sessions.filter(isOnTable));
  const screen = screenWidth(output);
  if (screen < NARROW) return shown.map((session) => cutToWidth(`${session.state} ${focusText(session, now)}`, screen));
  const { columns, stateOf, stateWidth } = columnsFor(shown, screen, now);
  const rows = shown.flatMap((session) => {
    const state = paint(output, STYLES[session.state], pad(stateOf(session), stateWidth));
    const left = columns.map(({ text, width }) => pad(cutToWidth(text(session), width), width) + GAP).join("");
    const age = ageText(now - heardAt(session, now)).padStart(AGE);
    const around = stateWidth + GAP.length + stringWidth(left) + age.length + GAP.length;
    const focus = focusCell(session, now, Math.max(1, screen - around));
    const asked = [...askRows(session), ...alertRows(session)].map((row) => GAP + cutToWidth(row, screen - GAP.length));
    return [`${state}${GAP}${left}${age}${GAP}${focus}`, ...asked, ...secondRow(session, output, now)];
  });
  return rows.length === 0 ? rows : [paint(output, "dim", headingFor(columns, stateWidth)), ...rows];
}

function heardAt({ updatedAt }: SessionReport, now: number): number {
  return updatedAt === null ? now : Date.parse(updatedAt);
}

function headingFor(columns: readonly Column[], stateWidth: number): string {
  const names = columns.map(({ name, width }) => pad(name, width));
  return ["state".padEnd(stateWidth), ...names, "age".padStart(AGE), "now"].join(GAP);
}

interface Layout {
  readonly columns: readonly Column[];
  readonly stateOf: (session: SessionReport) => string;
  readonly stateWidth: number;
}

/** On a narrow screen what a session is on says more than where it is, and that more than why it waits. */
function columnsFor(shown: readonly SessionReport[], screen: number, now: number): Layout {
  const column = (name: string, text: Column["text"], most: number): Column => ({
    name,
    text,
    width: Math.min(Number.isFinite(screen) ? most : screen, Math.max(name.length, widest(shown.map(text)))),
  });
  const agent = column("agent", agentText, AGENT_MAX);
  const id = column("id", idTexts(shown), ID_MAX);
  const project = column("project", projectOf, PROJECT_MAX);
  const progress = column("done", progressText, screen);
  const whole = (session: SessionReport) => stateText(session, now);
  const brief = ({ state }: SessionReport) => state;
  const place = { ...project, width: Math.min(project.width, PROJECT_MIN) };
  const layouts: readonly (readonly [Layout["stateOf"], readonly Column[]])[] = [
    [whole, [agent, id, project, progress]],
    [whole, [agent, id, place, progress]],
    [brief, [agent, id, project, progress]],
    [brief, [agent, project, progress]],
    [brief, [agent, progress]],
  ];
  for (const [stateOf, columns] of layouts) {
    const stateWidth = Math.max(SHORTEST_STATE, widest(shown.map(stateOf)));
    const others = 3 * GAP.length + stateWidth + AGE + FOCUS_MIN;
    if (columns.reduce((width, one) => width + one.width + GAP.length, others) <= screen)
      return { columns, stateOf, stateWidth };
  }
  return { columns: [progress], stateOf: brief, stateWidth: SHORTEST_STATE };
}

function widest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, stringWidth(text)), 0);
}

function pad(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - stringWidth(text)));
}

function projectOf({ project }: SessionReport): string {
  return terminalText(project ?? "-");
}

/** Enough of each to name it by, in every command, beside the others on the table. */
function idTexts(shown: readonly SessionReport[]): Column["text"] {
  const ids = shown.map(ownId);
  return (session) => terminalText(distinctId(ownId(session), ids));
}

function ownId({ id }: SessionReport): string {
  return id.split("/").at(-1) ?? id;
}

/** A sub-agent stands below its session, and in the same columns. */
function agentText({ agent, parent }: SessionReport): string {
  return terminalText(`${parent === null ? "" : "└ "}${agent || "?"}`);
}

function progressText(session: SessionReport): string {
  const { done, total } = reportProgress(session);
  return total === 0 ? "-" : `${done}/${total}`;
}

/** What it is on, else what it has done, else what it is about. */
function focusText(session: SessionReport, now: number): string {
  const focus = focusOf(session);
  if (focus !== undefined) return `▸ ${terminalText(focus)}`;
  const title = terminalText(session.title || session.id);
  const finish = shownFinish(session);
  if (!finish) return title;
  const done = doneAgoText(finish.todos, finish.at, now);
  // The title of a session that can be resumed stands in the row below.
  return session.resume === null ? `${done}  ${title}` : done;
}

/** What it is on, and how many todos are called completed against the facts, where there is room for both. */
function focusCell(session: SessionReport, now: number, room: number): string {
  const counts = countedVerdicts(shownFinish(session)?.todos ?? shownItems(session));
  const left = room - stringWidth(counts) - GAP.length;
  const focus = `${focusText(session, now)}${subAgentCount(session)}`;
  if (counts === "" || left < FOCUS_MIN) return cutToWidth(focus, room);
  return cutToWidth(focus, left) + GAP + counts;
}

function secondRow(session: SessionReport, output: Output, now: number): readonly string[] {
  const { resume, title, goal } = session;
  if (resume === null) return [];
  const isTitled = title === "" || focusText(session, now) === terminalText(title);
  const heading = goal && isOpenGoal(goal) ? `goal: ${goal.text}` : isTitled ? "" : title;
  const words = heading === "" ? resume : `${resume}  ${terminalText(heading)}`;
  return [paint(output, "dim", `  ${cutToWidth(words, screenWidth(output) - 2)}`)];
}
