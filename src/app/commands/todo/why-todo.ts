import { type JudgeTodo, judgeTodos } from "../../../core/grounding/judged.js";
import type { Because } from "../../../core/grounding/verdict.js";
import { ok } from "../../../core/result.js";
import { terminalText } from "../../../core/text/terminal-text.js";
import { type TodoList, todosOf } from "../../../core/todo/list.js";
import { whichTodo } from "../../../core/todo/pick-todos.js";
import { STATUS_MARKERS } from "../../../core/todo/plain-text.js";
import { defineCommand } from "../../command-definition.js";
import { needed, text } from "../../fields.js";
import { ownerText } from "../../terminal/todo-rows.js";
import { paintVerdict } from "../../terminal/verdict-text.js";
import { type ListOwner, ownerOf, WHOSE } from "../../todo/list-place.js";
import { listNow, type OpenedList, openList } from "../../todo/person-edit.js";
import { shownList } from "../../todo/shown-list.js";
import { factTime, reportTodo, type TodoReport } from "../../todo/todo-report.js";
import { judgeOpened } from "../../todo/todo-work.js";
import { whyRows } from "../../todo/why-text.js";

/** Why, as a script reads it; times are ISO times. */
type BecauseReport = Because | (Omit<Because, "check"> & { readonly check: object });

interface WhyReport extends Omit<ListOwner, "keeper" | "goal" | "writable"> {
  readonly todo: TodoReport;
  /** Null for a todo that is not completed. */
  readonly because: BecauseReport | null;
  /** The same in sentences. */
  readonly said: readonly string[];
}

export const whyTodo = defineCommand({
  details: `Tells what ran while the todo was in progress, which files were changed, which check ran last and how it
ended, and what would change the verdict. verified: a check passed after the last edit. worked: something ran, and no
check tells. unbacked: nothing ran. contradicted: the last check failed. waived: it cannot be checked here. A task that
the agent's program keeps is named by its number in the same way.
--json: {"session","project","branch","agent","todo","because","said"}; "because" is null where a todo is not
completed.`,
  examples: ["milepost todo why 1"],
  words: ["todo"],
  input: { todo: needed(text("TODO", "its number, or its text in quotes")), ...WHOSE },
  async run(context, { todo: name, ...whose }) {
    const opened = await openList(context, whose, "read");
    if (!opened.ok) return opened;
    const { place, hint } = opened.value;
    const { list, judge } = await judgedList(opened.value);
    const found = whichTodo(shownList(list), name, hint, (number) => `why ${number}`);
    if (!found.ok) return found;
    const todo = todosOf(list).find(({ number }) => number === found.value.number) ?? found.value;
    const judged = judge?.(todo);
    const report = { ...reportTodo(todo, judge), text: found.value.text };
    const said = whyRows({ todo, judged, hint, now: Date.now() });
    const { keeper: _, goal: __, writable: ___, ...about } = ownerOf(place);
    return ok<WhyReport>({ ...about, todo: report, because: becauseOf(judged?.judgement?.because), said });
  },
  show({ todo, said, ...about }, output) {
    const { number, status, text: title, verdict } = todo;
    const row = `${number} ${STATUS_MARKERS[status]} ${terminalText(title)}`;
    const judged = verdict === null ? "" : `  ${paintVerdict(output, verdict)}`;
    return `${ownerText(about)}\n  ${row}${judged}\n${said.map((one) => `  ${one}\n`).join("")}`;
  },
});

/** The list; where there is none, what was last finished. */
async function judgedList(opened: OpenedList): Promise<{ list: TodoList; judge: JudgeTodo | undefined }> {
  const { store, place } = opened;
  const list = await listNow(opened);
  const { finished, work } = place.known;
  if (todosOf(list).length > 0 || !finished) return { list, judge: await judgeOpened(store, list, place) };
  return { list: finished.list, judge: work && judgeTodos(finished.spans, work) };
}

function becauseOf(because: Because | undefined): BecauseReport | null {
  if (!because || !("check" in because)) return because ?? null;
  const { kind, result, at, title = null } = because.check;
  return { ...because, check: { kind, result, at: factTime(at), command: title } };
}
