import { resolve } from "node:path";
import { fail, ok } from "../../../core/result.js";
import { redactValue } from "../../../core/secrets/redact-json.js";
import { screenText, terminalText } from "../../../core/text/terminal-text.js";
import type { Problem, TaskFile, TaskFormat } from "../../../task-files/task-format.js";
import { findTaskFormat, TASK_FORMATS } from "../../../task-files/task-formats.js";
import { type CommandContext, defineCommand } from "../../command-definition.js";
import { choice, text, toggle } from "../../fields.js";
import { escapeUnseen } from "../../json-lines.js";
import { idIn, toTravelling } from "../../tasks/import/portable-tasks.js";
import { readTaskFiles, writeTaskFiles } from "../../tasks/import/read-task-files.js";
import { readTasks } from "../../tasks/read-tasks.js";
import { findTasks } from "../../tasks/task-pages.js";
import { NUMBERS, numbersStream } from "../../tasks/task-views.js";
import { givenStore, nextStep, WHERE_FLAGS } from "../../terminal/next-step.js";
import { writeJson } from "../../terminal/task-list.js";
import { listOf, WHERE, type Where } from "./task-flags.js";

const FORMATS = TASK_FORMATS.map(({ name }) => name);

export const exportTaskFile = defineCommand({
  details: `Writes tasks in one of these formats:
${TASK_FORMATS.map(({ name, summary, kind }) => `  ${name.padEnd(12)} ${summary} (a ${kind})`).join("\n")}

A task that was imported from the same format keeps the id it had there. A markdown file has task numbers and the name
of its list, so you can edit it and import it again. Without PATH a file format goes to standard output.
Existing files are not overwritten; with --force they are renamed first.`,
  examples: ["milepost task export TASKS.md --format markdown"],
  words: ["path"],
  input: {
    path: text("PATH", "output file or folder"),
    format: choice(FORMATS, "output format", "markdown"),
    open: toggle("only open tasks"),
    force: toggle("rename existing files, then write"),
    ...WHERE,
  },
  async run(context, { path, format: name, open, force, ...where }) {
    const list = listOf(context, where);
    if (!list.ok) return list;
    const format = findTaskFormat(name);
    if (!format) throw new Error(`A format without a table row: ${name}`);
    if (path === undefined && format.kind === "folder")
      return fail({
        code: "bad-usage",
        message: `This format is a folder of files. Name one: ${folderStep(context, name, where)}`,
      });
    const { store } = await context.open("read");
    const query = open ? { isOpen: true } : {};
    if (path === undefined && name === "json") {
      await writeJson(context.output, list.value, readTasks(store, list.value, query));
      return ok(undefined);
    }
    const tasks = (await store.look((look) => findTasks(look, list.value, query))).map(({ task }) => task);
    const ids = new Map(format.hasHome ? [] : tasks.map((task) => [task.number, idIn(name, task)]));
    const nameOf = (number: number) => ids.get(number) ?? String(number);
    const { last } = await store.view(NUMBERS, numbersStream(list.value));
    const lastNumber = Math.max(last, path === undefined ? 0 : lastNumberAt(resolve(context.folder, path), format));
    const travelling = tasks.map((task) => redactValue(toTravelling(task, nameOf)));
    const { files, problems, leftOut = 0 } = format.write(travelling, { lastNumber, list: list.value });
    if (path === undefined) {
      for (const file of files) await context.output.write(context.output.isTerminal ? shownFile(file) : file.text);
      for (const problem of problems) await context.notice(shownProblem(problem));
      return ok(undefined);
    }
    const place = resolve(context.folder, path);
    const written = writeTaskFiles(place, files, { kind: format.kind, isForced: force, now: Date.now() });
    if (!written.ok) return written;
    const count = tasks.length - leftOut;
    return ok({ format: name, path, tasks: count, files: files.length, kept: written.value, problems });
  },
  show: (exported) => {
    // Already written to standard output.
    if (!exported) return "";
    const { path, tasks, kept, problems } = exported;
    const beside =
      kept.length > 0 ? ` Existing files were renamed: ${kept.map((name) => terminalText(name)).join(", ")}.` : "";
    return [
      ...problems.map(shownProblem),
      `Wrote ${tasks} ${tasks === 1 ? "task" : "tasks"} to ${terminalText(path)}.${beside}`,
      "",
    ].join("\n");
  },
});

function folderStep(context: CommandContext, format: string, { list }: Where): string {
  return nextStep(`task export tasks --format ${format}`, { list, store: givenStore(context) }, WHERE_FLAGS);
}

/** A terminal would obey what a task's text says. Into a pipe the format is exact. */
function shownFile({ path, text }: TaskFile): string {
  return /\.jsonl?$/.test(path) ? escapeUnseen(text) : screenText(text);
}

/** Numbers in existing files must not be reused there either. */
function lastNumberAt(path: string, format: TaskFormat): number {
  const found = format.lastNumber ? readTaskFiles(path, format) : undefined;
  return found?.ok ? (format.lastNumber?.(found.value.files) ?? 0) : 0;
}

function shownProblem({ where, message }: Problem): string {
  return `problem  ${terminalText(where)}: ${terminalText(message)}`;
}
