import { isObject, type JsonObject, textAt } from "../../core/json.js";
import { fileIdAt, idsAt, keptObject, NOT_JSON, omit, parseJson, wordsAt } from "../file-values.js";
import { fitIds } from "../fit-ids.js";
import { keptOf, ownMetadata, readStatus, statusWords, unreadFields, withKept, writeStatus } from "../foreign-words.js";
import { type FoundTask, settle, teller } from "../found-task.js";
import { CARRIED, carriedOf, restore } from "../lossless.js";
import { type PortableTask, travelling } from "../portable-task.js";
import type { Problem, ReadTasks, TaskFile, TaskFormat, WriteOptions, WrittenTasks } from "../task-format.js";

const NAME = "claude";
const TASK_FILE = /^(\d{1,15})\.json$/;
/** The highest number that was ever given: numbers of deleted tasks do not come again. */
const HIGH_WATER = ".highwatermark";

const STATUSES = statusWords(
  { pending: "pending", in_progress: "in_progress", completed: "completed" },
  { pending: "pending", in_progress: "in_progress", completed: "completed", failed: "pending", cancelled: "pending" },
);

const KNOWN = ["id", "subject", "description", "activeForm", "owner", "status", "blocks", "blockedBy", "metadata"];

/** A folder of Claude Code's tasks: one file each. */
export const claudeFolder: TaskFormat = {
  name: NAME,
  summary: "A folder of Claude Code's tasks: one N.json each",
  kind: "folder",
  isPart: (path) => path === HIGH_WATER || TASK_FILE.test(path),
  recognises: (files) =>
    files.some(({ path, text }) => path === HIGH_WATER || (TASK_FILE.test(nameOf(path)) && text.includes('"blocks"'))),
  read: readFolder,
  write: writeFolder,
  lastNumber: (files) => files.reduce((most, file) => Math.max(most, numberOf(file)), 0),
};

function numberOf({ path, text }: TaskFile): number {
  const [, number] = path === HIGH_WATER ? (/^\s*(\d{1,15})\s*$/.exec(text) ?? []) : (TASK_FILE.exec(path) ?? []);
  return Number(number ?? 0);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

interface ClaudeTask extends FoundTask {
  readonly blocks: readonly string[];
  readonly carried: unknown;
}

function readFolder(files: readonly TaskFile[]): ReadTasks {
  const problems: Problem[] = [];
  const found = files
    .flatMap((file) => ({ ...file, number: TASK_FILE.exec(nameOf(file.path))?.[1] }))
    .filter(({ number }) => number !== undefined)
    .sort((one, other) => Number(one.number) - Number(other.number))
    .flatMap(({ path, text, number = "" }) => readTask(path, parseJson(text), number, problems));
  return settle(withBothSides(found), problems);
}

function readTask(path: string, value: unknown, number: string, problems: Problem[]): readonly ClaudeTask[] {
  const tell = teller(problems, path);
  if (!isObject(value)) {
    tell(value === undefined ? NOT_JSON : "Not a task: it is not a JSON object.");
    return [];
  }
  const metadata = keptObject(value.metadata, tell);
  const carried = metadata[CARRIED];
  const { status, kept } = readStatus(STATUSES, wordOf(value.status, carried), tell);
  const rest = { ...unreadFields(value, KNOWN, tell), status: kept };
  const task = travelling({
    id: fileIdAt(value.id) ?? String(Number(number)),
    subject: wordsAt(value.subject) ?? "",
    description: textAt(value.description) ?? "",
    activeForm: wordsAt(value.activeForm),
    status,
    assignee: wordsAt(value.owner),
    blockedBy: idsAt(value.blockedBy),
    metadata: withKept(omit(metadata, CARRIED), NAME, rest),
  });
  return [{ where: path, task, blocks: idsAt(value.blocks), carried }];
}

/** Claude Code reads no file with another word than its three, so others are carried beside the one that is nearest. */
const WORD = "statusWord";

function wordOf(status: unknown, carried: unknown): unknown {
  const word = isObject(carried) ? carried[WORD] : undefined;
  return isObject(word) && typeof word.is === "string" && word.shown === status ? word.is : status;
}

function carriedWord({ status, metadata }: PortableTask): JsonObject {
  const { status: kept } = keptOf(metadata, NAME);
  const shown = STATUSES.writes[status];
  return writeStatus(STATUSES, status, kept) === shown ? {} : { [WORD]: { shown, is: kept } };
}

/** An edge stands in both files; one that was lost on one side is still an edge. */
function withBothSides(found: readonly ClaudeTask[]): readonly FoundTask[] {
  const blockers = new Map<string, string[]>();
  for (const { task, blocks } of found) {
    for (const blocked of blocks) {
      const known = blockers.get(blocked);
      if (known) known.push(task.id);
      else blockers.set(blocked, [task.id]);
    }
  }
  return found.map(({ where, task, carried }) => {
    const blockedBy = [...new Set([...task.blockedBy, ...(blockers.get(task.id) ?? [])])];
    return { where, task: restore({ ...task, blockedBy }, carried, NAME) };
  });
}

function writeFolder(tasks: readonly PortableTask[], { lastNumber = 0 }: WriteOptions = {}): WrittenTasks {
  const fitted = fitIds(tasks, { fits: (id) => /^[1-9]\d{0,14}$/.test(id), make: String, after: lastNumber });
  const gone = new Set(fitted.tasks.filter(({ status }) => status === "cancelled").map(({ id }) => id));
  const written = fitted.tasks.filter(({ id }) => !gone.has(id)).map((task) => withoutGone(task, gone));
  const plain = render(written, new Map());
  const shown = new Map(readFolder(plain).tasks.map((task) => [task.id, task]));
  const carried = new Map(
    written.map((task) => [task.id, { ...carriedOf(task, shown.get(task.id), NAME), ...carriedWord(task) }]),
  );
  const highest = fitted.tasks.reduce((most, { id }) => Math.max(most, Number(id)), lastNumber);
  const left = [...gone].map((id) => ({
    where: `task ${id}`,
    message: "Claude Code has no cancelled tasks: it was not written.",
  }));
  return {
    files: [...render(written, carried), { path: HIGH_WATER, text: String(highest) }],
    problems: [...fitted.problems, ...left],
    leftOut: left.length,
  };
}

function withoutGone(task: PortableTask, gone: ReadonlySet<string>): PortableTask {
  const parent = task.parent !== undefined && gone.has(task.parent) ? undefined : task.parent;
  return { ...task, parent, blockedBy: task.blockedBy.filter((id) => !gone.has(id)) };
}

function render(tasks: readonly PortableTask[], carried: ReadonlyMap<string, JsonObject>): readonly TaskFile[] {
  const blocks = new Map<string, string[]>(tasks.map(({ id }) => [id, []]));
  for (const { id, blockedBy } of tasks) for (const blocker of blockedBy) blocks.get(blocker)?.push(id);
  return tasks.map((task) => {
    const record = toRecord(task, blocks.get(task.id) ?? [], carried.get(task.id) ?? {});
    return { path: `${task.id}.json`, text: JSON.stringify(record, undefined, 2) };
  });
}

function toRecord(task: PortableTask, blocks: readonly string[], carried: JsonObject): JsonObject {
  const kept = keptOf(task.metadata, NAME);
  const metadata = withKept(omit(ownMetadata(task.metadata, NAME), CARRIED), CARRIED, carried);
  return {
    id: task.id,
    subject: task.subject,
    description: task.description,
    activeForm: task.activeForm,
    owner: task.assignee,
    status: STATUSES.writes[task.status],
    blocks,
    blockedBy: task.blockedBy,
    metadata: Object.keys(metadata).length > 0 ? metadata : undefined,
    ...omit(kept, ...KNOWN),
  };
}
