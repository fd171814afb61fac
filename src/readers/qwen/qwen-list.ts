import { isObject } from "../../core/json.js";
import { redactValue } from "../../core/secrets/redact-json.js";
import { isFinished } from "../../core/session/finished/finished-list.js";
import type { TodoList } from "../../core/todo/list.js";
import { cutText, excessOf } from "../../core/value-limits.js";
import { qwen } from "../../dialects/qwen/qwen.js";
import { speak } from "../../dialects/speak.js";
import type { WrittenList } from "../whole-list.js";

/** The list as an answer of the agent's own tool shows it, whole; undefined for a value that is no list. */
export function readWrittenList(before: TodoList, todos: unknown): WrittenList | undefined {
  const short = Array.isArray(todos) ? todos.map(withShortText) : undefined;
  if (!short || excessOf(short)) return undefined;
  const value = { todos: redactValue(short) };
  const { list, isWrite } = speak(qwen, before, { tool: "todo_write", input: { value } });
  if (!isWrite) return { list: before };
  return isFinished(list) && !isFinished(before) ? { list, finished: list } : { list };
}

/** No list of ours could hold a longer text, and a list without it would be wrong. */
function withShortText(todo: unknown): unknown {
  if (!isObject(todo) || typeof todo.content !== "string") return todo;
  return { ...todo, content: cutText(todo.content) };
}
