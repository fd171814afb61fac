import { isOpen, type TodoList, type TodoStatus } from "../../core/todo/list.js";
import type { HermesItem } from "./hermes-items.js";
import { itemsOf } from "./hermes-list.js";

/** How a row begins that Hermes puts before its model after a compaction; transcripts hold such rows. */
export const DIGEST_HEADER = "[Your active task list was preserved across context compression]";

const MARKERS: Readonly<Record<TodoStatus, string>> = {
  pending: "[ ]",
  in_progress: "[>]",
  completed: "[x]",
  cancelled: "[~]",
};

/** What is open, below what it is part of; undefined when nothing is. */
export function hermesDigest(list: TodoList): string | undefined {
  const items = itemsOf(list);
  const kept = openWithAncestors(items);
  if (kept.size === 0) return undefined;
  const lastFirst = items.filter((item) => kept.has(item)).reverse();
  const children = grouped(lastFirst, ({ parent = NOBODY }) => parent);
  const lines = [DIGEST_HEADER];
  const stack = (children.get(NOBODY) ?? []).map((item) => ({ item, depth: 0 }));
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { item, depth } = next;
    const { id, content, status } = item;
    lines.push(`${"  ".repeat(depth)}- ${MARKERS[status]} ${id}. ${content} (${status})`);
    for (const child of children.get(id) ?? []) stack.push({ item: child, depth: depth + 1 });
  }
  return lines.join("\n");
}

/** No item has an empty id. */
const NOBODY = "";

/** By id: of several with one id, all are the parents of what names it. */
function openWithAncestors(items: readonly HermesItem[]): ReadonlySet<HermesItem> {
  const byId = grouped(items, ({ id }) => id);
  const kept = new Set(items.filter(isOpen));
  for (const item of kept) for (const above of byId.get(item.parent ?? NOBODY) ?? []) kept.add(above);
  return kept;
}

function grouped(items: readonly HermesItem[], keyOf: (item: HermesItem) => string): Map<string, HermesItem[]> {
  const groups = new Map<string, HermesItem[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}
