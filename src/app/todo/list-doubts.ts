import { type Doubts, doubtsOf } from "../../core/grounding/doubts.js";
import { judgeShown } from "../../core/grounding/judged.js";
import { NO_CLIENT_LIST } from "../../core/session/client/client-list.js";
import { currentList } from "../../core/session/client/current-list.js";
import { isOpen, type TodoList, todosOf } from "../../core/todo/list.js";
import type { EventStore } from "../../store/event-store.js";
import { sessionStream } from "../../store/stream.js";
import { SESSIONS } from "../session/session-view.js";
import { LISTS } from "../views.js";
import { storedWork } from "./todo-work.js";

interface Place {
  readonly session: string;
  readonly agent?: string | undefined;
}

/** What of a session's list, or of its client's tasks, is called completed against the facts. */
export async function storedDoubts(store: EventStore, { session, agent }: Place): Promise<Doubts | undefined> {
  const stream = sessionStream(session, agent);
  const { clientList = NO_CLIENT_LIST } = await store.view(SESSIONS, stream);
  const { list, keeper } = currentList(await store.view(LISTS, stream), clientList);
  // Where nothing is open no model is told anything.
  if (!isHalfDone(list)) return undefined;
  const judge = judgeShown(list, keeper, await storedWork(store, { session, agent }));
  return judge && doubtsOf(list, judge);
}

function isHalfDone(list: TodoList): boolean {
  const todos = todosOf(list);
  return todos.some(isOpen) && todos.some(({ status }) => status === "completed");
}
