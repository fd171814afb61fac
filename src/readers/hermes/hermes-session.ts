import { countAt, type JsonObject, listAt, objectAt, oneLine, sessionAt, textAt } from "../../core/json.js";
import type { Fact, Observation, Tokens } from "../../core/session/observation.js";
import { isQuestion } from "../../core/session/session-state.js";
import type { NewTodo } from "../../core/todo/command.js";
import { EMPTY_LIST, type TodoList } from "../../core/todo/list.js";
import type { HermesItem } from "../../dialects/hermes/hermes-items.js";
import { fingerprint } from "../memory.js";
import { observation } from "../reader.js";
import { saidFacts } from "../said-words.js";
import { writeList } from "../whole-list.js";
import { type CompactionSign, momentOf, personsMessage, textOf } from "./chat-message.js";
import { HermesCalls, NO_CALLS, type SavedCalls } from "./hermes-calls.js";
import { HermesHistory, type HistoryList, itemsInHistory, type SavedHistory } from "./history.js";

export const HERMES = "hermes";

interface State {
  readonly list: TodoList;
  readonly isTitled: boolean;
  readonly isRunning: boolean;
  /** Of the last compaction. */
  readonly signs: readonly CompactionSign[];
}

export type SavedSession = State & {
  readonly history: SavedHistory;
  readonly calls: SavedCalls;
  readonly at: number | null;
};

const NEW: State = { list: EMPTY_LIST, isTitled: false, isRunning: false, signs: [] };
const TITLE_MAX = 120;
/** A compaction keeps some of the last messages; more than that nobody has to know again. */
const MOST_COPIED = 1000;

/** One session, message by message: facts come out. */
export class HermesSession {
  readonly id: string;
  readonly #history: HermesHistory;
  readonly #calls: HermesCalls;
  #state: State;
  readonly #copied = new Set<string>();
  readonly #answers = new Set<string>();
  #at: number | undefined;
  #told: Observation[] = [];

  constructor(id: string, saved?: SavedSession) {
    const { history, calls, at, ...state } = saved ?? { ...NEW, history: [], calls: NO_CALLS, at: null };
    this.id = id;
    this.#calls = new HermesCalls(calls);
    this.#history = new HermesHistory("any", history);
    this.#state = state;
    this.#at = at ?? undefined;
  }

  get list(): TodoList {
    return this.#state.list;
  }

  /** Signs of the answers that held a list, in their order. */
  get answers(): readonly string[] {
    return [...this.#answers];
  }

  save(): SavedSession {
    return { ...this.#state, history: this.#history.save(), calls: this.#calls.save(), at: this.#at ?? null };
  }

  take(): readonly Observation[] {
    const told = this.#told;
    if (told.length > 0) this.#told = [];
    return told;
  }

  /** What is known of the session as a whole: columns of its row, or the first line of its file. */
  introduce(row: JsonObject): void {
    this.#at = momentOf(row.started_at ?? row.session_start ?? row.timestamp);
    const parent = sessionAt(row.parent_session_id);
    this.#tell({
      type: "session.seen",
      agent: HERMES,
      folder: textAt(row.cwd),
      model: oneLine(row.model),
      parent: parent === this.id || row.is_continuation === true ? undefined : parent,
    });
    const title = oneLine(row.title, TITLE_MAX);
    if (title !== undefined) this.#tell({ type: "title.given", title, by: "agent" });
    const tokens = tokensOf(row);
    if (tokens.total > 0) this.#tell({ type: "tokens.used", tokens });
    const dollars = countAt(row.actual_cost_usd) || countAt(row.estimated_cost_usd);
    if (dollars > 0) this.#tell({ type: "money.spent", dollars });
  }

  /** What a compaction put away: only its list goes on. */
  remember(messages: readonly unknown[]): void {
    for (const message of messages.map(objectAt)) {
      this.#at = momentOf(message.timestamp) ?? this.#at;
      if (message.role === "user") this.#hearSign(personsMessage(message).sign);
      const list = this.#history.read(message);
      if (!list) continue;
      if (this.#copied.size < MOST_COPIED) this.#copied.add(answerKey(message));
      this.#write(list);
    }
    this.#set({ signs: [] });
  }

  read(message: JsonObject): void {
    this.#at = momentOf(message.timestamp) ?? this.#at;
    const isRead = message.role === "tool" && this.#calls.isRead(message);
    if (message.role === "user") this.#hearPerson(message);
    else if (message.role === "assistant") this.#hearAgent(message);
    else if (message.role === "tool") this.#tellAll(this.#calls.end(message, this.#at));
    const list = this.#history.read(message);
    // A copy of what was put away is older than what came after it.
    if (!list) return;
    this.#answers.add(fingerprint(answerKey(message)));
    if (this.#copied.has(answerKey(message))) return;
    // All copies come first.
    this.#copied.clear();
    if (!isRead) this.#tell({ type: "list.written" });
    this.#write(list);
  }

  /** Something of it was written then. */
  hear(time: unknown): void {
    this.#at = momentOf(time) ?? this.#at;
    this.#tell({ type: "session.seen", agent: HERMES });
  }

  /** Nobody goes on with it. */
  end(time: unknown): void {
    this.#at = momentOf(time) ?? this.#at;
    if (this.#state.isRunning) this.#endTurn(false);
  }

  #hearPerson(message: JsonObject): void {
    const { words, sign } = personsMessage(message);
    this.#hearSign(sign);
    if (words === "" && sign !== undefined) return;
    this.#set({ isRunning: true });
    this.#tell({ type: "turn.started" });
    const title = this.#state.isTitled ? undefined : oneLine(words, TITLE_MAX);
    if (title === undefined) return;
    this.#set({ isTitled: true });
    this.#tell({ type: "title.given", title, by: "person" });
  }

  /** One compaction leaves a summary and the list; a sign that comes twice belongs to the next one. */
  #hearSign(sign: CompactionSign | undefined): void {
    if (sign === undefined) return;
    const { signs } = this.#state;
    const isNew = signs.length === 0 || signs.includes(sign);
    this.#set({ signs: isNew ? [sign] : [...signs, sign] });
    if (isNew) this.#tell({ type: "context.compacted" });
  }

  #hearAgent(message: JsonObject): void {
    const calls = listAt(message.tool_calls).map(objectAt);
    this.#tellAll(saidFacts(textOf(message), calls.length === 0));
    this.#tellAll(this.#calls.start(calls));
    if (calls.length === 0 && this.#state.isRunning) this.#endTurn(isQuestion(textOf(message)));
  }

  #endTurn(isAsking: boolean): void {
    this.#set({ isRunning: false });
    this.#tell({ type: "turn.ended", isAsking });
  }

  #write(read: HistoryList): void {
    const { list, finished } = writeList(this.#state.list, itemsInHistory(read, "any").map(newTodo));
    if (finished) this.#tell({ type: "list.finished", list: finished });
    if (list === this.#state.list) return;
    this.#set({ list });
    this.#tell({ type: "list.changed", list });
  }

  #tell(fact: Fact): void {
    this.#told.push(observation(fact, this.id, this.#at));
  }

  #tellAll(facts: readonly Fact[]): void {
    for (const fact of facts) this.#tell(fact);
  }

  #set(change: Partial<State>): void {
    this.#state = { ...this.#state, ...change };
  }
}

function newTodo({ id, content, status, parent: above }: HermesItem): NewTodo {
  const parent = above === undefined ? null : { key: above.toWellFormed() };
  return { text: content.toWellFormed(), status, key: id.toWellFormed(), parent };
}

/** Some providers count their calls anew in each reply: an id alone does not tell a copy. */
function answerKey({ tool_call_id: id, content }: JsonObject): string {
  return JSON.stringify([id, content]);
}

/** What came from a cache is not in the input. */
function tokensOf(row: JsonObject): Tokens {
  const [input, output] = [countAt(row.input_tokens), countAt(row.output_tokens)];
  const [cacheRead, cacheWrite] = [countAt(row.cache_read_tokens), countAt(row.cache_write_tokens)];
  const reasoning = countAt(row.reasoning_tokens);
  return { input, output, cacheRead, cacheWrite, reasoning, total: input + output + cacheRead + cacheWrite };
}
