import { terminalLines } from "../../../core/text/terminal-text.js";
import { todosOf } from "../../../core/todo/list.js";
import { defineCommand } from "../../command-definition.js";
import { choice } from "../../fields.js";
import { drawList } from "../../terminal/draw-list.js";
import { nextStep } from "../../terminal/next-step.js";
import { wholeRows } from "../../terminal/todo-rows.js";
import { listMarkdown } from "../../todo/list-markdown.js";
import { WHOSE } from "../../todo/list-place.js";
import { listNow, openList, reportOn } from "../../todo/person-edit.js";
import { reportedList } from "../../todo/todo-report.js";

/** A tree, and what agents themselves draw. By name: the dialects load with the first drawing. */
const DRAWINGS = ["tree", "oh-my-pi", "gencode", "gencode/node-0.5"] as const;

export const listTodos = defineCommand({
  details: `The list of a session: numbers, [x] completed, [>] in progress, [ ] pending, [-] cancelled, phases, and
notes of open todos. The first line says whose it is and how many are done. milepost todo alone is the same.
--json: {"session","project","branch","agent","said","changed","list"}; "said" is the list as markdown.`,
  examples: ["milepost todo", "milepost todo list --session acc5a7 --view tree"],
  input: {
    view: choice(
      ["rows", "markdown", ...DRAWINGS],
      "how it is drawn: rows, markdown, a tree, or as that agent draws it",
      "rows",
    ),
    ...WHOSE,
  },
  async run(context, { view: _, ...whose }) {
    const opened = await openList(context, whose, "read");
    if (!opened.ok) return opened;
    const list = await listNow(opened.value);
    return reportOn(opened.value, { said: listMarkdown(list).trimEnd(), changed: false, list });
  },
  show(report, output, given) {
    const flags = ["session", "agent", "as", "store"];
    const add = `  ${nextStep("todo add 'Write the docs'", given, flags)} adds the first one.`;
    const hint = report.writable ? [add] : [];
    const view = String(given.view ?? "rows");
    const list = reportedList(report.list);
    if (todosOf(list).length === 0) return `${[...wholeRows(report, output), ...hint].join("\n")}\n`;
    if (view === "markdown") return `${terminalLines(report.said).join("\n")}\n`;
    return `${(view === "rows" ? wholeRows(report, output) : drawList(list, view, output)).join("\n")}\n`;
  },
});
