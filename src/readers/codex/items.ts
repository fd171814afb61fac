import { isObject, type JsonObject, listAt, objectAt, oneLine, textAt } from "../../core/json.js";
import { ownListInput } from "../own-list-calls.js";
import { type CallNote, callOf, commandLine, shellCommand, subjectOf, type ToldCall } from "./call-records.js";
import { type CallAnswer, COMPLETED, exitAt, failed, type Outcome, outcomeOfExit, outputText } from "./outcome.js";
import type { ListWrite } from "./plan-calls.js";

/** Rollouts write `CommandExecution`, the app-server `commandExecution`, `codex exec` `command_execution`. */
export function kindOf(item: JsonObject): string {
  return (oneLine(item.type) ?? "").replaceAll("_", "").toLowerCase();
}

const CALLS: Readonly<Record<string, (item: JsonObject) => ToldCall>> = {
  commandexecution: ({ command }) =>
    callOf({ tool: "exec_command", subject: commandLine(command) }, { cmd: shellCommand(command) }),
  filechange: ({ changes }) =>
    callOf({ tool: "apply_patch", subject: oneLine(pathsOf(changes).join(", ")) }, patchOf(changes)),
  mcptoolcall: (item) => callOf({ ...named(item), server: nameAt(item.server) }, item.arguments),
  dynamictoolcall: (item) => callOf(named(item), item.arguments),
  collabtoolcall: collabCall,
  collabagenttoolcall: collabCall,
  websearch: ({ query }) => callOf({ tool: "web_search", subject: oneLine(query) }, { query }),
  imageview: ({ path }) => callOf({ tool: "view_image", subject: oneLine(path) }, { path }),
  imagegeneration: ({ revised_prompt: prompt }) =>
    callOf({ tool: "image_generation", subject: oneLine(prompt) }, { prompt }),
};

/** A call as an item tells of it, and what it changes where it is one of our own `todo`. */
export interface CallItem {
  /** Only asked for where nothing else has told of the call: most are known when their item comes. */
  told(): ToldCall;
  readonly write?: ListWrite | undefined;
}

/** Undefined for messages, thoughts and what we do not know. */
export function callOfItem(item: JsonObject): CallItem | undefined {
  const kind = kindOf(item);
  // A person's own command in the middle of a session is none of the agent's calls.
  if (/^user_?shell$/i.test(textAt(item.source) ?? "")) return undefined;
  const read = Object.hasOwn(CALLS, kind) ? CALLS[kind] : undefined;
  if (!read) return undefined;
  const isServers = kind === "mcptoolcall";
  const named = isServers ? { server: nameAt(item.server), tool: nameAt(item.tool) } : undefined;
  return { told: () => read(item), write: named && ownWrite(named, item.arguments) };
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

function collabCall(item: JsonObject): ToldCall {
  const { tool, prompt } = item;
  const to = item.receiver_thread_ids ?? item.receiverThreadIds;
  return callOf({ tool: nameAt(tool), subject: oneLine(prompt) }, { prompt, to });
}

const MOST_PATHS = 10;

/** By path in rollouts, a list elsewhere. */
function pathsOf(changes: unknown): readonly string[] {
  const paths = isObject(changes)
    ? Object.keys(changes)
    : listAt(changes).map((change) => textAt(objectAt(change).path));
  return paths.slice(0, MOST_PATHS).filter((path) => path !== undefined);
}

/** The changes as the patch that made them, as far as the item tells: `codex exec` tells only which files. */
function patchOf(changes: unknown): string {
  const files = isObject(changes)
    ? Object.entries(changes)
    : listAt(changes).map((change) => [textAt(objectAt(change).path) ?? "", change] as const);
  const parts = files.slice(0, MOST_PATHS).map(([path, change]) => changedFile(path, objectAt(change)));
  return ["*** Begin Patch", ...parts].join("\n");
}

const VERBS: ReadonlyMap<unknown, string> = new Map([
  ["add", "Add"],
  ["delete", "Delete"],
]);

function changedFile(path: string, change: JsonObject): string {
  const { type, kind, unified_diff: diff, diff: text, content } = change;
  const verb = VERBS.get(type ?? (isObject(kind) ? kind.type : kind)) ?? "Update";
  const sign = verb === "Add" ? "+" : "-";
  const whole = typeof content === "string" ? content.replace(/^/gm, sign) : "";
  return `*** ${verb} File: ${path}\n${textAt(diff) ?? textAt(text) ?? whole}`;
}

const FAILED: readonly unknown[] = ["failed", "declined"];
const CANCELLED: readonly unknown[] = ["cancelled", "interrupted"];

/** How it ended, and what came back: in which field depends on what it was. */
export function answerOfItem(item: JsonObject): CallAnswer {
  const { aggregated_output: all, aggregatedOutput: whole, stdout, stderr, result, content_items: items } = item;
  const output = all ?? whole ?? result ?? items ?? (stdout === undefined ? undefined : [stdout, stderr].join("\n"));
  const outcome = outcomeOfItem(item);
  const error = output === undefined ? outcome.problem : undefined;
  return { outcome, output, error, exit: exitAt(item.exit_code ?? item.exitCode) };
}

function outcomeOfItem(item: JsonObject): Outcome {
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
