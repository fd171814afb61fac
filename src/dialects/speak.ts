import { fail, ok } from "../core/result.js";
import { decide } from "../core/todo/decide.js";
import type { TodoEvent } from "../core/todo/events.js";
import { evolveAll } from "../core/todo/evolve.js";
import type { TodoList } from "../core/todo/list.js";
import type { Answer, Dialect, ToolCall } from "./dialect.js";

export interface Spoken {
  readonly list: TodoList;
  readonly events: readonly TodoEvent[];
  readonly answer: Answer;
}

/**
 * The whole way of one tool call, without a store: parse, decide, evolve, render. `policy`: stricter than the dialect's
 * own, where a person wants it so.
 */
export function speak(dialect: Dialect, list: TodoList, call: ToolCall, policy = dialect.policy): Spoken {
  const parsed = dialect.parse(call, list);
  if (parsed.type === "answer") return { list, events: [], answer: parsed.answer };
  const decision = decide(list, parsed.command, policy);
  if (!decision.ok) return { list, events: [], answer: parsed.render(fail(decision.error)) };
  const { events, refused } = decision.value;
  const after = evolveAll(list, events);
  return { list: after, events, answer: parsed.render(ok({ before: list, after, events, refused })) };
}
