import type { CurrentList } from "../../core/session/client/current-list.js";
import { readSessionEvent } from "../../core/session/events.js";
import type { Session } from "../../core/session/session.js";
import { childOffer, inProgress, offeredBy } from "../../core/session/turn/child-todos.js";
import type { NewEvent } from "../../store/event-store.js";
import { sessionEvent } from "./session-view.js";

interface Parent {
  /** The session as it was before these events. */
  readonly session: Session;
  /** Its list as it is now. */
  readonly current: () => CurrentList;
  readonly names: (current: CurrentList) => Parameters<typeof childOffer>[2];
}

/**
 * Starts of sub-agents get the todo that they are for. The end of the last one of a todo leaves a question for the
 * model: is that todo done?
 */
export function withChildTodos(events: readonly NewEvent[], parent: Parent): readonly NewEvent[] {
  return events.some(({ type }) => type === "agent.started" || type === "agent.ended")
    ? events.flatMap((event) => withTodo(event, parent))
    : events;
}

function withTodo(event: NewEvent, { session, current, names }: Parent): readonly NewEvent[] {
  const known = readSessionEvent(event.type, event.data);
  if (known?.type === "agent.started") {
    const todo = inProgress(current().list)?.number;
    return [todo === undefined ? event : { ...event, data: { ...event.data, todo } }];
  }
  if (known?.type !== "agent.ended") return [event];
  const number = offeredBy(session, known.agent);
  const todo = number === undefined ? undefined : inProgress(current().list, number);
  if (!todo) return [event];
  const text = childOffer(known.agent, todo, names(current()));
  return [event, sessionEvent({ type: "notice.left", text })];
}
