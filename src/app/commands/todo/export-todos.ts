import { resolve } from "node:path";
import * as z from "zod";
import { fail } from "../../../core/result.js";
import { terminalLines } from "../../../core/text/terminal-text.js";
import { todosOf } from "../../../core/todo/list.js";
import { defineCommand } from "../../command.js";
import { showChange } from "../../terminal/todo-rows.js";
import { LIST_FILE, listMarkdown, writeListFile } from "../../todo/list-file.js";
import { WHOSE } from "../../todo/list-place.js";
import { counted } from "../../todo/list-report.js";
import { listNow, openList, reportOn } from "../../todo/opened-list.js";

export const exportTodos = defineCommand({
  details: `Writes the list as markdown (default: TODO.md), for milepost todo import to read again. A file that is there
is only written over when it is a list, too; with --force whatever it is.

Examples:
  milepost todo export
  milepost todo export plans/release.md`,
  words: ["file"],
  input: z.object({
    file: z.string().min(1).default(LIST_FILE).describe("where to"),
    force: z.boolean().default(false).describe("also over a file that is no list"),
    ...WHOSE,
  }),
  async run(context, { file, force, ...whose }) {
    const opened = await openList(context, whose, "read");
    if (!opened.ok) return opened;
    const list = await listNow(opened.value);
    const count = todosOf(list).length;
    if (count === 0) return fail({ code: "refused", message: "There is no todo to export. No file was written." });
    const path = resolve(context.folder, file);
    try {
      await writeListFile(path, listMarkdown(list), force);
    } catch (error) {
      return fail({ code: "refused", message: `${path} was not written: ${(error as Error).message}.` });
    }
    return reportOn(opened.value, { said: `Wrote ${counted(count)} to ${path}`, changed: false, list });
  },
  show: showChange,
});

export const copyTodos = defineCommand({
  details: `Copies the list as markdown to the clipboard. Where nobody sits at a terminal, it is printed instead, safe
to look at; milepost todo export is exact to the character.

Example:
  milepost todo copy | grep -c '\\[x\\]'`,
  input: z.object({ ...WHOSE }),
  async run(context, whose) {
    const opened = await openList(context, whose, "read");
    if (!opened.ok) return opened;
    const list = await listNow(opened.value);
    const markdown = listMarkdown(list);
    const { copyText } = context;
    if (!copyText) return reportOn(opened.value, { said: markdown.trimEnd(), changed: false, list });
    if (!(await copyText(markdown))) {
      const message = "There is no clipboard here: none of pbcopy, wl-copy, xclip, xsel and clip works.";
      return fail({ code: "refused", message: `${message} Instead: ${opened.value.hint("todo export")}` });
    }
    const said = `Copied ${counted(todosOf(list).length)} as markdown to the clipboard.`;
    return reportOn(opened.value, { said, changed: false, list, copied: true });
  },
  // Printed, it is for another program: the list and nothing else.
  show: (report, output, given) =>
    report.copied ? showChange(report, output, given) : `${terminalLines(report.said).join("\n")}\n`,
});
