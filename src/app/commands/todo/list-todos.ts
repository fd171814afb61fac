import { ok } from "../../../core/result.js";
import { finishedText } from "../../../core/session/finished/finished-list.js";
import { cutCodePoints } from "../../../core/text/length.js";
import { terminalLines } from "../../../core/text/terminal-text.js";
import { type TodoList, todosOf } from "../../../core/todo/list.js";
import { defineCommand, type Given, type Output } from "../../command-definition.js";
import { choice, toggle } from "../../fields.js";
import { readSettings } from "../../settings.js";
import { isFolded, type ListStyle, renderList } from "../../terminal/lists/render-list.js";
import { nextStep, shellWord } from "../../terminal/next-step.js";
import { screenWidth } from "../../terminal/text-width.js";
import { verdictsIn, wholeRows } from "../../terminal/todo-rows.js";
import { hiddenNow, withoutTodos } from "../../todo/hidden-todos.js";
import { listMarkdown } from "../../todo/list-markdown.js";
import { WHOSE } from "../../todo/list-place.js";
import { type ListReport, listNow, openList, reportOn } from "../../todo/person-edit.js";
import { reportedList } from "../../todo/todo-report.js";
import { type FinishedReport, reportFinished } from "../../transcripts/session-report.js";

/** A tree, and what agents themselves draw. By name: the dialects load with the first drawing. */
const DRAWINGS = ["tree", "codex", "oh-my-pi", "gencode", "gencode/node-0.5"] as const satisfies readonly ListStyle[];

/** The one that stands above its editor all the time, and so leaves out what was closed a while ago. */
const PANEL = "oh-my-pi";

interface ShownReport extends ListReport {
  /** What the agent's last write to the list was answered, where it was refused; empty: nobody has told. */
  readonly refusal: string | null;
  /** Numbers of todos that the asked view leaves out. */
  readonly hidden: readonly number[];
  /** The last list that came to its end, where there is no other. */
  readonly finished: FinishedReport | null;
}

export const listTodos = defineCommand({
  details: `The list of a session: numbers, [x] completed, [>] in progress, [ ] pending, [-] cancelled, phases, and
notes of open todos; a completed one has its verdict behind it (milepost todo why NUMBER tells why). The first line says
whose it is and how many are done. milepost todo alone is the same.
--view tree shows the first 8 todos of each phase and --view oh-my-pi the phase in progress; with --all both show all
of the list.
--json: {"session","project","branch","agent","said","changed","list","refusal","hidden","finished"}; "said" is the list
as markdown, "refusal" what the agent's last write was answered if it was refused, "hidden" what --view leaves out,
"finished" the last list that came to its end, where there is no other.`,
  examples: ["milepost todo", "milepost todo list --session acc5a7 --view tree --all"],
  input: {
    view: choice(
      ["rows", "markdown", ...DRAWINGS],
      "how it is drawn: rows, markdown, a tree, or as that agent draws it",
      "rows",
    ),
    all: toggle("all of the list, also where a view shows a part of it"),
    ...WHOSE,
  },
  async run(context, { view, all, ...whose }) {
    const opened = await openList(context, whose, "read");
    if (!opened.ok) return opened;
    const list = await listNow(opened.value);
    const report = await reportOn(opened.value, { said: listMarkdown(list).trimEnd(), changed: false, list });
    if (!report.ok) return report;
    const seconds = view === PANEL && !all ? readSettings(context.environment).panelClearAfter : -1;
    const hidden = await hiddenNow(opened.value, list, seconds);
    const { known } = opened.value.place;
    const finished = reportFinished(known);
    return ok<ShownReport>({ ...report.value, refusal: known.refusal ?? null, hidden, finished });
  },
  show(report, output, given) {
    const list = reportedList(report.list);
    const view = String(given.view ?? "rows");
    if (todosOf(list).length === 0)
      return text([...ownRows(report, output), ...finishedRows(report), ...firstHint(report, given)]);
    if (view === "markdown") return text(terminalLines(report.said));
    const style = DRAWINGS.find((name) => name === view);
    return text(style === undefined ? ownRows(report, output) : drawnText(list, style, report, output, given));
  },
});

function text(rows: readonly string[]): string {
  return `${rows.join("\n")}\n`;
}

const FLAGS = ["session", "agent", "as", "store"];

/** What was last finished draws little attention: one line, and how to see the rest. */
function finishedRows({ finished, session, subAgent }: ShownReport): readonly string[] {
  if (!finished) return [];
  const at = finished.at === null ? 0 : Date.parse(finished.at);
  const whose = subAgent === null ? session : `${session}/${subAgent}`;
  const done = finishedText(
    finished.phases.flatMap(({ todos }) => todos),
    at,
    Date.now(),
  );
  return [`  Last list: ${done}. To see it: milepost sessions ${shellWord(whose)}`];
}

function firstHint({ writable }: ListReport, given: Given): readonly string[] {
  return writable ? [`  ${nextStep("todo add 'Write the docs'", given, FLAGS)} adds the first one.`] : [];
}

/** More of an answer is no hint any more. */
const REFUSAL_MAX = 200;

function ownRows(report: ShownReport, output: Output): readonly string[] {
  const [heading = "", ...rows] = wholeRows(report, output);
  if (report.refusal === null) return [heading, ...rows];
  const [why = ""] = terminalLines(report.refusal);
  const because = why === "" ? "." : `: ${cutCodePoints(why, REFUSAL_MAX)}`;
  return [heading, `  Maybe out of date: the agent's last write to this list was refused${because}`, ...rows];
}

function drawnText(list: TodoList, style: ListStyle, report: ShownReport, output: Output, given: Given) {
  const { refusal, hidden } = report;
  const isExpanded = given.all === true;
  const rows = renderList(withoutTodos(list, hidden), {
    ...{ width: screenWidth(output), hasColor: output.hasColor, style, isExpanded },
    ...{ verdicts: verdictsIn(report), refusal: refusal ?? undefined },
  });
  const all = nextStep(`todo list --view ${style} --all`, given, FLAGS);
  if (style === "tree" && !isExpanded && isFolded(list)) return [...rows, `  All of them: ${all}`];
  if (hidden.length < todosOf(list).length) return rows;
  return [...rows, `  All todos were closed a while ago, so this view leaves them out. To see them: ${all}`];
}
