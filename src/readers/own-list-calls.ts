import { isOurServer } from "../core/call/call-event.js";
import type { JsonObject } from "../core/json.js";
import { redactValue } from "../core/secrets/redact-json.js";
import type { TodoList } from "../core/todo/list.js";
import { excessOf } from "../core/value-limits.js";
import { milepost } from "../dialects/milepost/todo-tool.js";
import { speak } from "../dialects/speak.js";

// Calls of our own `todo` in another agent's transcript. Each brings only what changes, so they are made again, in order.

const TOOL = "todo";
const NAME = /^mcp__(.+?)__todo$/s;

/** What was asked of it; undefined for a call of another tool, and for what could not be kept until it is answered. */
export function ownListInput(name: string, input: JsonObject): JsonObject | undefined {
  if (!isOurServer(NAME.exec(name)?.[1]) || excessOf(input)) return undefined;
  return redactValue(input) as JsonObject;
}

/** The list after a call that was taken. What is not in the transcript, as a person's edits, is not in it. */
export function callOwnList(list: TodoList, input: JsonObject): TodoList {
  return speak(milepost, list, { tool: TOOL, input: { value: input } }).list;
}
