import { type AgentCalls, callsOf } from "../../core/call/call-history.js";
import { finishedText } from "../../core/session/finished/finished-list.js";
import { finishedTimes } from "../../core/session/finished/list-times.js";
import type { FinishedList, Work } from "../../core/session/session-facts.js";
import type { SessionHistory } from "../../core/session/session-history.js";
import { todoWork } from "../../core/session/work-times.js";
import { isOpen, type TodoList, todosOf } from "../../core/todo/list.js";
import type { EventStore } from "../../store/event-store.js";
import { sessionStream } from "../../store/stream.js";
import { callsStream } from "../calls/call-events.js";
import { CALLS, HISTORIES } from "../session/session-view.js";
import { storeNow } from "../store-place.js";

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

/** The last list that was finished, and what ran for it. */
export function finishedOf(history: SessionHistory, { runs }: AgentCalls): FinishedList | null {
  const times = finishedTimes(history);
  if (!times) return null;
  const { at, list, spans } = times;
  return { at, list, work: todoWork({ phases: [], since: at, spans }, runs) };
}

export async function storedFinish(
  store: EventStore,
  { session, agent }: { readonly session: string; readonly agent?: string | undefined },
): Promise<FinishedList | null> {
  const own = await store.view(HISTORIES, sessionStream(session, agent));
  return finishedOf(own, callsOf(await store.view(CALLS, callsStream(session)), agent));
}

/**
 * `4/4 done 22m ago`: for people, where nothing on the list is open; empty otherwise. `list`: what is left of it, or
 * nothing.
 */
export async function finishedLine(store: EventStore, stream: string, list: TodoList): Promise<string> {
  if (todosOf(list).some(isOpen)) return "";
  const finished = finishedTimes(await store.view(HISTORIES, stream));
  const todos = finished ? todosOf(finished.list) : [];
  const numbers = new Set(todos.map(({ number }) => number));
  if (!finished || todosOf(list).some(({ number }) => !numbers.has(number))) return "";
  return finishedText(todos, finished.at, await storeNow(store));
}
