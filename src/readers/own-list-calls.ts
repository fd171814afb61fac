import { isOurServer } from "../core/call/call-event.js";
import { isObject, type JsonObject } from "../core/json.js";
import { redactValue } from "../core/secrets/redact-json.js";
import { isFinished } from "../core/session/finished/finished-list.js";
import type { TodoList } from "../core/todo/list.js";
import { excessOf } from "../core/value-limits.js";
import { milepost } from "../dialects/milepost/todo-tool.js";
import { speak } from "../dialects/speak.js";
import type { WrittenList } from "./whole-list.js";

// Calls of our own `todo` in another agent's transcript. Each brings only what changes: all are made again, in order.

const TOOL = "todo";
const NAME = /^mcp__(.+?)__todo$/s;

/** What was asked of it; undefined for a call of another tool, and for what could not be kept until it is answered. */
export function ownListInput(name: string, input: unknown): JsonObject | undefined {
  if (!isOurServer(NAME.exec(name)?.[1]) || !isObject(input) || excessOf(input)) return undefined;
  return redactValue(input) as JsonObject;
}

/** The list after a call that was taken. What is not in the transcript, as a person's edits, is not in it. */
export function callOwnList(before: TodoList, input: JsonObject): WrittenList {
  const { list, isWrite } = speak(milepost, before, { tool: TOOL, input: { value: input } });
  if (!isWrite) return { list, isRead: true };
  // It stays on the list until the next todo: a later call about it does not finish it anew.
  return isFinished(list) && !isFinished(before) ? { list, finished: list } : { list };
}
