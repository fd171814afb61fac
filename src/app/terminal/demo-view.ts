import type { Verdict } from "../../core/grounding/verdict.js";
import { counted } from "../../core/text/length.js";
import { terminalLines, terminalText } from "../../core/text/terminal-text.js";
import { STATUS_MARKERS } from "../../core/todo/plain-text.js";
import type { Output } from "../command-definition.js";
import type { DemoAnswer, DemoLook } from "../demo/demo-moment.js";
import type { DemoOutcome, PlayedMoment } from "../demo/play-demo.js";
import { type SessionReport, todosIn } from "../transcripts/session-report.js";
import { paint } from "./paint.js";
import { cutToWidth, fitWidth, stringWidth, wrapWords } from "./text-width.js";
import { countedVerdicts, paintVerdict } from "./verdict-text.js";

// The demo for whoever reads it as text: in a pipe, without pauses, or where no live view can be drawn.

const INDENT = "    ";
const BAR_WIDTH = 20;
/** A digest fits; what is longer is cut. */
const MOST_ROWS = 9;

const NAMES = { person: "you", "claude-code": "Claude Code", codex: "Codex" } as const;

export function drawTitle(output: Output): string {
  const what = `A made-up project, agents of two vendors, and you. What happens is scripted; every answer, warning and
verdict is the real engine's, in a store of its own. Nothing is saved or sent.`;
  return rows([paint(output, "bold", "Milepost demo"), ...wrapWords(what.replaceAll("\n", " "), output.columns)]);
}

export function drawMoment(moment: PlayedMoment, output: Output): string {
  const { story, agent, number, of, steps, check, look } = moment;
  const width = output.columns - INDENT.length;
  return rows([
    "",
    paint(output, "dim", `${number}/${of} ${NAMES[agent]}`),
    ...wrapWords(story, output.columns).map((row) => paint(output, "bold", row)),
    ...steps.flatMap(({ what, answers }) => [
      paint(output, "cyan", INDENT + cutToWidth(terminalText(what), width)),
      ...answers.flatMap((answer) => answerRows(answer, output)),
    ]),
    ...sessionRows(agent === "codex" ? look.codex : look.claude, output),
    ...(check ? [checkRow(check, output)] : []),
  ]);
}

/** What a hook says goes to the model alone; a person sees it here only. */
function answerRows({ to, text, isError }: DemoAnswer, output: Output): readonly string[] {
  const width = output.columns - INDENT.length - 2;
  const said = to === "hook" ? `The model is told: ${text}` : text;
  const all = terminalLines(said).flatMap((line) => (line === "" ? [] : wrapWords(line, width)));
  const shown = all.length > MOST_ROWS ? [...all.slice(0, MOST_ROWS - 1), "…"] : all;
  const style = isError ? "yellow" : to === "hook" ? "italic" : "green";
  return shown.map((row, at) => paint(output, style, `${INDENT}${at === 0 ? "→" : " "} ${row}`));
}

/** As a row of a live view has it: how far it is, what stands out, whether it waits for the person. */
function sessionRows(session: SessionReport | undefined, output: Output): readonly string[] {
  if (!session) return [];
  const width = output.columns - INDENT.length;
  const row = (style: Parameters<typeof paint>[1], text: string) =>
    paint(output, style, INDENT + cutToWidth(text, width));
  const { waitingFor, alerts } = session;
  return [
    ...barRows(session).map((bar) => INDENT + cutToWidth(bar, width)),
    ...alerts
      .filter(({ isOver }) => !isOver)
      .map(({ detector, level, count }) => row("yellow", `! ${detector}, ${counted(count, "call")}: ${level}`)),
    ...(waitingFor ? [row("yellow", `? ${waitingFor.kind}: ${terminalText(waitingFor.text ?? "")}`)] : []),
  ];
}

function barRows(session: SessionReport): readonly string[] {
  const todos = todosIn(session);
  if (todos.length === 0) return [];
  const done = todos.filter(({ status }) => status === "completed").length;
  const current = todos.find(({ status }) => status === "in_progress");
  const filled = Math.floor((BAR_WIDTH * done) / todos.length);
  const bar = `${"█".repeat(filled)}${"░".repeat(BAR_WIDTH - filled)} ${done}/${todos.length}`;
  const focus = current ? [`▸ ${terminalText(current.activeForm ?? current.text)}`] : [];
  const doubts = countedVerdicts(todos);
  return [[bar, ...focus, ...(doubts === "" ? [] : [doubts])].join("  ")];
}

function checkRow({ what, held }: NonNullable<PlayedMoment["check"]>, output: Output): string {
  const row = cutToWidth(`${held ? "✓" : "✗"} ${what}`, output.columns - INDENT.length);
  return paint(output, held ? "green" : "red", INDENT + row);
}

export function drawEnding({ checks, isStopped }: DemoOutcome, look: DemoLook | undefined, output: Output): string {
  const held = checks.filter((check) => check.held).length;
  const missed = checks.filter((check) => !check.held).map((check) => checkRow(check, output));
  const sum = `${held} of ${counted(checks.length, "check")} held${isStopped ? ", then it was stopped" : ""}.`;
  return rows([
    ...listRows("Claude Code's list", look?.claude, output),
    ...listRows("Codex's list", look?.codex, output),
    ...(look?.tasks.length ? ["", paint(output, "bold", "Tasks")] : []),
    ...(look?.tasks ?? []).map(({ id, subject, status }) => `${INDENT}#${id} ${terminalText(subject)}: ${status}`),
    "",
    ...missed,
    paint(output, missed.length === 0 ? "green" : "red", sum),
  ]);
}

function listRows(title: string, session: SessionReport | undefined, output: Output): readonly string[] {
  const todos = session ? todosIn(session) : [];
  if (todos.length === 0) return [];
  const texts = todos.map(({ number, text, status }) => `${number} ${STATUS_MARKERS[status]} ${terminalText(text)}`);
  const most = output.columns - INDENT.length - VERDICT_WIDTH;
  const width = Math.min(most, Math.max(...texts.map(stringWidth)));
  const row = (text: string, verdict: Verdict | null) =>
    `${INDENT}${fitWidth(text, width, false)}${verdict === null ? "" : `  ${paintVerdict(output, verdict)}`}`;
  return ["", paint(output, "bold", title), ...todos.map(({ verdict }, at) => row(texts[at] ?? "", verdict))];
}

/** Of the longest verdict, with the space before it. */
const VERDICT_WIDTH = 16;

function rows(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}
