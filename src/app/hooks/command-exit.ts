import { objectAt, parseJson } from "../../core/json.js";
import { endOf } from "../transcripts/file-peek.js";
import { type HookInput, stringOf } from "./hook-input.js";

/** What Codex writes about one call, besides the command's own output. Bytes. */
const AROUND = 65_536;
const MOST = 2_097_152;
const ITEM = '"CommandExecution"';

/**
 * Codex reports a command as done however it ended, and its hooks are told no exit code. It has written it to its
 * rollout before the hook runs. Undefined where that cannot be found.
 */
export function exitInRollout(
  { client, event, transcript, fields }: HookInput,
  call: string | undefined,
): number | undefined {
  if (client !== "codex" || event !== "PostToolUse" || transcript === undefined || call === undefined) return undefined;
  if (!COMMANDS.includes(stringOf(fields, "tool_name") ?? "")) return undefined;
  // The line holds the command's output, in JSON.
  const length = 3 * (stringOf(fields, "tool_response") ?? "").length;
  const text = endOf(transcript, Math.min(MOST, AROUND + length));
  const at = text.lastIndexOf(`"id":${JSON.stringify(call)}`);
  if (at < 0) return undefined;
  const line = text.slice(
    text.lastIndexOf("\n", at) + 1,
    text.indexOf("\n", at) < 0 ? undefined : text.indexOf("\n", at),
  );
  if (!line.includes(ITEM)) return undefined;
  const { exit_code: code } = objectAt(objectAt(objectAt(parseJson(line)).payload).item);
  return Number.isSafeInteger(code) ? Number(code) : undefined;
}

const COMMANDS = ["Bash", "exec_command", "shell", "local_shell", "unified_exec"];
