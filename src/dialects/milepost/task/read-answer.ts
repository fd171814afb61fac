import { fail, ok, type Result } from "../../../core/result.js";
import type { StandingTask, TaskQuery } from "../../../core/task/query.js";
import type { Said, Task } from "../../../core/task/task.js";
import { promptText } from "../../../core/text/prompt-text.js";
import type { Steps, TaskBoard } from "../../task-dialect.js";
import { heldTasks, noSuchTask, resolveOne } from "./named-tasks.js";
import type { Reading } from "./read-request.js";
import {
  ANSWER_MAX,
  bounded,
  cancelNotice,
  nameOf,
  numbered,
  quotedLines,
  rowOf,
  sizeOf,
  title,
  titled,
} from "./task-answer.js";

const PAGE = 20;
/** Bytes for the line that names the next page. */
const MORE_MAX = 400;
/** Bytes for the lines before the description. */
const ABOUT_MAX = 1800;
const SUBJECT_SHOWN = 400;
const MOST_HELD_SHOWN = 10;

export function* overview(board: TaskBoard): Steps<readonly string[]> {
  const held = yield* heldTasks(board);
  const ready = yield* board.count({ isReady: true });
  const open = yield* board.count({ isOpen: true });
  const counts = `${ready} ready, ${open} open.`;
  const [first] = held;
  if (!first) return [yield* nothingHeld(board, open, counts)];
  const notices = held.flatMap((task) => cancelNotice(task, board.owner)).slice(0, MOST_HELD_SHOWN);
  if (held.length === 1) return [`${counts} You hold ${heldText(first)}`, ...notices];
  const rest = held.length > MOST_HELD_SHOWN ? [`${held.length - MOST_HELD_SHOWN} more: {"list":"mine"}`] : [];
  return [`${counts} You hold ${held.length}:`, ...held.slice(0, MOST_HELD_SHOWN).map(heldText), ...rest, ...notices];
}

function heldText(task: Task): string {
  const progress = task.lease?.progress;
  return `${titled(task)}${progress === undefined ? "" : ` (${promptText(progress, 100)})`}`;
}

function* nothingHeld(board: TaskBoard, open: number, counts: string): Steps<string> {
  if (open === 0) return 'Nothing is open; {"add":["first task","second task"]} adds tasks.';
  const [next] = yield* board.list({ isReady: true, limit: 1 });
  return `You hold nothing. ${counts}${next ? ` {"claim":-1} takes the best: ${titled(next.task)}` : ""}`;
}

/** `used`: bytes of the answer so far. */
export function* readTasks(board: TaskBoard, reading: Reading, used: number): Steps<Result<readonly string[]>> {
  const room = ANSWER_MAX - MORE_MAX - used;
  if (reading.type === "list") return ok(yield* listPage(board, reading, room));
  const number = yield* resolveOne(board, reading.task);
  if (!number.ok) return number;
  const found = yield* board.find(number.value);
  return found ? ok(fullTask(found, board, reading.from, room)) : fail(noSuchTask(number.value));
}

const QUERIES: Readonly<Record<string, TaskQuery>> = {
  ready: { isReady: true },
  open: { isOpen: true },
  blocked: { isBlocked: true },
  waiting: { isWaiting: true },
  stale: { isStale: true },
  done: { status: ["completed"] },
  completed: { status: ["completed"] },
  failed: { status: ["failed"] },
  cancelled: { status: ["cancelled"] },
  all: {},
};

function queryOf(which: string, { owner }: TaskBoard): TaskQuery {
  const word = which.toLowerCase();
  if (word === "mine") return { owner, isOpen: true };
  if (Object.hasOwn(QUERIES, word)) return QUERIES[word] ?? {};
  const [, label] = /^label:\s*(.+)$/i.exec(which) ?? [];
  if (label !== undefined) return { label };
  const [, parent] = /^parent:\s*#?(\d{1,15})$/i.exec(which) ?? [];
  return parent === undefined ? { search: which } : { parent: Number(parent) };
}

/** One page. It begins at a number; for ready tasks, which are sorted by priority, at a position. */
function* listPage(
  board: TaskBoard,
  { which, from }: Extract<Reading, { type: "list" }>,
  room: number,
): Steps<readonly string[]> {
  const query = queryOf(which, board);
  const isPlace = query.isReady === true;
  const before = Math.min(from, MOST_PLACES) - 1;
  const found = yield* board.list(
    isPlace ? { ...query, limit: before + PAGE + 1 } : { ...query, after: from - 1, limit: PAGE + 1 },
  );
  const tasks = isPlace ? found.slice(before) : found;
  const rows = fittingRows(tasks.slice(0, PAGE), board, room);
  const next = tasks[rows.length];
  if (tasks.length === 0) return [nothingFound(which, from)];
  if (!next) return rows;
  const at = isPlace ? before + rows.length + 1 : next.task.number;
  return [...rows, `More: {"list":${JSON.stringify(promptText(which))},"from":${at}}`];
}

const MOST_PLACES = 100_000;

function fittingRows(tasks: readonly StandingTask[], board: TaskBoard, room: number): readonly string[] {
  const rows: string[] = [];
  for (const task of tasks) {
    rows.push(rowOf(task, board));
    if (sizeOf(rows) > room) return rows.slice(0, -1);
  }
  return rows;
}

function nothingFound(which: string, from: number): string {
  const place = from > 1 ? ` from ${from} on` : "";
  return `No task is in the list "${promptText(which, 60).replaceAll('"', "'")}"${place}. {"list":"open"} shows what is to be done.`;
}

/** Short facts first, then as much of the description as fits. */
function fullTask(found: StandingTask, board: TaskBoard, from: number, room: number): readonly string[] {
  const { task } = found;
  const subject = promptText(task.subject, SUBJECT_SHOWN);
  const about = [
    // The row has only its beginning.
    ...(title(task) === subject ? [] : [`Subject: ${subject}`]),
    ...facts(found, board),
    ...said("Evidence", task.evidence, 2),
    ...said("Notes", task.notes, 5),
  ];
  // Only on the first page.
  const head = bounded([rowOf(found, board), ...(from > 1 ? [] : about)], Math.min(room, ABOUT_MAX));
  return [...head, ...description(task, from, room - sizeOf(head))];
}

function facts({ task, standing }: StandingTask, { owner }: TaskBoard): readonly string[] {
  const { parent, blockedBy, blocks, labels, failures, maxAttempts, reason, payload, lease } = task;
  const over = blockedBy.filter((number) => !standing.blockedBy.includes(number));
  const parts = [
    parent === undefined ? "" : `Part of #${parent}.`,
    standing.blockedBy.length === 0 ? "" : `Blocked by ${numbered(standing.blockedBy)}.`,
    over.length === 0 ? "" : `After ${numbered(over)}.`,
    blocks.length === 0 ? "" : `Before ${numbered(blocks)}.`,
    labels.length === 0 ? "" : `Labels: ${promptText(labels.join(", "), 100)}.`,
    failures === 0 ? "" : `Failed ${failures} of ${maxAttempts} times.`,
    reason === undefined ? "" : `Reason: "${promptText(reason)}".`,
    payload === undefined ? "" : `Signal: ${promptText(JSON.stringify(payload) ?? "")}.`,
    lease?.progress === undefined ? "" : `Progress: "${promptText(lease.progress)}".`,
    ...cancelNotice(task, owner),
  ].filter(Boolean);
  return parts.length === 0 ? [] : [parts.join(" ")];
}

function said(what: string, texts: readonly Said[], most: number): readonly string[] {
  if (texts.length === 0) return [];
  const older = texts.length - most;
  const rows = texts
    .slice(-most)
    .map(({ text, by }) => `  ${by === undefined ? "" : `${nameOf(by)}: `}${promptText(text, 150)}`);
  return [`${what}${older > 0 ? ` (${older} older)` : ""}:`, ...rows];
}

/** The part that fits, and where the next one begins, in code points. */
function description({ number, description: text }: Task, from: number, room: number): readonly string[] {
  if (text === "") return [];
  const characters = [...text];
  if (from > characters.length) return [`The description has only ${characters.length} characters.`];
  for (let length = Math.min(2000, Math.max(room, 1)); length > 0; length = Math.floor(length / 2)) {
    const end = from - 1 + length;
    const part = characters.slice(from - 1, end).join("");
    const lines = quotedLines(part, Number.POSITIVE_INFINITY);
    if (sizeOf(lines) > room) continue;
    const next = end < characters.length ? [`More: {"show":${number},"from":${end + 1}}`] : [];
    return ["Description:", ...lines, ...next];
  }
  return [`Description: {"show":${number}}`];
}
