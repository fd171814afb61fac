import { isObject, type JsonObject, listAt, objectAt } from "../../core/json.js";
import type { Fact, SeenTask } from "../../core/session/observation.js";
import { statusAt } from "../whole-list.js";
import { boundedText as cut } from "./tool-results.js";

const MOST_TASKS = 10_000;

/** The tasks that Claude Code's own tools keep, as the calls and their answers tell them. */
export class ClaudeTasks {
  readonly #tasks: Map<string, SeenTask>;

  constructor(saved: readonly SeenTask[] = []) {
    this.#tasks = new Map(saved.map((task) => [task.id, task]));
  }

  save(): readonly SeenTask[] {
    return [...this.#tasks.values()];
  }

  /** `input`: from `askedAt`. `data`: what the tool returned beside its text; sub-agents' files do not have it. */
  answered(tool: string, input: JsonObject, text: string, data: JsonObject | undefined): readonly Fact[] {
    if (tool === "TaskCreate") return this.#created(input, text, data);
    if (tool === "TaskUpdate") return this.#updated(input, text, data);
    return tool === "TaskList" && Array.isArray(data?.tasks) ? this.#listed(data.tasks) : [];
  }

  #created(input: JsonObject, text: string, data: JsonObject | undefined): readonly Fact[] {
    const made = objectAt(data?.task);
    const id = taskId(made.id) ?? /^Task #(\d{1,9}) created successfully/.exec(text)?.[1];
    const subject = cut(made.subject) ?? cut(input.subject);
    if (id === undefined || subject === undefined || this.#tasks.size >= MOST_TASKS) return [];
    const task = { id, subject, status: "pending", blocks: [], blockedBy: [] } as const;
    return [this.#put({ ...task, ...textsAt(input, ["activeForm"]) })];
  }

  #updated(input: JsonObject, text: string, data: JsonObject | undefined): readonly Fact[] {
    const id = taskId(input.taskId);
    const isDone = data ? data.success === true : text.startsWith(`Updated task #${id} `);
    if (id === undefined || !isDone || this.#tasks.size >= MOST_TASKS) return [];
    if (input.status === "deleted") return this.#deleted(id);
    const status = statusAt(input.status);
    const known = this.#tasks.get(id);
    // A sub-agent works on tasks that its parent made: here only what it did to them is known.
    if (!known && status === undefined) return [];
    const task = known ?? { id, subject: "", status: "pending", blocks: [], blockedBy: [] };
    const texts = textsAt(input, ["subject", "activeForm", "owner"]);
    const changed = this.#put({ ...task, ...texts, status: status ?? task.status });
    return [changed, ...this.#linked(task.id, input)];
  }

  /** An edge is kept on both sides. An unknown end is reported as done, and not kept. */
  #linked(id: string, input: JsonObject): readonly Fact[] {
    const facts: Fact[] = [];
    const link = (blocker: string, blocked: string) => {
      const before = this.#tasks.get(blocker);
      if (!before || !this.#tasks.has(blocked)) return;
      facts.push(this.#put({ ...before, blocks: withId(before.blocks, blocked) }));
      const after = this.#tasks.get(blocked);
      if (after) facts.push(this.#put({ ...after, blockedBy: withId(after.blockedBy, blocker) }));
    };
    for (const other of idsAt(input.addBlocks)) link(id, other);
    for (const other of idsAt(input.addBlockedBy)) link(other, id);
    return facts;
  }

  #deleted(id: string): readonly Fact[] {
    this.#tasks.delete(id);
    const facts: Fact[] = [{ type: "task.deleted", id }];
    for (const task of this.#tasks.values()) {
      if (!task.blocks.includes(id) && !task.blockedBy.includes(id)) continue;
      const without = (ids: readonly string[]) => ids.filter((one) => one !== id);
      facts.push(this.#put({ ...task, blocks: without(task.blocks), blockedBy: without(task.blockedBy) }));
    }
    return facts;
  }

  /** Others may work on the same tasks; here they all are. It hides blockers that are completed. */
  #listed(rows: readonly unknown[]): readonly Fact[] {
    const listed = rows.filter(isObject).flatMap((row) => {
      const id = taskId(row.id);
      return id === undefined ? [] : [{ id, row }];
    });
    const ids = new Set(listed.map(({ id }) => id));
    const gone = [...this.#tasks.keys()].filter((id) => !ids.has(id)).flatMap((id) => this.#deleted(id));
    return [...gone, ...listed.flatMap(({ id, row }) => this.#seen(id, row))];
  }

  #seen(id: string, row: JsonObject): readonly Fact[] {
    const known = this.#tasks.get(id);
    const subject = cut(row.subject) ?? known?.subject;
    const status = statusAt(row.status) ?? known?.status;
    if (subject === undefined || status === undefined || this.#tasks.size >= MOST_TASKS) return [];
    const owner = cut(row.owner) ?? known?.owner;
    if (known && known.subject === subject && known.status === status && known.owner === owner) return [];
    const task = known ?? { id, blocks: [], blockedBy: idsAt(row.blockedBy) };
    return [this.#put({ ...task, subject, status, ...(owner && { owner }) })];
  }

  #put(task: SeenTask): Fact {
    this.#tasks.set(task.id, task);
    return { type: "task.changed", task };
  }
}

const ASKED_TEXTS = ["subject", "activeForm", "owner", "status", "taskId"];
const ASKED_IDS = ["addBlocks", "addBlockedBy"];
const MOST_ASKED = 1000;

/** What has to be known of a call until its answer comes: it is saved, so nothing else may be in it. */
export function askedAt(input: JsonObject): JsonObject {
  const texts = ASKED_TEXTS.flatMap((field) => {
    const text = typeof input[field] === "number" ? String(input[field]) : cut(input[field]);
    return text === undefined ? [] : [[field, text]];
  });
  const ids = ASKED_IDS.map((field) => [field, idsAt(input[field]).slice(0, MOST_ASKED)]);
  return Object.fromEntries([...texts, ...ids]);
}

/** A file of the tasks folder: one task. */
export function taskAt(value: unknown): SeenTask | undefined {
  const file = objectAt(value);
  const id = taskId(file.id);
  const subject = cut(file.subject);
  const status = statusAt(file.status);
  if (id === undefined || subject === undefined || status === undefined) return undefined;
  const texts = textsAt(file, ["activeForm", "owner"]);
  return { id, subject, status, ...texts, blocks: idsAt(file.blocks), blockedBy: idsAt(file.blockedBy) };
}

/** Only those that are there. */
function textsAt(from: JsonObject, fields: readonly string[]): Partial<SeenTask> {
  const texts = fields.map((field) => [field, cut(from[field])] as const);
  return Object.fromEntries(texts.filter(([, text]) => text !== undefined));
}

function taskId(value: unknown): string | undefined {
  const id = typeof value === "number" ? String(value) : value;
  return typeof id === "string" && /^[!-~]{1,40}$/.test(id) ? id : undefined;
}

function idsAt(value: unknown): readonly string[] {
  return listAt(value).flatMap((id) => taskId(id) ?? []);
}

function withId(ids: readonly string[], id: string): readonly string[] {
  return ids.includes(id) ? ids : [...ids, id];
}
