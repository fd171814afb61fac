import { isOpen, type Phase, type Todo, type TodoList, todosOf } from "../../core/todo/list.js";

/** Double quotes group, a backslash takes the next character as it is, empty words are none. */
export function tokensIn(text: string): readonly string[] {
  const tokens: string[] = [];
  let token = "";
  let isQuoted = false;
  for (const [piece] of text.matchAll(/\\?[\s\S]/g)) {
    const isEnd = !isQuoted && piece.length === 1 && /\s/.test(piece);
    if (isEnd && token !== "") tokens.push(token);
    if (piece === '"') isQuoted = !isQuoted;
    else token = isEnd ? "" : token + (piece.length === 2 ? piece.charAt(1) : piece);
  }
  return token === "" ? tokens : [...tokens, token];
}

/** A new phase: each word with a capital, one blank between them. */
export function asTitle(text: string): string {
  return text
    .split(/\s+/)
    .filter((word) => word !== "")
    .map(withCapital)
    .join(" ");
}

/** A new todo: a capital in front; the rest is the person's own spelling. */
export function asSentence(text: string): string {
  return withCapital(text.trim());
}

/** By UTF-16 unit, as the original does: letters beyond the first plane stay as they are. */
function withCapital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Equal but for case; else the only one that contains it; else the only open one of those. */
export function findTodo(list: TodoList, query: string): Todo | undefined {
  const wanted = folded(query);
  if (wanted === "") return undefined;
  const todos = todosOf(list);
  const hits = todos.filter(({ text }) => text.toLowerCase().includes(wanted));
  return hits.find(({ text }) => text.toLowerCase() === wanted) ?? only(hits) ?? only(hits.filter(isOpen));
}

/** Equal but for case; else the only one that begins with it; else the only one that contains it. */
export function findPhase({ phases }: TodoList, query: string): Phase | undefined {
  const wanted = folded(query);
  if (wanted === "") return undefined;
  const hits = phases.filter(({ name }) => name.toLowerCase().includes(wanted));
  return (
    hits.find(({ name }) => name.toLowerCase() === wanted) ??
    only(hits.filter(({ name }) => name.toLowerCase().startsWith(wanted))) ??
    only(hits)
  );
}

function folded(query: string): string {
  return query.trim().toLowerCase();
}

function only<Item>(items: readonly Item[]): Item | undefined {
  return items.length === 1 ? items[0] : undefined;
}
