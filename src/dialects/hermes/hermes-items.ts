import { TODO_STATUSES, type TodoStatus } from "../../core/todo/list.js";
import { strip, strOf } from "../wording/python-text.js";
import { isDict, isTrue, type PythonDict, PythonError, type PythonValue, typeName } from "../wording/python-value.js";

/** One row of the list as Hermes keeps it. */
export interface HermesItem {
  readonly id: string;
  readonly content: string;
  readonly status: TodoStatus;
  /** The id of the item it is part of. */
  readonly parent?: string;
  /** The todo it continues, where that is known. */
  readonly number?: number;
}

const NO_ID = "?";
const MOST_ITEMS = 256;
const LONGEST_CONTENT = 4000;
const CUT = "… [truncated]";

/** The whole list anew. */
export function replaceItems(entries: readonly PythonValue[]): readonly HermesItem[] {
  return settle(withoutDuplicates(entries).map(newItem));
}

/** `problem`: an entry broke the merge off; what came before it stays as it was left then. */
export interface Merged {
  readonly items: readonly HermesItem[];
  readonly problem?: string;
}

/** Only what the entries say changes; entries with unknown ids come at the end. */
export function mergeItems(current: readonly HermesItem[], entries: readonly PythonValue[]): Merged {
  const wanted = withoutDuplicates(entries);
  const items = [...current];
  // Where several have one id, the last of them is the one that is changed.
  const places = new Map(items.map(({ id }, place) => [id, place]));
  try {
    for (const entry of wanted) mergeEntry(items, places, entry);
  } catch (error) {
    if (error instanceof PythonError) return { items, problem: error.message };
    throw error;
  }
  const byId = new Map(items.map((item) => [item.id, item]));
  return { items: settle([...byId.values()]) };
}

function mergeEntry(items: HermesItem[], places: Map<string, number>, entry: PythonValue): void {
  if (!isDict(entry)) throw new PythonError(`'${typeName(entry)}' object has no attribute 'get'`);
  const id = textOf(entry, "id");
  if (id === "") return;
  const place = places.get(id);
  if (place === undefined) {
    places.set(id, items.length);
    items.push(newItem(entry));
  } else changeItem(items, place, entry);
}

/** Field by field: the text of a later one may be more than Python can make, and then the earlier ones stay. */
function changeItem(items: HermesItem[], place: number, entry: PythonDict): void {
  const change = (changed: (item: HermesItem) => HermesItem) => {
    const item = items[place];
    if (item) items[place] = changed(item);
  };
  const content = entry.get("content");
  if (isTrue(content)) {
    const text = capped(strip(strOf(content)));
    change((item) => ({ ...item, content: text }));
  }
  const status = isTrue(entry.get("status")) ? statusOf(entry) : undefined;
  if (status) change((item) => ({ ...item, status }));
  if (entry.has("parent")) {
    const parent = parentOf(entry);
    change((item) => withParent(item, parent));
  }
}

function newItem(entry: PythonValue): HermesItem {
  if (!isDict(entry)) return { id: NO_ID, content: "(invalid item)", status: "pending" };
  const id = textOf(entry, "id") || NO_ID;
  const content = capped(textOf(entry, "content")) || "(no description)";
  const status = statusOf(entry) ?? "pending";
  const parent = parentOf(entry);
  return withParent({ id, content, status }, parent === id ? "" : parent);
}

function withParent({ parent: _, ...item }: HermesItem, parent: string): HermesItem {
  return parent === "" ? item : { ...item, parent };
}

function textOf(entry: PythonDict, field: string): string {
  const value = entry.get(field);
  return value === undefined ? "" : strip(strOf(value));
}

function statusOf(entry: PythonDict): TodoStatus | undefined {
  const word = textOf(entry, "status").toLowerCase();
  return TODO_STATUSES.find((status) => status === word);
}

function parentOf(entry: PythonDict): string {
  return isTrue(entry.get("parent")) ? textOf(entry, "parent") : "";
}

/** Counted in code points, as Python does. */
function capped(content: string): string {
  if (content.length <= LONGEST_CONTENT) return content;
  const characters = Array.from(content);
  if (characters.length <= LONGEST_CONTENT) return content;
  return characters.slice(0, LONGEST_CONTENT - CUT.length).join("") + CUT;
}

/** The last of several with one id stays, in its own place. What is no object has a key of its own. */
function withoutDuplicates(entries: readonly PythonValue[]): readonly PythonValue[] {
  const places = new Map<string, number>();
  for (const [place, entry] of entries.entries())
    places.set(isDict(entry) ? textOf(entry, "id") || NO_ID : `__invalid_${place}`, place);
  return [...places.values()].sort((a, b) => a - b).flatMap((place) => entries.slice(place, place + 1));
}

/** The rules that hold after a whole write. */
function settle(items: readonly HermesItem[]): readonly HermesItem[] {
  return withSoundParents(withActiveFirst(items).slice(0, MOST_ITEMS));
}

/** What is worked on comes before what waits; in a list with parents everything stays in its place. */
function withActiveFirst(items: readonly HermesItem[]): readonly HermesItem[] {
  if (items.some(({ parent }) => parent !== undefined)) return items;
  const from = items.findIndex(({ status }) => status === "in_progress");
  const to = items.findIndex(({ status }) => status === "pending");
  const active = items[from];
  if (!active || to < 0 || to > from) return items;
  return [...items.slice(0, to), active, ...items.slice(to, from), ...items.slice(from + 1)];
}

/** Parents that are not on the list go, and so does the parent of an item whose way up comes by an id twice. */
export function withSoundParents(items: readonly HermesItem[]): readonly HermesItem[] {
  if (items.every(({ parent }) => parent === undefined)) return items;
  const ids = new Set(items.map(({ id }) => id));
  const sound = items.map((item) => (item.parent !== undefined && !ids.has(item.parent) ? withParent(item, "") : item));
  // Of several with one id the last one is the way up.
  const places = new Map(sound.map(({ id }, place) => [id, place]));
  const up = ({ parent }: HermesItem) => (parent === undefined ? undefined : sound[places.get(parent) ?? -1]);
  for (const [place, item] of sound.entries()) {
    const seen = new Set([item.id]);
    for (let next = up(item); next; next = up(next)) {
      if (seen.has(next.id)) {
        sound[place] = withParent(item, "");
        break;
      }
      seen.add(next.id);
    }
  }
  return sound;
}
