import { idAt, type JsonObject, objectAt, sessionAt, textAt } from "../../core/json.js";
import type { Observation } from "../../core/session/observation.js";
import type { Format, Reader } from "../reader.js";
import { Told } from "../reader.js";
import { textOfItem } from "./items.js";
import { readTodoList } from "./plan-calls.js";
import { CODEX, type CodexThread } from "./thread.js";
import { CodexThreads, type SavedThreads } from "./threads.js";

/** The stdout of `codex exec --json`, of one run or of several in one file. */
export const codexExec: Format = {
  name: "codex-exec",
  agent: CODEX,
  recognises: ({ type, thread_id: id }) => type === "thread.started" && sessionAt(id) !== undefined,
  open: (_, { saved } = {}) => new ExecReader(saved as SavedExec | undefined),
};

interface SavedExec {
  readonly current: string | null;
  readonly runs: number;
  readonly list: string | null;
  readonly threads: SavedThreads;
}

class ExecReader implements Reader {
  readonly #told = new Told();
  readonly #threads: CodexThreads;
  #current: string | null;
  /** Items are counted anew in each run, so their ids say little without it. */
  #runs: number;
  /** The item that the list was last written with. */
  #list: string | null;

  constructor(saved: SavedExec | undefined) {
    this.#threads = new CodexThreads(this.#told, saved?.threads);
    this.#current = saved?.current ?? null;
    this.#runs = saved?.runs ?? 0;
    this.#list = saved?.list ?? null;
  }

  save(): SavedExec {
    return { current: this.#current, runs: this.#runs, list: this.#list, threads: this.#threads.save() };
  }

  read(record: JsonObject): readonly Observation[] {
    if (record.type === "thread.started") this.#startRun(record);
    else if (this.#current !== null) this.#readRecord(this.#threads.of(this.#current), record);
    return this.#told.take();
  }

  #startRun({ thread_id: id }: JsonObject): void {
    // Without an id nobody knows whose the next records are.
    this.#current = sessionAt(id) ?? null;
    this.#runs += 1;
    if (this.#current !== null) this.#threads.of(this.#current);
  }

  #readRecord(thread: CodexThread, record: JsonObject): void {
    const type = textAt(record.type) ?? "";
    if (type.startsWith("item.")) this.#readItem(thread, objectAt(record.item), type === "item.completed");
    else if (type === "turn.started") thread.startTurn();
    else if (type === "turn.failed") thread.failTurn();
    else if (type === "turn.completed") {
      // The usage is that of the whole thread so far.
      thread.useTokens(record.usage);
      thread.endTurn();
    }
  }

  #readItem(thread: CodexThread, item: JsonObject, isOver: boolean): void {
    const id = idAt(item.id);
    if (item.type === "agent_message") thread.hearAgent(textOfItem(item) ?? "");
    if (id === undefined) return;
    const call = `${this.#runs}/${id}`;
    if (item.type === "todo_list") this.#writeList(thread, call, item, isOver);
    else this.#threads.readCall(thread, { call, item, isOver });
  }

  #writeList(thread: CodexThread, id: string, item: JsonObject, isOver: boolean): void {
    const write = readTodoList(item);
    // The end of a turn repeats the list: writing it again would restart one that is over.
    if (write && !(isOver && this.#list === id)) thread.write(write);
    this.#list = id;
  }
}
