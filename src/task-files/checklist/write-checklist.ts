import { fitIds } from "../fit-ids.js";
import { keptOf, ownMetadata, writeStatus } from "../foreign-words.js";
import type { PortableTask } from "../portable-task.js";
import { linesIn, withoutBlankEnds } from "../sections.js";
import type { Problem, WriteOptions, WrittenTasks } from "../task-format.js";
import { escapeLine, headingOf, oneLine } from "./checklist-lines.js";
import { fencedLines } from "./code-fences.js";
import { isChecklistId, MARKDOWN, MARKS, writeItem } from "./item.js";
import { writeHome } from "./markdown-checklist.js";

/** Deeper than anybody can read; and the margins of a long chain of parents would fill a disk. */
const DEEPEST = 20;

/** A task at its place: nested, or on its own with a word about its parent. */
interface Placed {
  readonly task: PortableTask;
  readonly depth: number;
  readonly parent: string | undefined;
}

export function writeChecklist(tasks: readonly PortableTask[], { list }: WriteOptions = {}): WrittenTasks {
  const fitted = fitIds(tasks, { fits: isChecklistId, make: String });
  const placed = placeTasks(fitted.tasks);
  const hasHeadings = canHaveHeadings(placed);
  const lines = list === undefined ? [] : [writeHome(list, fitted.tasks), ""];
  let heading: string | undefined;
  for (const one of placed) {
    const own = hasHeadings && one.depth === 0 ? headingOf(one.task.labels[0]) : undefined;
    if (own !== undefined && own !== heading) lines.push(...((lines.at(-1) ?? "") === "" ? [] : [""]), own, "");
    heading = own ?? heading;
    lines.push(...linesOf(one, own === undefined ? one.task.labels : one.task.labels.slice(1)));
  }
  const text = lines.map((line) => `${line}\n`).join("");
  return { files: [{ path: "tasks.md", text }], problems: [...fitted.problems, ...whatIsLost(fitted.tasks)] };
}

/** Parents before their subtasks. Whoever cannot be reached so, in a circle or too deep, stands at the margin. */
function placeTasks(tasks: readonly PortableTask[]): readonly Placed[] {
  const subtasks = new Map<string, PortableTask[]>(tasks.map(({ id }) => [id, []]));
  for (const task of tasks) if (task.parent !== undefined) subtasks.get(task.parent)?.push(task);
  const placed: Placed[] = [];
  const met = new Set<string>();
  const later: PortableTask[] = [];
  const place = (task: PortableTask, depth: number) => {
    if (met.has(task.id)) return;
    met.add(task.id);
    placed.push({ task, depth, parent: depth === 0 ? task.parent : undefined });
    for (const subtask of subtasks.get(task.id) ?? []) {
      if (depth < DEEPEST) place(subtask, depth + 1);
      else later.push(subtask);
    }
  };
  for (const task of tasks) if (task.parent === undefined) place(task, 0);
  // The list grows while it is worked off.
  for (const task of later) place(task, 0);
  for (const task of tasks) place(task, 0);
  return placed;
}

/** A heading holds until the next one: a task without a section can only stand before them all. */
function canHaveHeadings(placed: readonly Placed[]): boolean {
  const tops = placed.filter(({ depth }) => depth === 0).map(({ task }) => headingOf(task.labels[0]) !== undefined);
  return !tops.includes(false, Math.max(0, tops.indexOf(true))) || !tops.includes(true);
}

function linesOf({ task, depth, parent }: Placed, labels: readonly string[]): readonly string[] {
  const margin = "  ".repeat(depth);
  const mark = writeStatus(MARKS, task.status, keptOf(task.metadata, MARKDOWN).mark);
  const subject = oneLine(task.subject);
  const said = withoutBlankEnds(linesIn(task.description));
  const below = said === "" ? [] : said.split("\n").map((line) => (line === "" ? "" : `${margin}  ${line}`));
  const fenced = fencedLines(below);
  return [
    `${margin}- [${mark}] ${writeItem({ ...task, subject, labels, parent })}`,
    ...below.map((line, index) => (fenced.has(index) ? line : escapeLine(line))),
  ];
}

/** Times and UUIDs nobody misses in a list; but what somebody wrote must not go without a word. */
function whatIsLost(tasks: readonly PortableTask[]): readonly Problem[] {
  const losses: readonly (readonly [string, (task: PortableTask) => boolean])[] = [
    ["notes", ({ notes }) => notes.length > 0],
    ["evidence", ({ evidence }) => evidence.length > 0],
    ["metadata", ({ metadata }) => Object.keys(ownMetadata(metadata, MARKDOWN)).length > 0],
    ["active forms", ({ activeForm }) => activeForm !== undefined],
    ["reasons", ({ reason }) => reason !== undefined],
  ];
  return losses.flatMap(([what, isLost]) => {
    const count = tasks.filter(isLost).length;
    const message = `A checklist cannot store the ${what} of ${count} ${count === 1 ? "task" : "tasks"}. The json format can.`;
    return count === 0 ? [] : [{ where: "all tasks", message }];
  });
}
