import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { callOn } from "../../src/app/calls/tool-call.js";
import { client } from "../hooked-client.js";

// Sessions of the store, as hooks and calls of our tool bring them there, at times of the past.

/** What happened in a session so long ago. */
export interface Step {
  /** Minutes. */
  readonly ago: number;
  readonly act: (told: Telling) => Promise<unknown>;
}

export interface WiredSession {
  readonly session: string;
  readonly folder: string;
  /** Its hooks are those of Codex. */
  readonly isCodex?: boolean;
  readonly steps: readonly Step[];
}

export const ago = (minutes: number, act: Step["act"]): Step => ({ ago: minutes, act });

const MINUTE = 60_000;
const APART = 20;

/** All of them in the order in which they happened: the time of a store never runs backwards. */
export async function playSessions(url: string, sessions: readonly WiredSession[]): Promise<void> {
  mkdirSync(dirname(url), { recursive: true, mode: 0o700 });
  const start = Date.now();
  let now = 0;
  const tick = () => {
    now += APART;
    return now;
  };
  // Calls and todos of one step come one after the other, or nobody could tell which call was for which todo.
  const hooks = await client(undefined, {}, { url, clock: tick });
  const steps = sessions.flatMap((one) => one.steps.map((step) => ({ ...step, told: telling(hooks, one) })));
  for (const { ago: minutes, act, told } of steps.sort((one, other) => other.ago - one.ago)) {
    now = Math.max(now, start - minutes * MINUTE);
    await act(told);
  }
  await hooks.store.close();
}

export type Telling = ReturnType<typeof telling>;

function telling(hooks: Awaited<ReturnType<typeof client>>, { session, folder, isCodex = false }: WiredSession) {
  const turn = isCodex ? { turn_id: "turn-1", transcript_path: null } : {};
  const hook = (event: string, fields: object = {}) =>
    hooks.hook(event, { session_id: session, cwd: folder, ...turn, ...fields });
  const todo = async (input: object, agent?: string) => {
    const origin = { client: isCodex ? "codex" : "claude-code", call: `call-${++calls}`, folder };
    const answer = await callOn(hooks.store, { tool: "todo", input, session, agent, origin });
    if (!answer.ok || answer.value.isError) throw new Error(JSON.stringify(answer));
  };
  return {
    hook,
    todo,
    starts: () => hook("SessionStart", { source: "startup", model: "claude-opus-5" }),
    says: (prompt: string) => hook("UserPromptSubmit", { prompt }),
    /** Todos one after the other: each is worked on for a call, and then done. */
    async finishes(numbers: readonly number[], command?: string) {
      for (const done of numbers) {
        if (command !== undefined) await ended(hook, callFields("Bash", { command }), "ok");
        await todo({ done });
      }
    },
    runs: (command: string, agent?: string) => ended(hook, callFields("Bash", { command }, agent), "ok"),
    edits: (file_path: string) =>
      ended(hook, callFields("Edit", { file_path, old_string: "a", new_string: "b" }), "The file has been updated."),
    async fails(command: string) {
      const fields = callFields("Bash", { command });
      await hook("PreToolUse", fields);
      await hook(isCodex ? "PostToolUse" : "PostToolUseFailure", {
        ...fields,
        ...(isCodex ? { tool_response: "Process exited with code 1\n3 failed" } : { error: "Exit code 1\n3 failed" }),
      });
    },
    /** A call that goes on. */
    begins: (tool: string, input: object, agent?: string) => hook("PreToolUse", callFields(tool, input, agent)),
    asks: (question: string, options: readonly string[]) =>
      hook("PermissionRequest", {
        tool_name: "AskUserQuestion",
        tool_input: { questions: [{ question, options: options.map((label) => ({ label })) }] },
      }),
    async proposes(plan: string) {
      const fields = callFields("ExitPlanMode", { plan, planFilePath: "/plans/plan.md" });
      await hook("PreToolUse", { ...fields, permission_mode: "plan" });
      await hook("PermissionRequest", { ...fields, permission_mode: "plan" });
    },
    startsAgent: (agent_id: string, agent_type: string) => hook("SubagentStart", { agent_id, agent_type }),
    stops: (last_assistant_message: string) => hook("Stop", { stop_hook_active: false, last_assistant_message }),
  };
}

let calls = 0;

function callFields(tool_name: string, tool_input: object, agent?: string) {
  return {
    tool_name,
    tool_input,
    tool_use_id: `call-${++calls}`,
    ...(agent !== undefined && { agent_id: agent }),
  };
}

async function ended(hook: (event: string, fields: object) => Promise<string>, fields: object, stdout: string) {
  await hook("PreToolUse", fields);
  await hook("PostToolUse", { ...fields, tool_response: { stdout, stderr: "", interrupted: false } });
}
