import { promptText } from "../../core/text/prompt-text.js";
import { isOpen, type TodoList, todosOf } from "../../core/todo/list.js";
import type { AddedTodo } from "./added-todos.js";

/** What `add` comes to on the list as it is. */
export interface Adding {
  /** Every item with the number of its todo: one on the list, or the one that a new todo will get. */
  readonly items: readonly (AddedTodo & { readonly words: string; readonly number: number; readonly isNew: boolean })[];
  readonly alreadyOpen: readonly number[];
  readonly alreadyDone: readonly number[];
}

/**
 * A plan that is sent again adds nothing that is open or done. Alone, the text of a closed todo is new work, unless it
 * is sent as closed.
 */
export function matchAdded(added: readonly AddedTodo[], list: TodoList): Adding {
  const asked = added.map((item) => ({ ...item, words: sameWords(item.text) }));
  const statuses = new Map(asked.map(({ words, status }) => [words, status]));
  const present = (asked.length === 0 ? [] : todosOf(list))
    .map(({ number, text, status }) => ({ number, status, words: sameWords(text) }))
    .filter(({ words }) => statuses.has(words));
  const hasOpen = present.some(isOpen);
  const known = present.filter(
    ({ words, status }) => isOpen({ status }) || (hasOpen && status === "completed") || statuses.get(words) === status,
  );
  // Of several equal texts the first open one is meant.
  const numbers = new Map([...known.filter(isOpen), ...known].reverse().map(({ words, number }) => [words, number]));
  let next = list.nextNumber;
  return {
    items: asked.map((item) => {
      const number = numbers.get(item.words);
      return { ...item, number: number ?? next++, isNew: number === undefined };
    }),
    alreadyOpen: known.filter(isOpen).map(({ number }) => number),
    alreadyDone: known.filter(({ status }) => status === "completed").map(({ number }) => number),
  };
}

/** A text as an answer shows it: a model that copies it back means the same todo. */
export function sameWords(text: string): string {
  return promptText(text, text.length + 1);
}
