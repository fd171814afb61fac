import { resolve } from "node:path";
import * as z from "zod";
import { fail, ok, type Result } from "../../../core/result.js";
import type { NewPhase } from "../../../core/todo/command.js";
import type { TodoList } from "../../../core/todo/list.js";
import type { ListDiff } from "../../../core/todo/list-diff.js";
import { defineCommand } from "../../command.js";
import { showWhole } from "../../terminal/todo-rows.js";
import { LIST_FILE, listMarkdown, readListFile, readMarkdown } from "../../todo/list-file.js";
import { WHOSE } from "../../todo/list-place.js";
import { counted } from "../../todo/list-report.js";
import { type Change, changeOpened, listNow, openList, reportOn } from "../../todo/opened-list.js";
import { LISTS } from "../../views.js";

const FORM = `Markdown: # Phase, - [ ] pending, - [/] in progress, - [x] completed, - [-] cancelled, and "  > " before
each line of a note. Todos whose text stays keep their numbers. A text that is not all of this is refused as a whole.`;

const EXAMPLE = "# Todos\n- [ ] (write your todos here, one a line)\n";

export const editTodos = defineCommand({
  details: `Opens the list as markdown in $VISUAL or $EDITOR (without either: vi) and takes what you save. When it
cannot be used, because a line cannot be read or the agent has written the list meanwhile, what you typed stays in a file,
and its name is printed.
${FORM}

Example:
  EDITOR=nano milepost todo edit`,
  input: z.object({ ...WHOSE }),
  async run(context, whose) {
    const found = await openList(context, whose, "write");
    if (!found.ok) return found;
    const opened = found.value;
    const { hint, store, place } = opened;
    if (!context.editText) {
      const instead = `Use ${hint("todo export")}, and then ${hint("todo import")}`;
      return fail({ code: "refused", message: `An editor needs a terminal. ${instead}` });
    }
    const before = await store.view(LISTS, place.stream);
    const list = await listNow(opened);
    const markdown = list.phases.length === 0 ? EXAMPLE : listMarkdown(list);
    const edited = await context.editText(LIST_FILE, markdown);
    if (!edited.ok) return edited;
    const { value } = edited;
    if (!value || value.text === markdown) {
      value?.discard();
      return reportOn(opened, { said: UNSAVED, changed: false, list });
    }
    const done = await changeOpened(opened, (_, kept) => {
      if (!isSame(before, kept)) return fail({ code: "changed", message: CHANGED });
      const read = readMarkdown(value.text, "The text");
      return read.ok ? ok(replacing(read.value, "edit", "Edited")) : read;
    });
    if (!done.ok) return fail({ ...done.error, message: `${done.error.message} What you wrote is in ${value.path}.` });
    value.discard();
    return done;
  },
  show: showWhole,
});

const UNSAVED = "The editor saved nothing; the list is as it was.";
const CHANGED = "The list has changed meanwhile, and was not overwritten.";

/** Not by revision: a call that broke off has changed the list without counting as a write. */
function isSame(before: TodoList, kept: TodoList): boolean {
  return JSON.stringify(kept.phases) === JSON.stringify(before.phases);
}

export const importTodos = defineCommand({
  details: `Replaces the list by the one in a file (default: TODO.md), and says what that changed. milepost todo undo
brings the old one back.
${FORM}

Examples:
  milepost todo import
  milepost todo import plans/release.md`,
  words: ["file"],
  input: z.object({ file: z.string().min(1).default(LIST_FILE).describe("a file of markdown"), ...WHOSE }),
  async run(context, { file, ...whose }) {
    const opened = await openList(context, whose, "write");
    if (!opened.ok) return opened;
    const path = resolve(context.folder, file);
    const text = await readText(path);
    if (!text.ok) return text;
    const read = readMarkdown(text.value, path);
    if (!read.ok) return read;
    const undo = `To go back: ${opened.value.hint("todo undo")}`;
    return changeOpened(opened.value, () => ok(replacing(read.value, `import ${path}`, `Imported ${path}`, undo)));
  },
  show: showWhole,
});

async function readText(path: string): Promise<Result<string>> {
  try {
    return ok(await readListFile(path));
  } catch (error) {
    return fail({ code: "refused", message: `${path} cannot be read: ${(error as Error).message}.` });
  }
}

function replacing(phases: readonly NewPhase[], action: string, done: string, next?: string): Change {
  const total = phases.reduce((count, { todos }) => count + todos.length, 0);
  const said = (diff: ListDiff) => [`${done}: ${diffText(diff, total)}.`, next ?? ""].join(" ").trim();
  return { command: { type: "replace", phases }, action, said, already: "Nothing has changed: the list is just so." };
}

function diffText({ added, removed, renamed, moved }: ListDiff, total: number): string {
  const changed = new Set([...renamed, ...moved].map(({ todo }) => todo.number)).size;
  const parts = [
    [added.length, "new"],
    [changed, "changed"],
    [removed.length, "removed"],
  ] as const;
  const told = parts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  return [counted(total), ...told].join(", ");
}
