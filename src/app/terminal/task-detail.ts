import { terminalLines, terminalText } from "../../core/text/terminal-text.js";
import { agoText, leftText, momentText } from "../../core/text/time-text.js";
import type { Output } from "../command-definition.js";
import type { DetailedTask } from "../tasks/task-details.js";
import type { LeaseReport, TaskMention, TaskReport, TodoReference, WaitReport } from "../tasks/task-report.js";
import { paint } from "./paint.js";
import { paintStanding, standingText } from "./task-columns.js";
import { cutToWidth, screenWidth, wrapWords } from "./text-width.js";

const INDENT = "  ";

export function showTask({ task, now }: DetailedTask, output: Output): string {
  const at = Date.parse(now);
  const heading = cutToWidth(`#${task.id} ${terminalText(task.subject)}`, screenWidth(output));
  const state = paintStanding(output, task.standing, standingText(task.standing));
  const rows = [
    paint(output, "bold", heading),
    `${state}, ${task.priority} priority`,
    ...factsOf(task, at).flatMap((fact) => wrapWords(fact, screenWidth(output))),
    ...descriptionRows(task, output),
    ...edgeRows(task, output),
    ...saidRows("notes", task.notes, output),
    ...saidRows("evidence", task.evidence, output),
    paint(output, "dim", cutToWidth(originText(task, at), screenWidth(output))),
    paint(output, "dim", cutToWidth(`${task.uuid}  in ${task.list}`, screenWidth(output))),
  ];
  return `${rows.join("\n")}\n`;
}

function factsOf(task: TaskReport, now: number): readonly string[] {
  const { lease, cancel, waiting, reason, retryAt, labels, assignee, failures, attempts, maxAttempts } = task;
  const stop =
    cancel && `cancel requested${by(cancel.by)}${cancel.reason === null ? "" : `: ${terminalText(cancel.reason)}`}`;
  const tries = `claimed ${attempts} ${attempts === 1 ? "time" : "times"}, failed ${failures} of ${maxAttempts}`;
  return [
    ...(lease ? [leaseText(lease, now)] : []),
    ...(stop ? [stop] : []),
    ...(waiting ? [waitText(waiting)] : []),
    ...(retryAt === null ? [] : [`retry in ${leftText(Date.parse(retryAt) - now)}`]),
    ...(reason === null ? [] : [`reason: ${terminalText(reason)}`]),
    ...(task.payload === null ? [] : [`payload: ${terminalText(JSON.stringify(task.payload))}`]),
    ...(assignee === null ? [] : [`assigned to ${terminalText(assignee)}`]),
    ...(labels.length === 0 ? [] : [`labels: ${labels.map(terminalText).join(", ")}`]),
    ...(Object.keys(task.metadata).length === 0 ? [] : [`metadata: ${terminalText(JSON.stringify(task.metadata))}`]),
    ...(attempts + failures === 0 ? [] : [tries]),
    ...task.links.map(linkText),
    ...(task.sessions.length === 0 ? [] : [`sessions: ${task.sessions.map(terminalText).join(", ")}`]),
  ];
}

function linkText({ session, subAgent, todo }: TodoReference): string {
  return `linked to todo ${todo} of ${terminalText(session)}${subAgent === null ? "" : ` (${terminalText(subAgent)})`}`;
}

function leaseText({ owner, until, fence, progress }: LeaseReport, now: number): string {
  const left = Date.parse(until) - now;
  const time = left > 0 ? `${leftText(left)} left` : `expired ${agoText(-left)}`;
  return `held by ${terminalText(owner)}, ${time}, fence ${fence}${progress === null ? "" : `: ${terminalText(progress)}`}`;
}

export function waitText({ kind, at, topic, correlation, timeout }: WaitReport): string {
  const limit = timeout === null ? "" : `, until ${momentText(timeout)} at most`;
  if (kind === "timer") return `waits until ${momentText(at ?? "")}${limit}`;
  if (kind === "manual") return `waits until somebody wakes it${limit}`;
  const which = correlation === undefined ? "" : ` (${terminalText(correlation)})`;
  return `waits for signal ${terminalText(topic ?? "")}${which}${limit}`;
}

function descriptionRows({ description }: TaskReport, output: Output): readonly string[] {
  if (description.trim() === "") return [];
  const rows = terminalLines(description.trimEnd()).flatMap((line) => wrapped(line, output));
  return ["", ...rows, ""];
}

function wrapped(line: string, output: Output): readonly string[] {
  return wrapWords(line, Math.max(1, screenWidth(output) - INDENT.length)).map((row) => INDENT + row);
}

function edgeRows({ parentTask, blockers, dependents, subtasks, progress }: DetailedTask["task"], output: Output) {
  const done = progress === null ? "" : ` (${progress.completed} of ${progress.total} done)`;
  return [
    ...mentionRows("part of", parentTask ? [parentTask] : [], output),
    ...mentionRows("blocked by", blockers, output),
    ...mentionRows("blocks", dependents, output),
    ...mentionRows(`parts${done}`, subtasks, output),
  ];
}

function mentionRows(title: string, tasks: readonly TaskMention[], output: Output): readonly string[] {
  if (tasks.length === 0) return [];
  const width = Math.max(...tasks.map(({ id }) => id.length));
  const state = Math.max(...tasks.map(({ standing }) => standingText(standing).length));
  const room = screenWidth(output) - INDENT.length - 1 - width - 2 - state - 2;
  const rows = tasks.map(({ id, standing, subject }) => {
    const word = paintStanding(output, standing, standingText(standing).padEnd(state));
    return `${INDENT}${`#${id}`.padStart(width + 1)}  ${word}  ${cutToWidth(terminalText(subject), Math.max(1, room))}`;
  });
  return [`${title}:`, ...rows];
}

function saidRows(title: string, said: TaskReport["notes"], output: Output): readonly string[] {
  if (said.length === 0) return [];
  const rows = said.flatMap(({ text, by: who, at }) => [
    ...wrapped(`${momentText(at)}${who === null ? "" : `  ${terminalText(who)}`}`, output).map((row) =>
      paint(output, "dim", row),
    ),
    ...terminalLines(text).flatMap((line) => wrapped(line, output)),
  ]);
  return [`${title}:`, ...rows];
}

function originText({ createdAt, createdBy, closedAt, closedBy }: TaskReport, now: number): string {
  const closed = closedAt === null ? "" : `, closed ${agoText(now - Date.parse(closedAt))}${by(closedBy)}`;
  return `added ${agoText(now - Date.parse(createdAt))}${by(createdBy)}${closed}`;
}

function by(who: string | null): string {
  return who === null ? "" : ` by ${terminalText(who)}`;
}
