import { isObject, type JsonObject, listAt, objectAt, textAt } from "../../core/json.js";

// What Gemini CLI puts around the answers of tools: for its own hooks, in its transcripts, and before its model.

/** Around what comes from a server or a command. */
const UNTRUSTED = /^<untrusted_context>\n([\s\S]*)\n<\/untrusted_context>$/;
/** What hooks have said stands behind the answer. */
const HOOK_CONTEXT = "\n\n<hook_context>";

/** An answer as the tool itself gave it. */
export function bareAnswer(text: string): string {
  const at = text.indexOf(HOOK_CONTEXT);
  const own = at < 0 ? text : text.slice(0, at);
  const [, inner] = (own.startsWith("<untrusted_context>") ? UNTRUSTED.exec(own) : undefined) ?? [];
  return inner ?? own;
}

/** What hooks have said at the start of a session stands before the first prompt, in the same text. */
export function withoutHookContext(prompt: string): string {
  return prompt.replace(/^\s*<hook_context>[\s\S]*?<\/hook_context>\s*/, "");
}

/** `content`: a text, a part of a message, or several. What the model has thought is not said. */
export function partsText(content: unknown): string {
  if (typeof content === "string") return content.toWellFormed();
  const parts = isObject(content) ? [content] : listAt(content);
  return parts.map((part) => (typeof part === "string" ? part : textOf(objectAt(part)))).join("");
}

function textOf({ text, thought }: JsonObject): string {
  return thought === true ? "" : (textAt(text) ?? "");
}

const SHELL = "run_shell_command";
/** Behind the output of a command that has ended: lines of the client's own, in this order. */
const SHELL_END =
  /(?:\nExit Code: (-?\d{1,10}))?(\nSignal: \S+)?(?:\nBackground PIDs: [\d, ]+)?(?:\nProcess Group PGID: \d+)?$/;
const LOOKED_AT = 2000;

/** The exit code of a command that has ended; undefined for other tools, and where nobody knows. */
export function shellExit(tool: string, answer: string): number | undefined {
  if (tool !== SHELL || !answer.startsWith("Output: ")) return undefined;
  const [, code, signal] = SHELL_END.exec(answer.slice(-LOOKED_AT)) ?? [];
  if (code !== undefined) return Number(code);
  return signal === undefined ? 0 : undefined;
}

/** `mcp_SERVER_TOOL`. Neither name is known to have no `_` in it: who knows the server's says so. */
const MCP_TOOL = /^mcp_([^_]+)_(.+)$/s;

interface NameTold {
  readonly server?: string | undefined;
  readonly tool?: string | undefined;
}

/** A tool's name and its server's. `told`: both, as the client tells them beside the name. */
export function geminiTool(name: string, told?: NameTold) {
  const [, server, tool] = MCP_TOOL.exec(name) ?? [];
  return told?.server ? { server: told.server, tool: told.tool ?? tool ?? name } : { server, tool: tool ?? name };
}
