import { callsOf } from "../../core/call/call-history.js";
import type { Work } from "../../core/session/session-facts.js";
import { todoWork } from "../../core/session/work-times.js";
import { type TodoList, todosOf } from "../../core/todo/list.js";
import type { EventStore } from "../../store/event-store.js";
import { sessionStream } from "../../store/stream.js";
import { callsStream } from "../calls/call-events.js";
import { CALLS, HISTORIES } from "../session/session-view.js";

/** What ran while which todo of a stored list was in progress. Nothing is read where no todo is called completed. */
export async function storedWork(
  store: EventStore,
  list: TodoList,
  { session, agent }: { readonly session: string; readonly agent?: string | undefined },
): Promise<readonly Work[]> {
  if (todosOf(list).every(({ status }) => status !== "completed")) return [];
  const own = await store.view(HISTORIES, sessionStream(session, agent));
  const calls = await store.view(CALLS, callsStream(session));
  return todoWork(own.work, callsOf(calls, agent).runs);
}
