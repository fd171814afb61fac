import { counted } from "../../core/text/length.js";
import { terminalText } from "../../core/text/terminal-text.js";
import type { Output } from "../command-definition.js";
import {
  costText,
  doneText,
  periodText,
  shortCount,
  spentText,
  standingOf,
  VERDICT_MARKS,
  VERDICT_ORDER,
} from "../report/report-words.js";
import type { SessionWorkReport, TodoWork, VerdictCounts, WorkReport, WorkSum } from "../report/work-report.js";
import { paint } from "./paint.js";
import { cutToWidth, fitWidth, screenWidth, stringWidth, wrapWords } from "./text-width.js";

type Style = Parameters<typeof paint>[1];

/** The report as rows, each within the width of the screen. */
export function reportText(report: WorkReport, output: Output): string {
  const width = Math.max(20, screenWidth(output));
  const cut = (text: string) => cutToWidth(text, width);
  const title = report.session === null ? "Work" : "Session";
  const rows = [
    paint(output, "bold", cut(`${title}, ${periodText(report)}`)),
    ...(report.sessions.length === 0 ? [cut("No session was active in this time.")] : []),
    ...(report.session === null && report.sessions.length > 0 ? overviewRows(report, width) : []),
    ...report.sessions.flatMap((session) => ["", ...sessionRows(session, output, width)]),
    ...(report.sessionsLeftOut === 0 ? [] : ["", cut(`${counted(report.sessionsLeftOut, "older session")} left out`)]),
    ...taskRows(report, output).map(cut),
  ];
  return `${rows.join("\n")}\n`;
}

function overviewRows({ sum, sessions, agents, detectors }: WorkReport, width: number): readonly string[] {
  const tokens = agents.map(({ agent, tokens: { total }, cost }) => {
    const money = cost === null ? "" : `, ${costText(cost)}`;
    return `${terminalText(agent)} ${shortCount(total)} tokens${money}`;
  });
  const caught = detectors.map(({ detector, count }) => `${terminalText(detector)} ${count}`);
  const rows = [
    `${counted(sessions.length, "session")}: ${sumText(sum)}`,
    ...verdictRows(sum.verdicts),
    ...(tokens.length === 0 ? [] : [tokens.join(", ")]),
    ...(caught.length === 0 ? [] : [`loops and stalls caught: ${caught.join(", ")}`]),
  ];
  return rows.flatMap((row) => wrapWords(row, width));
}

function sumText(sum: WorkSum): string {
  const { todos, calls, checks, files, added, removed, compactions } = sum;
  return [
    ...(todos.done + todos.open === 0 ? [] : [doneText(sum)]),
    counted(sum.turns, "turn"),
    `${spentText(sum.working)} at work`,
    `${counted(calls.total, "call")}${calls.failed === 0 ? "" : ` (${calls.failed} failed)`}`,
    ...(checks.passed + checks.failed === 0 ? [] : [`checks ${checks.passed} passed, ${checks.failed} failed`]),
    ...(files === 0 ? [] : [`${counted(files, "file")} +${added} -${removed}`]),
    ...(compactions === 0 ? [] : [counted(compactions, "compaction")]),
  ].join(" · ");
}

/** `✓ 4 verified, ? 1 unbacked`; none where nothing is done. */
function verdictRows(verdicts: VerdictCounts): readonly string[] {
  const shown = VERDICT_ORDER.filter((verdict) => verdicts[verdict] > 0);
  const word = (verdict: (typeof shown)[number]) => (verdict === "none" ? "without a verdict" : verdict);
  const words = shown.map((verdict) => `${VERDICT_MARKS[verdict]} ${verdicts[verdict]} ${word(verdict)}`);
  return words.length === 0 ? [] : [words.join(", ")];
}

const INDENT = "  ";

function sessionRows(session: SessionWorkReport, output: Output, width: number): readonly string[] {
  const { agent, title, id, project, branch, state, tokens, cost, model, sum } = session;
  const inner = width - INDENT.length;
  const inside = (style: Style | undefined, text: string) =>
    wrapWords(text, inner).map((row) => INDENT + (style ? paint(output, style, row) : row));
  const facts = [
    state,
    ...[project, branch, model].flatMap((part) => (part === null ? [] : [terminalText(part)])),
    ...(tokens.total === 0 ? [] : [`${shortCount(tokens.total)} tokens`]),
    ...(cost === null ? [] : [costText(cost)]),
  ];
  return [
    paint(output, "bold", cutToWidth(`${terminalText(agent)}  ${terminalText(title || id)}`, width)),
    ...inside("dim", facts.join(" · ")),
    ...inside(undefined, sumText(sum)),
    ...todoRows(session.todos, output, inner).map((row) => INDENT + row),
    ...session.alerts.flatMap(({ detector, level, message }) =>
      inside("yellow", `▲ ${terminalText(detector)}, ${level}: ${terminalText(message)}`),
    ),
  ];
}

const VERDICT_STYLES: Readonly<Record<string, Style>> = {
  verified: "green",
  unbacked: "yellow",
  contradicted: "red",
  "in progress": "cyan",
};
const STANDING_WIDTH = "✗ contradicted".length;
const TIME_WIDTH = "12h 05m".length;
/** Below this the mark stands for its word. */
const NARROW = 50;

/** The text, then the verdict and the time in columns; the reason where there is room for it. */
function todoRows(todos: readonly TodoWork[], output: Output, width: number): readonly string[] {
  const longest = Math.max(0, ...todos.map(({ text }) => stringWidth(terminalText(text))));
  const isNarrow = width < NARROW;
  const column = isNarrow ? 1 : STANDING_WIDTH;
  const figures = 2 + column + 2 + TIME_WIDTH;
  const room = Math.max(1, Math.min(longest, width - figures, LONGEST_TEXT));
  const rest = width - room - figures - 2;
  return todos.map((todo) => {
    const [mark, word] = standingOf(todo);
    const standing = fitWidth(isNarrow ? mark : `${mark} ${word}`, column, false);
    const style = VERDICT_STYLES[word];
    const time = fitWidth(todo.milliseconds === 0 ? "" : spentText(todo.milliseconds), TIME_WIDTH, true);
    const why =
      todo.reason === null || rest < SHORTEST_REASON ? "" : `  ${cutToWidth(terminalText(todo.reason), rest)}`;
    const text = fitWidth(terminalText(todo.text), room, false);
    const row = `${text}  ${style ? paint(output, style, standing) : standing}  ${time}`;
    return why === "" ? row.trimEnd() : `${row}${paint(output, "dim", why)}`;
  });
}

const LONGEST_TEXT = 60;
const SHORTEST_REASON = 12;

function taskRows({ tasks }: WorkReport, output: Output): readonly string[] {
  if (tasks.length === 0) return [];
  const rows = tasks.map(({ list, id, subject, status, closedBy }) => {
    const by = closedBy === null ? "" : ` by ${terminalText(closedBy)}`;
    return `${INDENT}#${id} ${terminalText(subject)}  ${status}${by}  (${terminalText(list)})`;
  });
  return ["", paint(output, "bold", `${counted(tasks.length, "task")} closed`), ...rows];
}
