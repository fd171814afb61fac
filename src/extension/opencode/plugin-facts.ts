import { contentText, type Fields, fieldsOf, textOf } from "../host-values.js";

// opencode's events as the hooks that we know, in the fields of Claude Code's. Pure.

const SERVER = "milepost";

/** By what name opencode's model calls a tool of ours: as it would be with an entry in its list of servers. */
export function offeredName(tool: string): string {
  return `${SERVER}_${tool}`;
}

export function isOurs(tool: string): boolean {
  return tool.startsWith(`${SERVER}_`);
}

export interface MadeCall {
  readonly tool: string;
  readonly call: string;
  readonly input: unknown;
}

export function callFields({ tool, call, input }: MadeCall): Fields {
  const name = isOurs(tool) ? `mcp__${SERVER}__${tool.slice(SERVER.length + 1)}` : tool;
  return { tool_name: name, tool_use_id: call, tool_input: input };
}

/** How a call has ended, by what its tool answered: a command that ended badly is no error to opencode. */
export function answeredCall(made: MadeCall, answer: Fields): Fields {
  const { metadata, content, isError } = answer;
  const output = textOf(answer.output) ?? contentText(content);
  const { exit } = fieldsOf(metadata);
  const response = typeof exit === "number" ? { stdout: output, exitCode: exit } : output;
  const fields = { ...callFields(made), tool_response: response };
  const failure = isError === true ? { error: output } : badEnd(exit, output);
  if (!failure) return { hook_event_name: "PostToolUse", ...fields };
  return { hook_event_name: "PostToolUseFailure", ...fields, ...failure };
}

/** Null: the command did not come to its end. A person stopped it, or its time was over. */
function badEnd(exit: unknown, output: string): Fields | undefined {
  if (exit === null) return STOPPED.test(output) ? { is_interrupt: true } : { error: "timed out" };
  return typeof exit === "number" && exit !== 0 ? { error: `exit code ${exit}` } : undefined;
}

const STOPPED = /\nUser aborted the command\n<\/shell_metadata>\s*$/;

/** A call that was refused, or whose tool failed: only its part of the message tells. */
export function failedCall(part: Fields): (MadeCall & { readonly error: string }) | undefined {
  const { type, tool, callID: call, state } = part;
  const { status, input, error } = fieldsOf(state);
  if (type !== "tool" || status !== "error") return undefined;
  if (typeof tool !== "string" || typeof call !== "string") return undefined;
  return { tool, call, input, error: textOf(error) ?? "" };
}

/** What opencode tells of a session that is waited for: a permission, or questions of the model. */
export function askedFields(type: string, told: Fields): Fields | undefined {
  if (type === "permission.asked") {
    const { permission, patterns, metadata } = told;
    const asked = Array.isArray(patterns) ? patterns.filter((one) => typeof one === "string").join(", ") : "";
    // Of an edit it tells the whole difference.
    const { command, url, query } = fieldsOf(metadata);
    const input = { command, url, query, pattern: asked };
    return { hook_event_name: "PermissionRequest", tool_name: textOf(permission) ?? "permission", tool_input: input };
  }
  if (type === "question.asked")
    return {
      hook_event_name: "PermissionRequest",
      tool_name: "AskUserQuestion",
      tool_input: { questions: told.questions },
    };
  if (!ANSWERS.includes(type)) return undefined;
  return { hook_event_name: "Notification", notification_type: "elicitation_complete", message: "" };
}

const ANSWERS = ["permission.replied", "question.replied", "question.rejected"];

const ABORTED = "MessageAbortedError";
const TOO_MANY = 429;

/** What does not fit into the model's context is summed up, and the turn goes on; without that it ends. */
export function isOverflow(error: unknown): boolean {
  return fieldsOf(error).name === "ContextOverflowError";
}

/** A turn that did not come to its end. */
export function brokenTurn(error: unknown): Fields {
  const { name, data } = fieldsOf(error);
  if (name === ABORTED) return { hook_event_name: "Interrupt" };
  const { message, statusCode } = fieldsOf(data);
  const kind = statusCode === TOO_MANY ? "rate_limit" : textOf(name);
  return { hook_event_name: "StopFailure", error: kind, last_assistant_message: textOf(message) };
}

/** What a person has typed: opencode adds parts of its own. */
export function typedText(parts: readonly Fields[]): string {
  return parts
    .filter(({ type, synthetic }) => type === "text" && synthetic !== true)
    .flatMap(({ text }) => textOf(text) ?? [])
    .join("\n");
}

/** In the form that opencode's own words to its model have. The words name todos, which anybody may have written. */
export function reminder(words: readonly string[]): string {
  const text = words.join("\n\n").replace(/<(?=\/?system-reminder)/gi, "&lt;");
  return `<system-reminder>\n${text}\n</system-reminder>`;
}

/** A call's part of a message, with words behind what the model reads of it. */
export function answerWith(part: Fields, words: string): Fields {
  const state = fieldsOf(part.state);
  const place = state.status === "error" ? "error" : "output";
  const text = state[place];
  if (typeof text !== "string" || text.endsWith(words)) return part;
  return { ...part, state: { ...state, [place]: `${text}\n\n${words}` } };
}

/** Our list in place of its own: what the person's configuration says last counts. */
export function withoutOwnList(permission: unknown): Fields {
  const { [OWN_LIST]: _, ...others } = typeof permission === "string" ? { "*": permission } : fieldsOf(permission);
  return { ...others, [OWN_LIST]: "deny" };
}

const OWN_LIST = "todowrite";

/** A server that a person has added: it has the same tools by the same names, and is not told which session calls. */
export function withoutOurServer(servers: unknown): unknown {
  const { [SERVER]: ours } = fieldsOf(servers);
  return ours === undefined ? servers : { ...fieldsOf(servers), [SERVER]: { ...fieldsOf(ours), enabled: false } };
}
