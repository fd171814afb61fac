import { withoutMark } from "../file-values.js";
import { readStatus, withKept } from "../foreign-words.js";
import { type FoundTask, settle, teller } from "../found-task.js";
import { type PortableTask, travelling } from "../portable-task.js";
import { linesIn } from "../sections.js";
import type { HomeList, Problem, ReadTasks, TaskFile, TaskFormat } from "../task-format.js";
import { hasItem } from "./checklist-lines.js";
import { MARKDOWN, MARKS } from "./item.js";
import { descriptionOf, type ReadItem, readItems } from "./read-checklist.js";
import { writeChecklist } from "./write-checklist.js";

/** A list that people write by hand. */
export const markdownChecklist: TaskFormat = {
  name: MARKDOWN,
  summary: "A Markdown checklist, with dependencies",
  kind: "file",
  recognises: ([file]) =>
    file !== undefined && (/\.(?:md|markdown|txt)$/i.test(file.path) || hasItem(withoutMark(file.text))),
  hasHome: true,
  read: readChecklist,
  write: writeChecklist,
};

function readChecklist(files: readonly TaskFile[]): ReadTasks {
  const problems: Problem[] = [];
  const all = files.map(({ text }) => linesIn(withoutMark(text)));
  const found = all.flatMap((lines) => {
    const items = readItems(lines);
    const ids = idsOf(items);
    return items.flatMap((item) => {
      if (!isBlank(item)) return [toTask(item, ids, problems)];
      problems.push({ where: `line ${item.line}`, message: "This checkbox has no text; it was skipped." });
      return [];
    });
  });
  const [first] = all;
  return { ...settle(found, problems), home: first && readHome(first) };
}

function isBlank(item: ReadItem): boolean {
  return item.subject.trim() === "" && item.id === undefined && descriptionOf(item) === "";
}

/** What stands below an empty box stands below what that stands below. */
function parentOf({ above }: ReadItem): ReadItem | undefined {
  return above && isBlank(above) ? parentOf(above) : above;
}

function toTask(item: ReadItem, ids: ReadonlyMap<ReadItem, string>, problems: Problem[]): FoundTask {
  const where = `line ${item.line}`;
  const { status, kept } = readStatus(MARKS, item.mark === "X" ? "x" : item.mark, teller(problems, where));
  const { section } = item;
  const above = parentOf(item);
  const task = travelling({
    id: ids.get(item) ?? "",
    subject: item.subject.toWellFormed(),
    description: descriptionOf(item),
    status,
    priority: item.priority,
    labels: [...new Set([...(section ? [section] : []), ...item.labels])],
    assignee: item.assignee,
    parent: item.parent ?? (above && ids.get(above)),
    blockedBy: item.blockedBy,
    metadata: withKept({}, MARKDOWN, { mark: kept }),
  });
  return { where, task };
}

/** Its own id, else its number where that is nobody else's, else one made of what it says. */
function idsOf(items: readonly ReadItem[]): ReadonlyMap<ReadItem, string> {
  const named = new Set(items.map(({ id }) => id));
  const numbers = new Map<string, number>();
  for (const { id, number } of items) {
    if (id === undefined && number !== undefined) numbers.set(number, (numbers.get(number) ?? 0) + 1);
  }
  const ids = new Map<ReadItem, string>();
  for (const item of items) {
    const { id, number, above, subject } = item;
    const isOnly = number !== undefined && numbers.get(number) === 1 && !named.has(number);
    const made = `~${fingerprint(`${above ? ids.get(above) : ""}\n${subject}`)}`;
    ids.set(item, id ?? (isOnly ? number : made));
  }
  return ids;
}

/** The same for the same words, wherever in the file they stand: so that a list can be read in again. */
function fingerprint(text: string): string {
  let low = 0x811c9dc5;
  let high = 0x01000193;
  for (let at = 0; at < text.length; at += 1) {
    low = Math.imul(low ^ text.charCodeAt(at), 0x01000193);
    high = Math.imul(high ^ text.charCodeAt(at), 0x85ebca6b);
  }
  return [low, high].map((half) => (half >>> 0).toString(16).padStart(8, "0")).join("");
}

const HOME = /^[ \t]*<!-- milepost: (\S{1,200}) (\d{1,15}) -->[ \t]*$/;
const NUMBER = /^[1-9]\d{0,14}$/;

/** The first line of a file that was written from a list. People who edit it do not see it where Markdown is shown. */
export function writeHome(list: string, tasks: readonly PortableTask[]): string {
  const highest = tasks.reduce((most, { id }) => (NUMBER.test(id) ? Math.max(most, Number(id)) : most), 0);
  return `<!-- milepost: ${list} ${highest} -->`;
}

function readHome(lines: readonly string[]): HomeList | undefined {
  const first = lines.find((line) => line.trim() !== "")?.slice(0, 300) ?? "";
  const [, list, highest] = HOME.exec(first) ?? [];
  return list === undefined ? undefined : { list, highest: Number(highest) };
}
