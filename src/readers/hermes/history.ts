import { isObject, type JsonObject, listAt, objectAt } from "../../core/json.js";
import { codePointLength } from "../../core/text/length.js";
import { type HermesItem, replaceItems } from "../../dialects/hermes/hermes-items.js";
import { loads } from "../../dialects/wording/python-json.js";
import { strip } from "../../dialects/wording/python-text.js";
import { fromJson, isDict, isList, type PythonDict, type PythonValue } from "../../dialects/wording/python-value.js";

/**
 * How Hermes finds its list in a history. `2026-08`: the last good answer to a `todo` call. `2026-09`: also the new
 * name and calls through `tool_call`; one answer to a call, and only a whole one. `any`: for logs of all editions.
 */
export type HistoryEdition = "2026-08" | "2026-09" | "any";

/** A list as an answer to a call holds it; Hermes makes items of it once more. */
export interface HistoryList {
  readonly todos: readonly PythonValue[];
  /** Undefined before 2026-09. */
  readonly revision: bigint | undefined;
}

/** Calls of one reply that are not answered yet. */
export type SavedHistory = readonly string[];

const LONGEST_ANSWER = 512_000;
const MOST_ITEMS = 256;
/** More than any reply holds; what is never answered must not be kept for ever. */
const MOST_CALLS = 1000;

/** Hermes looks for the last list from the end of a history; reading from the beginning gives the same one. */
export class HermesHistory {
  readonly #edition: HistoryEdition;
  #open: Set<string>;

  constructor(edition: HistoryEdition, saved: SavedHistory = []) {
    this.#edition = edition;
    this.#open = new Set(saved);
  }

  save(): SavedHistory {
    return [...this.#open];
  }

  /** The list that the history ends with after this message, if it is another one than before. */
  read(message: JsonObject): HistoryList | undefined {
    const { role } = message;
    if (role === "user" || role === "system") this.#open = new Set();
    if (role === "assistant") this.#open = new Set(this.#todoCalls(message).slice(0, MOST_CALLS));
    return role === "tool" ? this.#answer(message) : undefined;
  }

  #todoCalls({ tool_calls: calls }: JsonObject): readonly string[] {
    const all = listAt(calls).map(objectAt);
    const todo = all.filter((call) => isTodoCall(call, this.#edition));
    if (this.#edition !== "2026-09") return todo.map(callId).filter((id) => id !== "");
    const ids = all.map(({ id }) => id);
    // Of two calls with one id nobody knows which is answered.
    const isAlone = (id: string) => id !== "" && ids.indexOf(id) === ids.lastIndexOf(id);
    return todo.flatMap(({ id }) => (typeof id === "string" && isAlone(id) ? [id] : []));
  }

  #answer({ tool_call_id: id, content }: JsonObject): HistoryList | undefined {
    if (typeof id !== "string" || !this.#open.has(id)) return undefined;
    if (this.#edition === "2026-08") return typeof content === "string" ? listIn(content) : undefined;
    if (this.#edition === "any") return listIn(content);
    this.#open.delete(id);
    return listIn(content, isWhole);
  }
}

/** The list that a whole history restores. */
export function listInHistory(history: readonly unknown[], edition: HistoryEdition): HistoryList | undefined {
  const messages = history.map(objectAt);
  // The later edition trusts no history that has something else in it.
  if (edition === "2026-09" && !messages.every(({ role }) => typeof role === "string")) return undefined;
  const reader = new HermesHistory(edition);
  return messages.reduce<HistoryList | undefined>((list, message) => reader.read(message) ?? list, undefined);
}

/** The items that Hermes makes of it: before 2026-09 it knew no parents. */
export function itemsInHistory({ todos }: HistoryList, edition: HistoryEdition): readonly HermesItem[] {
  try {
    return replaceItems(edition === "2026-08" ? todos.map(withoutParent) : todos);
  } catch {
    // Python could not print one of the texts either.
    return [];
  }
}

function withoutParent(entry: PythonValue): PythonValue {
  return isDict(entry) ? new Map([...entry].filter(([key]) => key !== "parent")) : entry;
}

/** How a call is answered to: some providers have two ids for it. */
export function callId({ call_id: first, id }: JsonObject): string {
  const known = first || id;
  return typeof known === "string" ? strip(known) : "";
}

export function isTodoCall(call: JsonObject, edition: HistoryEdition): boolean {
  const { name, arguments: input } = objectAt(call.function);
  if (name === "todo") return true;
  if (edition === "2026-08") return false;
  return name === "todo_list" || (name === "tool_call" && isBridged(input));
}

/** A tool that is not shown to the model is called through another one. */
function isBridged(input: unknown): boolean {
  const outer = dictIn(input);
  return outer?.size === 2 && outer.get("name") === "todo_list" && dictIn(outer.get("arguments")) !== undefined;
}

/** An object, or the JSON text of one. */
function dictIn(value: unknown): PythonDict | undefined {
  const found = typeof value === "string" ? loadsShort(value) : value instanceof Map ? value : decoded(value);
  return isDict(found) ? found : undefined;
}

function loadsShort(text: string): PythonValue | undefined {
  return lengthOf(text) <= LONGEST_ANSWER ? loads(text) : undefined;
}

/** What somebody has parsed already must not be larger than its text could have been. */
function decoded(value: unknown): PythonValue | undefined {
  if (!isObject(value)) return undefined;
  const found = fromJson(value);
  return weightOf(found) <= LONGEST_ANSWER ? found : undefined;
}

function weightOf(value: PythonValue): number {
  if (typeof value === "string") return 1 + lengthOf(value);
  if (isList(value)) return value.reduce((sum: number, item) => sum + weightOf(item), 1);
  if (!isDict(value)) return 1;
  return [...value].reduce((sum, [key, item]) => sum + lengthOf(key) + weightOf(item), 1);
}

/** In code points; nobody counts those of a text that is short anyway. */
function lengthOf(text: string): number {
  return text.length <= LONGEST_ANSWER ? text.length : codePointLength(text);
}

function listIn(content: unknown, isGood: (answer: PythonDict) => boolean = () => true): HistoryList | undefined {
  const answer = typeof content === "string" && !content.includes('"todos"') ? undefined : dictIn(content);
  const todos = answer?.get("todos");
  const revision = answer?.get("revision");
  if (!answer || !isList(todos) || !isGood(answer)) return undefined;
  return { todos, revision: typeof revision === "bigint" ? revision : undefined };
}

const FIELDS = ["todos", "revision", "summary"];

function isWhole(answer: PythonDict): boolean {
  const [todos, revision, summary] = FIELDS.map((field) => answer.get(field));
  if (![...answer.keys()].every((key) => FIELDS.includes(key))) return false;
  if (!isList(todos) || todos.length > MOST_ITEMS) return false;
  return typeof revision === "bigint" && revision >= 0n && (summary === undefined || isDict(summary));
}
