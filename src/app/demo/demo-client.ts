import { isObject, parseJson } from "../../core/json.js";
import type { Result } from "../../core/result.js";
import { answerHook } from "../hooks/answer-hook.js";
import { hookInputOf } from "../hooks/hook-input.js";
import type { Milepost } from "../milepost.js";
import { DEFAULT_SETTINGS } from "../settings.js";
import { DEMO_FOLDER, DEMO_LIST } from "./demo-context.js";
import type { DemoAct, DemoAgent, DemoAnswer } from "./demo-moment.js";

/** The ids that the clients gave their sessions. */
export const DEMO_SESSIONS: Readonly<Record<DemoAgent, string>> = {
  "claude-code": "7c1d9a52-5b0e-4e63-9f3a-2d84c6b1e0f7",
  codex: "019a3f6e-11c4-7d20-8a95-6be1d0c47f23",
};

type Answers = readonly DemoAnswer[];
type Pause = (milliseconds: number) => Promise<void>;
type ActOf<Type extends DemoAct["type"]> = Extract<DemoAct, { readonly type: Type }>;

/** A client as Milepost knows it: by its hooks, and by the tool calls that reach its server. */
export class DemoClient {
  readonly #milepost: Milepost;
  readonly #agent: DemoAgent;
  #turn = 0;
  #calls = 0;
  #mode: "plan" | "default" = "default";
  /** The call that waits for the person. */
  #asked: { readonly id: string; readonly tool: string; readonly input: object } | undefined;

  constructor(milepost: Milepost, agent: DemoAgent) {
    this.#milepost = milepost;
    this.#agent = agent;
  }

  async hook({ event, fields = {} }: Pick<ActOf<"hook">, "event" | "fields">): Promise<Answers> {
    if (event === "UserPromptSubmit") this.#turn += 1;
    const { permission_mode: mode } = fields as { readonly permission_mode?: unknown };
    if (mode === "plan" || mode === "default") this.#mode = mode;
    // No process: this one is not the client's, and a client that is not there would look as if it had ended.
    const input = hookInputOf({ ...this.#common(event), ...fields }, "", {});
    if (!input.ok) return [{ to: "hook", text: input.error, isError: true }];
    return saidIn(await answerHook(this.#milepost.store, input.value, DEFAULT_SETTINGS));
  }

  async tool({ tool, input, takes, output, error }: ActOf<"tool">, pause: Pause): Promise<Answers> {
    const call = { tool_name: tool, tool_use_id: this.#nextId(), tool_input: input };
    const before = await this.hook({ event: "PreToolUse", fields: call });
    await pause(takes);
    return [...before, ...(await this.#ended({ ...call, duration_ms: takes }, { output, error }))];
  }

  async call({ tool, input }: ActOf<"call">): Promise<Answers> {
    const id = this.#nextId();
    const call = { tool_name: `mcp__milepost__${tool}`, tool_use_id: id, tool_input: input };
    const before = await this.hook({ event: "PreToolUse", fields: call });
    const answered = await this.#milepost.call({
      ...{ tool, input, session: DEMO_SESSIONS[this.#agent], list: DEMO_LIST },
      origin: { client: this.#agent, folder: DEMO_FOLDER, server: "milepost", call: id },
    });
    const answer: DemoAnswer = answered.ok
      ? { to: "tool", ...answered.value }
      : { to: "tool", text: answered.error.message, isError: true };
    const after = await this.#ended(call, answer.isError ? { error: answer.text } : { output: textBlock(answer.text) });
    return [...before, answer, ...after];
  }

  async asks({ tool, input }: ActOf<"asks">): Promise<Answers> {
    const id = this.#nextId();
    this.#asked = { id, tool, input };
    const call = { tool_name: tool, tool_input: input };
    const before = await this.hook({ event: "PreToolUse", fields: { ...call, tool_use_id: id } });
    return [...before, ...(await this.hook({ event: "PermissionRequest", fields: call }))];
  }

  async answered({ output }: ActOf<"answered">): Promise<Answers> {
    if (!this.#asked) return [];
    const { id, tool, input } = this.#asked;
    this.#asked = undefined;
    // Whoever approves a plan in Claude Code leaves plan mode with it.
    if (tool === "ExitPlanMode") this.#mode = "default";
    return this.#ended({ tool_name: tool, tool_use_id: id, tool_input: input }, { output });
  }

  /** Codex has one hook for every end. Claude Code tells the calls of a reply once more, together. */
  async #ended(call: object, { output, error }: { readonly output?: unknown; readonly error?: string | undefined }) {
    const answered = { ...call, tool_response: error ?? output };
    if (this.#agent === "codex") return this.hook({ event: "PostToolUse", fields: answered });
    const isFailed = error !== undefined;
    const after = await this.hook(
      isFailed
        ? { event: "PostToolUseFailure", fields: { ...call, error } }
        : { event: "PostToolUse", fields: answered },
    );
    return [...after, ...(await this.hook({ event: "PostToolBatch", fields: { tool_calls: [answered] } }))];
  }

  #common(event: string): Readonly<Record<string, unknown>> {
    const turn = `turn-${this.#turn}`;
    const own =
      this.#agent === "codex" ? { turn_id: turn, transcript_path: null, model: "gpt-5" } : { prompt_id: turn };
    const session = { session_id: DEMO_SESSIONS[this.#agent], cwd: DEMO_FOLDER, permission_mode: this.#mode };
    return { hook_event_name: event, ...session, ...own };
  }

  #nextId(): string {
    this.#calls += 1;
    return `${this.#agent === "codex" ? "call" : "toolu"}_${this.#calls}`;
  }
}

/** As an MCP server answers. */
function textBlock(text: string): readonly object[] {
  return [{ type: "text", text }];
}

/** What a client puts before its model. That our own tools are allowed is said to the client alone. */
function saidIn(answer: Result<string>): Answers {
  if (!answer.ok) return [{ to: "hook", text: answer.error.message, isError: true }];
  const value = answer.value === "" ? undefined : parseJson(answer.value);
  if (!isObject(value)) return [];
  const { additionalContext } = isObject(value.hookSpecificOutput) ? value.hookSpecificOutput : {};
  const text = typeof additionalContext === "string" ? additionalContext : value.reason;
  return typeof text === "string" ? [{ to: "hook", text, isError: false }] : [];
}
