import { splitName } from "../../core/call/tool-kind.js";
import { firstLine, isObject, type JsonObject, listAt, objectAt, oneLine } from "../../core/json.js";

/** A tool by name, and what it was called with. */
export interface NamedTool {
  readonly tool: string;
  readonly server?: string | undefined;
  readonly input: unknown;
  readonly knownBy: NameSource;
}

/** How sure the name is, the surest last: only the sort of tool is known, the title looks like it, or it was told. */
export const NAME_SOURCES = ["kind", "title", "name"] as const;
export type NameSource = (typeof NAME_SOURCES)[number];

const NAME_MAX = 100;

/** Names as tools have them: no blanks, no sentence. */
const PLAIN = /^[\w.:/-]{1,100}$/;

/**
 * The protocol asks for a title only. Who tells the name of the tool does it in one of several places; else the title
 * may be the name, or begin with it; else there is only the kind.
 */
export function toolOf(update: JsonObject): NamedTool {
  const { rawInput, title, kind } = update;
  const input = objectAt(rawInput);
  // Codex: `Tool: server/tool`, with both names and the arguments in the input.
  if (typeof input.server === "string" && typeof input.tool === "string" && isObject(input.arguments))
    return {
      tool: nameAt(input.tool) ?? "tool",
      server: nameAt(input.server),
      input: input.arguments,
      knownBy: "name",
    };
  const told = toldName(update) ?? nameInId(update);
  // Copilot: what the model says the call is for.
  const isPurpose = title !== undefined && title === input.description;
  const shown = told ?? (isPurpose ? undefined : titleName(oneLine(title) ?? "", kind));
  const knownBy = told !== undefined ? "name" : shown !== undefined ? "title" : "kind";
  return { ...withServer(shown ?? nameAt(kind) ?? "tool", update), input: rawInput, knownBy };
}

/** Gemini CLI: `write_todos__call_1`. */
function nameInId({ toolCallId }: JsonObject): string | undefined {
  const [, name] = /^([a-z]\w*?)__\w/i.exec(oneLine(toolCallId) ?? "") ?? [];
  return nameAt(name);
}

function toldName({ name, _meta: meta }: JsonObject): string | undefined {
  const told = objectAt(meta);
  return nameAt(name) ?? nameAt(objectAt(told.claudeCode).toolName) ?? nameAt(told.toolName);
}

/**
 * A shell prompt before a command says which tool it was; what stands before a colon is the tool, or a word for it. A
 * title with a kind beside it is mostly written for people: a path, `Thinking`, `Searching: x`.
 */
function titleName(title: string, kind: unknown): string | undefined {
  if (title.startsWith("$ ") || kind === "execute") return title.startsWith("$ ") ? "bash" : undefined;
  const [head = ""] = title.split(": ", 1);
  const looksLike = kind === undefined || kind === "other" ? TITLE_NAME : PLAIN_WORD;
  return looksLike.test(head) ? head : undefined;
}

const TITLE_NAME = /^[\w:-]{1,100}$/;
const PLAIN_WORD = /^[a-z][\w-]{0,99}$/;

/** Other agents put the server's name before the tool's in ways of their own: `milepost_todo`, `mcp_milepost_todo`. */
const OURS = /^(?:mcp_)?milepost[_-](todo|task|plan)$/;

/** oh-my-pi has one underscore between server and tool, and tells both names with the answer alone. */
const ONE_UNDERSCORE = /^mcp__([^_]+)_([^_].*)$/s;

function withServer(name: string, { rawOutput, _meta: meta }: JsonObject): Pick<NamedTool, "tool" | "server"> {
  const split = splitName({ tool: name });
  if (split.server !== undefined) return split;
  const [, ours] = OURS.exec(name) ?? [];
  if (ours !== undefined) return { tool: ours, server: "milepost" };
  const { serverName, mcpToolName } = objectAt(objectAt(rawOutput).details);
  const server = nameAt(serverName) ?? nameAt(objectAt(meta).serverId);
  const [, before, after] = ONE_UNDERSCORE.exec(name) ?? [];
  if (server !== undefined) return { tool: nameAt(mcpToolName) ?? after ?? name, server };
  return before === undefined || after === undefined ? { tool: name } : { tool: after, server: before };
}

function nameAt(value: unknown): string | undefined {
  const name = oneLine(value, NAME_MAX);
  return name !== undefined && PLAIN.test(name) ? name : undefined;
}

const SUBJECTS = ["command", "cmd", "file_path", "path", "pattern", "url", "query", "description"];

/** What it is about: what was given to it, else its title. */
export function subjectOf(input: unknown, title: unknown): string | undefined {
  const given = isObject(input) ? firstLine(input, SUBJECTS) : undefined;
  return given ?? oneLine(title);
}

/** What came back, in the field that its agent uses. */
export function outputOf({ rawOutput, content, _meta: meta }: JsonObject): unknown {
  if (rawOutput !== undefined && rawOutput !== null) return rawOutput;
  const texts = listAt(content).flatMap((block) => textIn(objectAt(objectAt(block).content)));
  return texts.length > 0 ? texts : objectAt(objectAt(meta).claudeCode).toolResponse;
}

function textIn({ type, text }: JsonObject): readonly JsonObject[] {
  return type === "text" && typeof text === "string" ? [{ type, text }] : [];
}

/** Why it failed, in one line. */
export function problemOf(output: unknown): string | undefined {
  if (typeof output === "string") return oneLine(output);
  if (Array.isArray(output)) return problemOf(objectAt(output[0]).text);
  const { error, message, content, output: text } = objectAt(output);
  return (
    oneLine(error) ?? oneLine(message) ?? oneLine(text) ?? (Array.isArray(content) ? problemOf(content) : undefined)
  );
}
