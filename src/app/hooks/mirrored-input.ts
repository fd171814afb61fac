import { isOurServer } from "../../core/call/call-event.js";
import { isObject, type JsonObject } from "../../core/json.js";
import { counted } from "../../core/text/length.js";
import { cutText, excessOf, fitValue, LARGEST_VALUE } from "../../core/value-limits.js";
import { factId } from "../calls/call-events.js";
import type { CallRequest } from "../calls/call-request.js";
import { ownListDialect } from "./clients/own-lists.js";
import { type HookInput, stringOf, turnOf } from "./hook-input.js";
import { batchCalls } from "./seen-batch.js";
import { callOf } from "./seen-call.js";

/**
 * What a client's own list tool wrote is written to the session's list, in that tool's words. `fact`: one call is one
 * write, however often it is reported.
 */
export function listCallsOf(input: HookInput): readonly CallRequest[] {
  if (input.event === "PostToolUse") return listCall(input);
  if (input.event !== "PostToolBatch") return [];
  return batchCalls(input).flatMap(({ call, status }) => (status === "completed" ? listCall(call) : []));
}

/**
 * Whoever writes the list records the call with it. A call without an id could not be known again, and would count
 * twice.
 */
export function isKeptElsewhere(input: HookInput, server: string | undefined): boolean {
  return isOurServer(server) || listCallsOf(input).length > 0;
}

function listCall(input: HookInput): readonly CallRequest[] {
  const { session, agent, client, folder, fields } = input;
  const tool = stringOf(fields, "tool_name") ?? "";
  const dialect = ownListDialect(client, tool);
  if (dialect === undefined || !isObject(fields.tool_input) || isRefusedPlan(fields)) return [];
  const call = stringOf(fields, "tool_use_id");
  const known = callOf(fields);
  const fact = known && factId(session, `${turnOf(input)}/${known}`, "listed");
  const taken = fitListInput(tool, fields.tool_input);
  const origin = { client, call, folder };
  // The client has taken it, whatever its mode is.
  const made = { mode: "default", isMade: true } as const;
  const { tool_list: told } = fields;
  const result = told === undefined || excessOf(told) !== undefined ? undefined : { result: told };
  return [{ dialect, tool, input: taken, ...made, ...result, session, agent, origin, ...(fact && { fact }) }];
}

/** Codex answers a plan that it did not take with a text of its own, and reports that as any other call. */
function isRefusedPlan({ tool_name: tool, tool_response: answer }: HookInput["fields"]): boolean {
  return tool === "update_plan" && typeof answer === "string" && answer !== "Plan updated";
}

/** Where a client's own list tool has its todos, and their texts. */
const LISTS: Readonly<Record<string, { readonly list: string; readonly text: string }>> = {
  TodoWrite: { list: "todos", text: "content" },
  todowrite: { list: "todos", text: "content" },
  update_plan: { list: "plan", text: "step" },
  write_todos: { list: "todos", text: "description" },
  progress_card: { list: "plan", text: "step" },
  plan: { list: "entries", text: "content" },
};

/** Bytes of each text, from what our own tool allows down to a title. */
const TITLE = 200;
const EXPLANATION = 2000;
const TEXTS = [16_000, 2000, TITLE];

/** The input as one value may be. The client has taken it already: long texts are cut, todos without room counted. */
export function fitListInput(tool: string, input: JsonObject): JsonObject {
  if (excessOf(input) === undefined) return input;
  const { list, text } = LISTS[tool] ?? { list: "", text: "" };
  const { [list]: todos, ...others } = input;
  if (!Array.isArray(todos)) return fitValue(input) as JsonObject;
  const rest = fitTexts(others, EXPLANATION);
  for (const bytes of todos.length <= MOST_TODOS ? TEXTS : []) {
    const cut = { ...rest, [list]: todos.map((todo) => fitTexts(todo, bytes)) };
    if (excessOf(cut) === undefined) return cut;
  }
  return { ...rest, [list]: firstTodos(todos, text) };
}

/** More have no room, however short they are. */
const MOST_TODOS = LARGEST_VALUE / 32;

function fitTexts(value: JsonObject, bytes: number): JsonObject;
function fitTexts(value: unknown, bytes: number): unknown;
function fitTexts(value: unknown, bytes: number): unknown {
  if (!isObject(value)) return fitValue(value);
  const fields = Object.entries(value).map(([name, field]) => [
    name,
    typeof field === "string" ? cutText(field, bytes) : excessOf(field) ? fitValue(field) : field,
  ]);
  return Object.fromEntries(fields);
}

/** Room for the todo that stands for the others, and for the fields beside the list. */
const KEPT = LARGEST_VALUE / 2;

/** The first todos, and one more that says how many there are besides. */
function firstTodos(todos: readonly unknown[], text: string): readonly unknown[] {
  const kept: unknown[] = [];
  let room = KEPT;
  for (const todo of todos) {
    const short = fitTexts(todo, TITLE);
    room -= JSON.stringify(short).length;
    if (room < 0) break;
    kept.push(short);
  }
  const left = todos.slice(kept.length);
  const first = fitTexts(left.find(isObject) ?? {}, TITLE);
  const isOver = left.every((todo) => isObject(todo) && todo.status === "completed");
  const mark = `[left out by Milepost: ${counted(left.length, "todo")}]`;
  const form = "activeForm" in first ? { activeForm: mark } : undefined;
  return [...kept, { ...first, [text]: mark, ...form, status: isOver ? "completed" : "pending" }];
}
