import { isOpen, type Todo, todosOf } from "../../core/todo/list.js";
import type { EventStore } from "../../store/event-store.js";
import { sessionStream } from "../../store/stream.js";
import { LISTS } from "../views.js";
import { type Candidate, safeText } from "./candidates.js";
import { lookInto, type Surroundings } from "./completion-store.js";
import { meantSession } from "./session-ids.js";
import type { TypedLine } from "./typed-line.js";

/** Verbs for which a closed todo makes no sense. */
const FOR_OPEN = ["todo start", "todo done", "todo drop"];

/** Numbers of the list that the line means: what is in progress first, what is closed last. */
export function todoIds(around: Surroundings, line: TypedLine): Promise<readonly Candidate[]> {
  return lookInto(around, line, (store) => storedTodos(store, around, line), []);
}

async function storedTodos(store: EventStore, around: Surroundings, line: TypedLine): Promise<readonly Candidate[]> {
  const meant = await meantSession(store, around, line);
  if (!meant) return [];
  const todos = todosOf(await store.view(LISTS, sessionStream(meant.session, meant.agent)));
  const offered = FOR_OPEN.includes(line.name) ? todos.filter(isOpen) : todos;
  const sorted = [...offered].sort((a, b) => rank(a) - rank(b));
  return sorted.map((todo) => ({ word: `${todo.number}`, about: `${stateOf(todo)}${safeText(todo.text)}` }));
}

function rank(todo: Todo): number {
  return todo.status === "in_progress" ? 0 : isOpen(todo) ? 1 : 2;
}

/** What is not just open says so. */
function stateOf({ status }: Todo): string {
  return status === "pending" ? "" : `(${status.replace("_", " ")}) `;
}
