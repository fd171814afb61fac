import { type CallHistory, workOf } from "../../core/call/call-history.js";
import { type JudgeTodo, judgeList, judgeShown } from "../../core/grounding/judged.js";
import type { SessionWork } from "../../core/grounding/seen-work.js";
import { NO_WORK_TIMES } from "../../core/grounding/work-times.js";
import { finishedText } from "../../core/session/finished/finished-list.js";
import { finishedTimes } from "../../core/session/finished/list-times.js";
import type { FinishedList } from "../../core/session/session-facts.js";
import { NO_SESSION_HISTORY, type SessionHistory } from "../../core/session/session-history.js";
import { isOpen, type TodoList, todosOf } from "../../core/todo/list.js";
import type { EventStore } from "../../store/event-store.js";
import { sessionStream } from "../../store/stream.js";
import { callsStream } from "../calls/call-events.js";
import { CALLS, HISTORIES } from "../session/session-view.js";
import { storeNow } from "../store-place.js";
import type { KnownList } from "../transcripts/asked/known-list.js";

interface Place {
  readonly session: string;
  readonly agent?: string | undefined;
}

/** What ran in a session, as the log tells it: lists and calls have streams of their own, and share only the clock. */
export async function storedWork(store: EventStore, { session, agent }: Place): Promise<SessionWork> {
  const own = await store.view(HISTORIES, sessionStream(session, agent));
  return workIn(own, await store.view(CALLS, callsStream(session)), agent);
}

export function workIn(history: SessionHistory, calls: CallHistory, agent: string | undefined): SessionWork {
  const { work, tasks, waived = [] } = { ...NO_SESSION_HISTORY, ...history };
  const times = tasks?.times ?? NO_WORK_TIMES;
  const isUntold = history.turn === "none" && workOf(calls, undefined).length === 0;
  return { times: work, tasks: times, runs: workOf(calls, agent), files: calls.files ?? [], waived, isUntold };
}

/** A stored list, held against what ran; nothing is read where there is nothing to hold. */
export async function storedJudge(store: EventStore, list: TodoList, place: Place): Promise<JudgeTodo | undefined> {
  return todosOf(list).length === 0 ? undefined : judgeList(list, await storedWork(store, place));
}

/** The list that is shown of a session, whoever keeps it. */
export function judgeOpened(
  store: EventStore,
  list: TodoList,
  { shown, ...place }: Place & { readonly shown?: Pick<KnownList, "keeper" | "work"> },
): Promise<JudgeTodo | undefined> {
  if (!shown) return storedJudge(store, list, place);
  return Promise.resolve(shown.work && judgeShown(list, shown.keeper, shown.work));
}

/** The last list that was finished, and when which of its todos was worked on. */
export function finishedOf(history: SessionHistory): FinishedList | null {
  return finishedTimes(history);
}

export async function storedFinish(store: EventStore, { session, agent }: Place): Promise<FinishedList | null> {
  return finishedOf(await store.view(HISTORIES, sessionStream(session, agent)));
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
