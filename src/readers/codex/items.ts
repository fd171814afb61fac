import { isObject, type JsonObject, listAt, objectAt, oneLine, sessionAt, textAt } from "../../core/json.js";
import { ownListInput } from "../own-list-calls.js";
import { type CallNote, commandLine, noteOf, subjectOf } from "./call-records.js";
import { COMPLETED, failed, type Outcome, outcomeOfExit, outputText } from "./outcome.js";
import type { ListWrite } from "./plan-calls.js";

/** Rollouts write `CommandExecution`, the app-server `commandExecution`, `codex exec` `command_execution`. */
export function kindOf(item: JsonObject): string {
  return (oneLine(item.type) ?? "").replaceAll("_", "").toLowerCase();
}

const CALLS: Readonly<Record<string, (item: JsonObject) => CallNote>> = {
  commandexecution: ({ command }) => noteOf({ tool: "exec_command", subject: commandLine(command) }),
  filechange: ({ changes }) => noteOf({ tool: "apply_patch", subject: oneLine(pathsOf(changes).join(", ")) }),
  mcptoolcall: (item) => noteOf({ ...named(item), server: nameAt(item.server) }),
  dynamictoolcall: (item) => noteOf(named(item)),
  collabtoolcall: collabNote,
  collabagenttoolcall: collabNote,
  websearch: ({ query }) => noteOf({ tool: "web_search", subject: oneLine(query) }),
  imageview: ({ path }) => noteOf({ tool: "view_image", subject: oneLine(path) }),
  imagegeneration: (item) => noteOf({ tool: "image_generation", subject: oneLine(item.revised_prompt) }),
};

/** A call as an item tells of it, and what it changes where it is one of our own `todo`. */
export interface CallItem {
  readonly note: CallNote;
  readonly write?: ListWrite | undefined;
}

/** Undefined for messages, thoughts and what we do not know. */
export function callOfItem(item: JsonObject): CallItem | undefined {
  const kind = kindOf(item);
  // A person's own command in the middle of a session is none of the agent's calls.
  if (/^user_?shell$/i.test(textAt(item.source) ?? "")) return undefined;
  const note = Object.hasOwn(CALLS, kind) ? CALLS[kind]?.(item) : undefined;
  return note && { note, write: ownWrite(note, item.arguments) };
}

/** What a call of our own `todo` wants to change. */
export function ownWrite({ server, tool }: Pick<CallNote, "server" | "tool">, input: unknown): ListWrite | undefined {
  const own = server === undefined ? undefined : ownListInput(`mcp__${server}__${tool}`, input);
  return own && { own };
}

const NAME_MAX = 100;

function nameAt(value: unknown): string {
  return oneLine(value, NAME_MAX) ?? "unknown";
}

function named({ tool, arguments: input }: JsonObject): Pick<CallNote, "tool" | "subject"> {
  return { tool: nameAt(tool), subject: subjectOf(objectAt(input)) };
}

function collabNote({ tool, prompt }: JsonObject): CallNote {
  return noteOf({ tool: nameAt(tool), subject: oneLine(prompt) });
}

const MOST_PATHS = 10;

/** By path in rollouts, a list elsewhere. */
function pathsOf(changes: unknown): readonly string[] {
  const paths = isObject(changes)
    ? Object.keys(changes)
    : listAt(changes).map((change) => textAt(objectAt(change).path));
  return paths.slice(0, MOST_PATHS).filter((path) => path !== undefined);
}

const FAILED: readonly unknown[] = ["failed", "declined"];
const CANCELLED: readonly unknown[] = ["cancelled", "interrupted"];

export function outcomeOfItem(item: JsonObject): Outcome {
  const { status, error, success } = item;
  const exit = outcomeOfExit(item.exit_code ?? item.exitCode);
  if (exit.status === "failed") return exit;
  const result = objectAt(item.result);
  const isError = result.isError === true || result.is_error === true;
  const problem = textAt(error) ?? textAt(objectAt(error).message);
  const isTold = isError || isObject(error) || problem !== undefined;
  if (FAILED.includes(status) || success === false || isTold) return failed(problem ?? (outputText(result) || status));
  return CANCELLED.includes(status) ? { status: "cancelled" } : COMPLETED;
}

const MOST_AGENTS = 50;

/** Threads that this call made, waited for or ended: sub-agents. What is sent somewhere may go to anybody. */
export function subagentsOf(item: JsonObject): readonly string[] {
  const isCollab = kindOf(item).startsWith("collab") && !/^send/i.test(nameAt(item.tool));
  if (!isCollab) return [];
  return listAt(item.receiver_thread_ids ?? item.receiverThreadIds)
    .slice(0, MOST_AGENTS)
    .map(sessionAt)
    .filter((id) => id !== undefined);
}

/** What a person, the agent or a plan says in an item. */
export function textOfItem({ text, content }: JsonObject): string | undefined {
  return textAt(typeof text === "string" ? text : outputText(content));
}

const ITEMS_BY_EVENT: ReadonlyMap<unknown, string> = new Map([
  ["exec_command_end", "CommandExecution"],
  ["patch_apply_end", "FileChange"],
  ["web_search_end", "WebSearch"],
  ["dynamic_tool_call_response", "DynamicToolCall"],
]);

/** What older versions told by events of their own. */
export function itemOfEvent(event: JsonObject): JsonObject | undefined {
  const { type: name, call_id: id } = event;
  const { Ok: result, Err: error } = objectAt(event.result);
  if (name === "mcp_tool_call_end") return { ...objectAt(event.invocation), type: "McpToolCall", id, result, error };
  const type = ITEMS_BY_EVENT.get(name);
  return type === undefined ? undefined : { ...event, type, id };
}
