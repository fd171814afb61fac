import type { JsonObject } from "../../core/json.js";
import { loadsFirst } from "../../dialects/wording/python-json.js";
import { fromJson, isDict, isList, isTrue, type PythonDict } from "../../dialects/wording/python-value.js";
import {
  type AcpContent,
  type AcpLocation,
  type AcpToolCall,
  type AcpToolCallUpdate,
  textContent,
} from "../acp/session-update.js";
import { hermesTitle } from "./hermes-titles.js";
import { todoEndText, todoStartText } from "./hermes-todo-texts.js";
import { type HermesEdition, hermesKind, isCurated, isTodoTool } from "./hermes-tools.js";
import { answerDict, argumentsOf, cutLong, printedAt, saidAt } from "./hermes-values.js";

export interface StartingCall {
  readonly id: string;
  readonly tool: string;
  readonly preview?: string | undefined;
  /** As they came with the callback: an object, or its JSON text. */
  readonly args: unknown;
}

/** Without a status: Hermes sets none. */
export function startUpdate({ id, tool, preview, args: told }: StartingCall, edition: HermesEdition): AcpToolCall {
  const call = { sessionUpdate: "tool_call", toolCallId: id, kind: hermesKind(tool) } as const;
  const input = argumentsOf(told);
  const args = fromJson(input);
  if (!input || !isDict(args)) return { ...call, title: tool.toWellFormed(), locations: [] };
  const title = hermesTitle({ tool, args, preview }, edition).toWellFormed();
  const isKnown = isCurated(tool, edition);
  const content = startContent({ tool, args, input, isKnown });
  return {
    ...{ ...call, title },
    ...(content && { content }),
    locations: locationsOf(args),
    ...(!isKnown && args.size > 0 && { rawInput: input }),
  };
}

interface ShownCall {
  readonly tool: string;
  readonly args: PythonDict;
  readonly input: JsonObject;
  readonly isKnown: boolean;
}

const SHORT = 1200;

/** What is said of a call that starts; nothing where title and location say it all. */
function startContent({ tool, args, input, isKnown }: ShownCall): readonly AcpContent[] | undefined {
  if (isTodoTool(tool)) return textContent(todoStartText(args));
  if (Object.hasOwn(START_TEXTS, tool)) {
    const text = START_TEXTS[tool]?.(args);
    return text === undefined ? undefined : textContent(text);
  }
  if (isKnown) return textContent(cutLong(asciiJson(input), SHORT));
  return args.size === 0 ? undefined : textContent(asciiJson(input));
}

const START_TEXTS: Readonly<Record<string, (args: PythonDict) => string | undefined>> = {
  read_file: () => undefined,
  web_extract: () => undefined,
  terminal: (args) => `$ ${printedAt(args, "command", "")}`,
  search_files: (args) => {
    const what = `Searching for '${printedAt(args, "pattern", "")}' (${printedAt(args, "target", "content")})`;
    const path = saidAt(args, ["path"]);
    return path === "" ? what : `${what} in ${path}`;
  },
  web_search: (args) => {
    const query = saidAt(args, ["query"]);
    return query === "" ? "Searching the web" : `Searching the web for: ${query}`;
  },
};

/** `json.dumps(value, indent=2)`. */
function asciiJson(value: JsonObject): string {
  const text = JSON.stringify(value, null, 2);
  return text.replace(/[\u007f-\uffff]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

const LINE_MAX = 0xffff_ffff;

function locationsOf(args: PythonDict): readonly AcpLocation[] {
  const path = args.get("path");
  if (typeof path !== "string" || path === "") return [];
  const told = isTrue(args.get("offset")) ? args.get("offset") : args.get("line");
  const line = typeof told === "bigint" ? Number(told) : 0;
  const isLine = line > 0 && line <= LINE_MAX;
  return [{ path: path.toWellFormed(), ...(isLine && { line }) }];
}

export interface EndingCall {
  readonly id: string;
  readonly tool: string;
  readonly result: string | undefined;
  /** The executor says that it went wrong, whatever the text says. */
  readonly isError?: boolean | undefined;
}

export function endUpdate(
  { id, tool, result, isError = false }: EndingCall,
  edition: HermesEdition,
): AcpToolCallUpdate {
  const hasFailed = isError || isFailure(result, tool, edition);
  const content = endContent({ tool, result, hasFailed, edition });
  const isPlain = result !== undefined && !isCurated(tool, edition) && !isStructured(result);
  return {
    ...{ sessionUpdate: "tool_call_update", toolCallId: id, kind: hermesKind(tool) },
    status: hasFailed ? "failed" : "completed",
    ...(content && { content }),
    ...(isPlain && { rawOutput: result.toWellFormed() }),
  };
}

interface ShownAnswer {
  readonly tool: string;
  readonly result: string | undefined;
  readonly hasFailed: boolean;
  readonly edition: HermesEdition;
}

function endContent({ tool, result, hasFailed, edition }: ShownAnswer): readonly AcpContent[] | undefined {
  // Whole pages: only what went wrong with them is shown.
  if (tool === "web_extract" && !hasFailed) return undefined;
  const list = isTodoTool(tool) ? todoEndText(result, edition) : undefined;
  return textContent(list ?? cutLong(result ?? ""));
}

function isStructured(result: string): boolean {
  const value = loadsFirst(result);
  return isDict(value) || isList(value);
}

/** Only what is said in fields: words about errors may be what a tool was asked to print. */
function isFailure(result: string | undefined, tool: string, edition: HermesEdition): boolean {
  if (result?.startsWith("Error executing tool '")) return true;
  const answer = answerDict(result);
  if (!answer) return false;
  if (answer.get("success") === false || answer.get("ok") === false) return true;
  const code = answer.has("exit_code") ? answer.get("exit_code") : answer.get("returncode");
  // To Python, True is the number 1.
  if (code === true || (typeof code === "bigint" && code !== 0n)) return true;
  return isCurated(tool, edition) && isTrue(answer.get("error")) && !isTrue(answer.get("content"));
}

const NO_RESULT = "This tool call ended without a result (blocked, denied, or interrupted).";

/** For a call that is still open when its turn ends. */
export function abandonedUpdate({ id, tool }: { readonly id: string; readonly tool: string }): AcpToolCallUpdate {
  const content = textContent(NO_RESULT);
  return { sessionUpdate: "tool_call_update", toolCallId: id, kind: hermesKind(tool), status: "failed", content };
}
