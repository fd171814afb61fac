import { isObject, listAt, objectAt, textAt } from "../../../core/json.js";
import { realCall } from "../../../readers/qwen/qwen-calls.js";
import { type Fields, type HookInput, stringOf } from "../hook-input.js";
import type { ClientHooks } from "./client-hooks.js";

/** Qwen Code names its hooks and their fields as Claude Code does, and differs in what some of them hold. */
export const qwenHooks: ClientHooks = {
  read(fields) {
    if (fields.hook_event_name === "UserPromptSubmit") return promptOf(fields);
    return "tool_name" in fields ? callFields(fields) : withCrons(fields);
  },
  answer({ event }, text) {
    if (event === "Stop") return JSON.stringify({ decision: "block", reason: text });
    const said =
      event === "PreToolUse"
        ? { permissionDecision: "deny", permissionDecisionReason: text }
        : { additionalContext: text };
    return JSON.stringify({ hookSpecificOutput: { hookEventName: event, ...said } });
  },
  whenSaid: ({ event }) => WHEN[event],
};

/** What is said at a start reaches no request; before a compaction only the one that makes the summary. */
const WHEN: Readonly<Record<string, HookInput["said"]>> = { SessionStart: "later", PreCompact: "twice" };

/** It comes before every request: with what a person typed only once, else empty, or with a hook's own words. */
function promptOf(fields: Fields): Fields | undefined {
  const typed = stringOf(fields, "submitted_prompt");
  return typed === undefined || typed === "" ? undefined : { ...fields, prompt: typed };
}

/** Hooks of a call have an id of their own for it; the model's is in the transcript, too. */
function callFields(fields: Fields): Fields {
  const name = stringOf(fields, "tool_name") ?? "";
  const real = realCall(name, objectAt(fields.tool_input));
  const id = stringOf(fields, "tool_call_id") ?? fields.tool_use_id;
  const answer = "tool_response" in fields ? { tool_response: answerOf(fields.tool_response) } : undefined;
  return { ...fields, ...answer, tool_name: real.name, tool_input: real.input, tool_use_id: id };
}

/** What the model reads of it, in one text; of a command up to its exit code. */
function answerOf(response: unknown): unknown {
  const { llmContent } = objectAt(response);
  if (llmContent === undefined) return response;
  const text = typeof llmContent === "string" ? llmContent : textsIn(llmContent).join("\n");
  const end = EXIT.exec(text.slice(-LAST_LINES));
  return end ? text.slice(0, text.length - end[0].length) : text;
}

const LAST_LINES = 400;
const EXIT = /(?<=\nExit Code: [^\n]{1,20})\nSignal: [\s\S]*$/;

function textsIn(parts: unknown): readonly string[] {
  return (Array.isArray(parts) ? listAt(parts) : [parts]).filter(isObject).flatMap(({ text }) => textAt(text) ?? []);
}

function withCrons({ crons, ...fields }: Fields): Fields {
  return crons === undefined ? fields : { ...fields, session_crons: crons };
}
