import { readSessionEvent } from "../../core/session/events.js";
import { childOffer, inProgress, offeredBy } from "../../core/session/turn/child-todos.js";
import type { NewEvent } from "../../store/event-store.js";
import type { Settings } from "../settings.js";
import { currentListOf, type Now, namesOf } from "./list-words.js";
import type { Sighting } from "./record-sighting.js";
import { sessionEvent } from "./session-view.js";

/** The session as it was before these events, and its list as it is now: sub-agents are told of in its own stream. */
type Parent = Pick<Now, "whole" | "list">;

/**
 * Starts of sub-agents get the todo that they are for. The end of the last one of a todo leaves a question for the
 * model: is that todo done?
 */
export function withChildTodos(
  events: readonly NewEvent[],
  { who, way }: Pick<Sighting, "who" | "way">,
  settings: Settings,
  { whole, list }: Parent,
): readonly NewEvent[] {
  if (!events.some(({ type }) => type === "agent.started" || type === "agent.ended")) return events;
  const current = currentListOf(list, whole);
  return events.flatMap((event) => {
    const known = readSessionEvent(event.type, event.data);
    if (known?.type === "agent.started") return withTodo(event, inProgress(current.list)?.number);
    const number = known?.type === "agent.ended" ? offeredBy(whole, known.agent) : undefined;
    const todo = number === undefined ? undefined : inProgress(current.list, number);
    if (known?.type !== "agent.ended" || !todo) return [event];
    const names = namesOf(current, whole.client || who?.client || "", settings, way);
    return [event, sessionEvent({ type: "notice.left", text: childOffer(known.agent, todo, names) })];
  });
}

function withTodo(event: NewEvent, todo: number | undefined): NewEvent {
  return todo === undefined ? event : { ...event, data: { ...event.data, todo } };
}
