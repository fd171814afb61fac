import { finishedText } from "../../../core/session/finished/finished-list.js";
import { counted, shortCount } from "../../../core/text/length.js";
import { terminalText } from "../../../core/text/terminal-text.js";
import { ageText } from "../../../core/text/time-text.js";
import { STATUS_MARKERS } from "../../../core/todo/plain-text.js";
import type { Output } from "../../command-definition.js";
import type { TodoListReport } from "../../todo/todo-report.js";
import { type SessionReport, shownFinish } from "../../transcripts/session-report.js";
import { paint } from "../paint.js";
import { cutToWidth, screenWidth, wrapWords } from "../text-width.js";
import { behindText } from "../verdict-text.js";
import { askRows, planText, wholeStateText } from "./state-text.js";
import { offerRows, subAgentRows } from "./sub-agent-rows.js";

/** Sessions one below the other, each with what is in it. */
export function showSessions(sessions: readonly SessionReport[], output: Output, now: number = Date.now()): string {
  return `${sessions.map((session) => sessionRows(session, sessions, output, now).join("\n")).join("\n\n")}\n`;
}

const INDENT = "  ";

function sessionRows(
  session: SessionReport,
  all: readonly SessionReport[],
  output: Output,
  now: number,
): readonly string[] {
  const inside = (text: string) => INDENT + cutToWidth(text, screenWidth(output) - INDENT.length);
  const { id, agent, state, title, parent, resume } = session;
  const heading = cutToWidth(`${agent}  ${state}  ${terminalText(title || id)}`, screenWidth(output));
  return [
    paint(output, "bold", heading),
    ...(parent === null ? [] : [inside(`sub-agent ${ownIdOf(session)} of ${parent}`)]),
    inside(wholeStateText(session, now)),
    // The plan has rows of its own below.
    ...(session.waitingFor?.kind === "plan" && session.plan ? [] : askRows(session)).map((row) =>
      paint(output, "yellow", inside(row)),
    ),
    ...choiceRows(session).map(inside),
    ...callRows(session, now).map(inside),
    paint(output, "dim", inside(factsOf(session))),
    ...pullRequestRows(session).map(inside),
    ...refusalRows(session).map((row) => paint(output, "yellow", inside(row))),
    ...goalRows(session).map(inside),
    ...alertRows(session, screenWidth(output) - INDENT.length).map((row) => paint(output, "yellow", inside(row))),
    ...listRows(session, now).map(inside),
    ...taskRows(session).map(inside),
    ...offerRows(session).map((row) => paint(output, "yellow", inside(row))),
    ...subAgentRows(session, all).map(inside),
    ...planRows(session, now).map(inside),
    ...problemRows(session).map((row) => paint(output, "yellow", inside(row))),
    ...(resume === null ? [] : [paint(output, "dim", inside(resume))]),
  ];
}

/** Some sub-agents are known as SESSION/AGENT. */
function ownIdOf({ id }: SessionReport): string {
  return id.slice(id.indexOf("/") + 1);
}

/** The numbers are those that the client takes for an answer. */
function choiceRows({ waitingFor }: SessionReport): readonly string[] {
  return (waitingFor?.choices ?? []).map((choice, at) => `  ${at + 1} ${terminalText(choice)}`);
}

/** `runs: Bash npm test, 41s, 40%`. */
function callRows({ call, state }: SessionReport, now: number): readonly string[] {
  if (call === null) return [];
  const { tool, subject, since, progress } = call;
  const parts = [
    terminalText(subject === null ? tool : `${tool} ${subject}`),
    ...(since === null ? [] : [ageText(now - Date.parse(since))]),
    ...(progress === null ? [] : [`${Math.round(100 * progress)}%`]),
  ];
  return [`${state === "waiting" ? "waits" : "runs"}: ${parts.join(", ")}`];
}

function pullRequestRows({ pullRequest }: SessionReport): readonly string[] {
  return pullRequest === null ? [] : [`pull request #${pullRequest.number}: ${terminalText(pullRequest.url)}`];
}

function refusalRows({ refusal }: SessionReport): readonly string[] {
  if (refusal === null) return [];
  return [`! the last write to the list was refused${refusal === "" ? "" : `: ${terminalText(refusal)}`}`];
}

function contextText({ context }: SessionReport): readonly string[] {
  if (context === null) return [];
  const { used, window } = context;
  return [`${shortCount(used)}${window === null ? "" : ` of ${shortCount(window)}`} tokens in context`];
}

function factsOf(session: SessionReport): string {
  const { folder, branch, turns, compactions, calls, tokens, cost } = session;
  const where = folder === null ? [] : [terminalText(branch === null ? folder : `${folder} (${branch})`)];
  return [
    ...where,
    counted(turns, "turn"),
    ...(compactions > 0 ? [counted(compactions, "compaction")] : []),
    `${counted(calls.total, "call")}, ${calls.failed} failed`,
    ...(tokens.total > 0 ? [`${tokens.total} tokens`] : []),
    ...contextText(session),
    ...(cost === null ? [] : [`$${cost.toFixed(4)}`]),
  ].join(" · ");
}

function goalRows({ goal }: SessionReport): readonly string[] {
  return goal === null ? [] : [`goal, ${terminalText(goal.status)}: ${terminalText(goal.text)}`];
}

/** Those that are over are history: `--json` has them. */
function alertRows({ alerts }: SessionReport, columns: number): readonly string[] {
  return alerts
    .filter(({ isOver }) => !isOver)
    .flatMap(({ detector, level, message }) => wrapWords(`! ${detector}, ${level}: ${terminalText(message)}`, columns));
}

/** The list; where nothing is open, what was done last, and when. */
function listRows(session: SessionReport, now: number): readonly string[] {
  const finish = shownFinish(session);
  if (!finish) return todoRows(session.list);
  return [finishedText(finish.todos, finish.at, now), ...todoRows(finish.list)];
}

function todoRows({ phases }: TodoListReport): readonly string[] {
  return phases.flatMap(({ name, todos }) => [
    ...(name === "" ? [] : [`${terminalText(name)}:`]),
    ...todos.map(
      ({ text, status, verdict }) => `${STATUS_MARKERS[status]} ${terminalText(text)}${behindText(verdict)}`,
    ),
  ]);
}

function taskRows({ tasks }: SessionReport): readonly string[] {
  const isClosed = new Set(tasks.filter(({ status }) => status === "completed").map(({ id }) => id));
  return tasks.map(({ id, subject, status, blockedBy, verdict }) => {
    const open = blockedBy.filter((blocker) => !isClosed.has(blocker) && status !== "completed");
    const blocked = open.length === 0 ? "" : `  (blocked by ${open.map((blocker) => `#${blocker}`).join(", ")})`;
    return `${STATUS_MARKERS[status]} #${id} ${terminalText(subject)}${blocked}${behindText(verdict)}`;
  });
}

function problemRows({ badLines, unfinishedBytes }: SessionReport): readonly string[] {
  const first = badLines.first[0];
  return [
    ...(first ? [`${counted(badLines.lines, "line")} could not be read, the first at byte ${first.offset}`] : []),
    ...(unfinishedBytes > 0 ? [`the last line is not whole yet (${unfinishedBytes} bytes)`] : []),
  ];
}

function planRows({ plan }: SessionReport, now: number): readonly string[] {
  if (plan === null) return [];
  const { id, status, proposedAt, decidedAt, decidedBy, reason } = plan;
  const isDecided = status === "approved" || status === "rejected";
  const at = isDecided ? decidedAt : proposedAt;
  const when = at === null || status === "superseded" ? "" : ` ${ageText(now - Date.parse(at))} ago`;
  const by = isDecided && decidedBy !== null ? ` by ${terminalText(decidedBy)}` : "";
  return [
    planText(plan, `${when}${by}`),
    ...(reason === null ? [] : [`reason: ${terminalText(reason)}`]),
    `milepost plan show ${id}`,
  ];
}
