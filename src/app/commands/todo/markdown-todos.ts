import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { fail, ok } from "../../../core/result.js";
import { counted } from "../../../core/text/length.js";
import { terminalLines } from "../../../core/text/terminal-text.js";
import type { NewPhase } from "../../../core/todo/command.js";
import { todosOf } from "../../../core/todo/list.js";
import type { ListDiff } from "../../../core/todo/list-diff.js";
import { defineCommand } from "../../command-definition.js";
import { text, toggle } from "../../fields.js";
import { showChange, showWhole } from "../../terminal/todo-rows.js";
import { editedText, isSameList, LIST_FILE, NO_CLIPBOARD, readListFile, writeListFile } from "../../todo/list-file.js";
import { listMarkdown, readMarkdown } from "../../todo/list-markdown.js";
import { WHOSE } from "../../todo/list-place.js";
import { type Change, changeOpened, listNow, openList, ownedByClient, reportOn } from "../../todo/person-edit.js";
import { LISTS } from "../../views.js";

// Verbs on the list as markdown: in an editor, in a file, on the clipboard.

const FORM = `Markdown: # Phase, - [ ] pending, - [/] in progress, - [x] completed, - [-] cancelled, and "  > " before
each line of a note. Todos whose text stays keep their numbers. A text that is not all of this is refused as a whole.`;

const EXAMPLE = "# Todos\n- [ ] (write your todos here, one a line)\n";

export const editTodos = defineCommand({
  details: `Opens the list as markdown in $VISUAL or $EDITOR (without either: vi) and takes what you save. If a
line cannot be read, or the agent has written the list meanwhile, what you typed stays in a file whose name is printed.
${FORM}`,
  examples: ["EDITOR=nano milepost todo edit"],
  input: { ...WHOSE },
  async run(context, whose) {
    const found = await openList(context, whose, "write");
    if (!found.ok) return found;
    const opened = found.value;
    if (opened.place.shown) return fail(ownedByClient(opened));
    const { hint, store, place } = opened;
    if (!context.editText) {
      const instead = `Use ${hint("todo export")}, and then ${hint("todo import")}`;
      return fail("refused", `An editor needs a terminal. ${instead}`);
    }
    const before = await store.view(LISTS, place.stream);
    const list = await listNow(opened);
    const edited = await editedText(context.editText, list.phases.length === 0 ? EXAMPLE : listMarkdown(list));
    if (!edited.ok) return edited;
    const { value } = edited;
    if (!value) return reportOn(opened, { said: UNSAVED, changed: false, list });
    const done = await changeOpened(opened, (_, kept) => {
      if (!isSameList(before, kept)) return fail("changed", CHANGED);
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

export const importTodos = defineCommand({
  details: `Replaces the list by the one in a file (default: TODO.md), and says what that changed. milepost todo undo
brings the old one back.
${FORM}`,
  examples: ["milepost todo import", "milepost todo import plans/release.md"],
  words: ["file"],
  input: { file: text("FILE", "a file of markdown", { standard: LIST_FILE }), ...WHOSE },
  async run(context, { file, ...whose }) {
    const opened = await openList(context, whose, "write");
    if (!opened.ok) return opened;
    const path = resolve(context.folder, file);
    const text = await readListFile(path);
    if (!text.ok)
      return fail("no-file", existsSync(path) ? `${path} cannot be read: ${text.error}.` : `There is no file ${path}.`);
    const read = readMarkdown(text.value, path);
    if (!read.ok) return read;
    const undo = ` To go back: ${opened.value.hint("todo undo")}`;
    return changeOpened(opened.value, () => ok(replacing(read.value, `import ${path}`, `Imported ${path}`, undo)));
  },
  show: showWhole,
});

function replacing(phases: readonly NewPhase[], action: string, done: string, next = ""): Change {
  const total = phases.reduce((count, { todos }) => count + todos.length, 0);
  const said = (diff: ListDiff) => `${done}: ${diffText(diff, total)}.${next}`;
  return { command: { type: "replace", phases }, action, said, already: "Nothing has changed: the list is just so." };
}

function diffText({ added, removed, renamed, moved }: ListDiff, total: number): string {
  const changed = new Set([...renamed, ...moved].map(({ todo }) => todo.number)).size;
  const counts = Object.entries({ new: added.length, changed, removed: removed.length });
  const told = counts.filter(([, count]) => count > 0).map(([word, count]) => `${count} ${word}`);
  return [counted(total, "todo"), ...told].join(", ");
}

export const exportTodos = defineCommand({
  details: `Writes the list as markdown (default: TODO.md), for milepost todo import to read again. A file that is there
is only written over when it is a list, too; with --force whatever it is.`,
  examples: ["milepost todo export", "milepost todo export plans/release.md"],
  words: ["file"],
  input: {
    file: text("FILE", "where to", { standard: LIST_FILE }),
    force: toggle("also over a file that is no list"),
    ...WHOSE,
  },
  async run(context, { file, force, ...whose }) {
    const opened = await openList(context, whose, "read");
    if (!opened.ok) return opened;
    const list = await listNow(opened.value);
    const count = todosOf(list).length;
    if (count === 0) return fail("refused", "There is no todo to export. No file was written.");
    const path = resolve(context.folder, file);
    const written = await writeListFile(path, listMarkdown(list), { force, makeFolder: true });
    if (!written.ok) {
      const isThere = !force && existsSync(path);
      return fail(isThere ? "file-exists" : "no-file", `${path} was not written: ${written.error}.`);
    }
    return reportOn(opened.value, { said: `Wrote ${counted(count, "todo")} to ${path}`, changed: false, list });
  },
  show: showChange,
});

export const copyTodos = defineCommand({
  details: `Copies the list as markdown to the clipboard. Where nobody sits at a terminal, it is printed instead, safe
to look at; milepost todo export is exact to the character.`,
  examples: ["milepost todo copy | grep -c '\\[x\\]'"],
  input: { ...WHOSE },
  async run(context, whose) {
    const opened = await openList(context, whose, "read");
    if (!opened.ok) return opened;
    const list = await listNow(opened.value);
    const markdown = listMarkdown(list);
    if (!context.copyText) return reportOn(opened.value, { said: markdown.trimEnd(), changed: false, list });
    if (!(await context.copyText(markdown)))
      return fail("refused", `${NO_CLIPBOARD} Instead: ${opened.value.hint("todo export")}`);
    const said = `Copied ${counted(todosOf(list).length, "todo")} as markdown to the clipboard.`;
    return reportOn(opened.value, { said, changed: false, list, copied: true });
  },
  // Printed, it is for another program: the list and nothing else.
  show: (report, output, given) =>
    report.copied ? showChange(report, output, given) : `${terminalLines(report.said).join("\n")}\n`,
});
