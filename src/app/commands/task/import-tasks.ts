import { objectAt } from "../../../core/json.js";
import { type Failure, fail, ok, type Result } from "../../../core/result.js";
import { OUR_POLICY } from "../../../core/task/policy.js";
import { terminalText } from "../../../core/text/terminal-text.js";
import { excessOf, excessText, fitValue } from "../../../core/value-limits.js";
import type { PortableTask } from "../../../task-files/portable-task.js";
import type { Problem, ReadTasks, TaskFormat } from "../../../task-files/task-format.js";
import { findTaskFormat, recogniseTasks, TASK_FORMATS } from "../../../task-files/task-formats.js";
import { defineCommand } from "../../command-definition.js";
import { choice, needed, text, toggle } from "../../fields.js";
import { type ImportedTask, importTasks } from "../../tasks/import/apply-import.js";
import { inOrder } from "../../tasks/import/import-order.js";
import { knownPlace } from "../../tasks/import/known-folders.js";
import { type FoundFiles, readTaskFiles } from "../../tasks/import/read-task-files.js";
import { WHO } from "./task-flags.js";
import { placeOf } from "./write-task.js";

const FORMATS = TASK_FORMATS.map(({ name }) => name);

export const importTaskFile = defineCommand({
  details: `Imports tasks from a file or a folder in one of these formats:
${TASK_FORMATS.map(({ name, summary }) => `  ${name.padEnd(12)} ${summary}`).join("\n")}

Run again, it updates the tasks instead of adding them twice. Tasks that are closed here stay closed, and notes are only
added. PATH can also be a project folder with .beads, .taskmaster or backlog in it. Entries that cannot be read are
listed with their place; all others are imported. The file itself is not changed.`,
  examples: ["milepost task import PLAN.md --dry-run", "milepost task import ~/.claude/tasks/my-list"],
  words: ["path"],
  input: {
    path: needed(text("PATH", "a file or a folder")),
    format: choice(["auto", ...FORMATS], "input format", "auto"),
    dryRun: toggle("dry run: only show what would change"),
    list: WHO.list,
    as: WHO.as,
  },
  async run(context, input) {
    const place = placeOf(context, input, undefined);
    if (!place.ok) return place;
    const read = readTasks(input.path, input.format);
    if (!read.ok) return read;
    const { format, tasks, problems, home } = read.value;
    const ordered = inOrder(tasks);
    const { store } = await context.open(input.dryRun ? "read" : "write");
    const done = await importTasks(
      store,
      { ...place.value, policy: IMPORT_POLICY },
      {
        format: format.name,
        tasks: ordered.tasks,
        highest: home?.list === place.value.list ? home.highest : undefined,
        isDry: input.dryRun,
        progress: (count) => context.progress(`Imported ${count} of ${tasks.length} tasks`),
      },
    );
    if (!done.ok) return done;
    return ok<ImportReport>({
      format: format.name,
      path: input.path,
      list: place.value.list,
      dryRun: input.dryRun,
      counts: countsOf(done.value.tasks),
      tasks: done.value.tasks.map(({ task, id, ...one }) => ({
        id: task === null ? null : String(task),
        source: id,
        ...one,
      })),
      problems: [...problems, ...ordered.problems, ...done.value.problems],
    });
  },
  show: (report) => shownRows(report).join("\n").concat("\n"),
  verdict: ({ problems, dryRun }) =>
    problems.length > 0 && !dryRun
      ? {
          code: "not-all-imported",
          message:
            problems.length === 1
              ? "1 problem, listed above; everything else was imported."
              : `${problems.length} problems, listed above; everything else was imported.`,
        }
      : undefined,
});

/** Imported tasks may hold more than a model should write: as much as a value may have. */
const IMPORT_POLICY = { ...OUR_POLICY, limits: { ...OUR_POLICY.limits, metadata: null } };

interface ImportReport {
  readonly format: string;
  readonly path: string;
  readonly list: string;
  readonly dryRun: boolean;
  readonly counts: Readonly<Record<ImportedTask["done"], number>>;
  readonly tasks: readonly (Omit<ImportedTask, "id" | "task"> & {
    readonly id: string | null;
    readonly source: string;
  })[];
  readonly problems: readonly Problem[];
}

function readTasks(path: string, name: string): Result<ReadTasks & { readonly format: TaskFormat }> {
  const asked = findTaskFormat(name);
  const found = readTaskFiles(path, asked);
  if (!found.ok) return found;
  const isHere = found.value.kind === "file" || asked?.kind === "folder";
  const format = isHere && asked ? asked : recogniseTasks(found.value.files);
  if (format) return ok(readAs(format, found.value));
  const inside = found.value.kind === "folder" ? knownPlace(path, asked) : ok(undefined);
  if (!inside.ok) return inside;
  return inside.value
    ? readTasks(inside.value.path, inside.value.format)
    : fail(unknownFormat(path, found.value, asked));
}

function readAs(format: TaskFormat, { files, problems }: FoundFiles): ReadTasks & { readonly format: TaskFormat } {
  const read = format.read(files);
  const cut: Problem[] = [];
  const tasks = read.tasks.map((task) => fitMetadata(task, (problem) => cut.push(problem)));
  return { ...read, tasks, format, problems: [...problems, ...read.problems, ...cut] };
}

/** A task is worth more than what another tool has hung on it. */
function fitMetadata(task: PortableTask, tell: (problem: Problem) => void): PortableTask {
  const excess = excessOf(task.metadata);
  if (!excess) return task;
  tell({
    where: `task ${task.id}`,
    message: `${excessText("metadata", excess)} Parts of it were left out and marked.`,
  });
  return { ...task, metadata: objectAt(fitValue(task.metadata)) };
}

function unknownFormat(path: string, { files, problems }: FoundFiles, asked: TaskFormat | undefined): Failure {
  if (asked) return { code: "bad-usage", message: `${path} is a folder. Pass the ${asked.name} file in it.` };
  const [problem] = problems;
  const why = problem
    ? `${problem.where}: ${problem.message}`
    : files.length === 0
      ? "It has no known task file."
      : undefined;
  const known = `Pass --format with one of ${FORMATS.join(", ")}.`;
  const message = [`The format of ${path} is unknown.`, why, known].filter((part) => part !== undefined).join(" ");
  return { code: "unknown-format", message };
}

function countsOf(tasks: readonly ImportedTask[]): ImportReport["counts"] {
  const counts = { added: 0, changed: 0, unchanged: 0, refused: 0 };
  for (const { done } of tasks) counts[done] += 1;
  return counts;
}

const MOST_ROWS = 200;

function shownRows({ format, path, list, dryRun, counts, tasks, problems }: ImportReport): readonly string[] {
  if (tasks.length === 0 && problems.length === 0) return [`No tasks found in ${terminalText(path)}.`];
  const changes = tasks.filter(({ done }) => done !== "unchanged");
  const rows = changes.slice(0, MOST_ROWS).map(({ done, id, source, subject, fields }) => {
    const what = fields.length > 0 ? ` (${fields.join(", ")})` : "";
    const name = `${id === null ? "" : `#${id} `}${terminalText(subject)}`;
    return `${done.padEnd(8)} ${name}${what} from ${terminalText(source)}`;
  });
  const more = changes.length > MOST_ROWS ? [`... and ${changes.length - MOST_ROWS} more`] : [];
  const said = problems.map(({ where, message }) => `problem  ${terminalText(where)}: ${terminalText(message)}`);
  const { added, changed, unchanged } = counts;
  const done = dryRun ? `Would add ${added}, change ${changed}` : `Added ${added}, changed ${changed}`;
  const sum = `${done}, ${unchanged} unchanged (${format}, list ${list}).`;
  return [...(dryRun ? [...rows, ...more] : []), ...said, sum];
}
