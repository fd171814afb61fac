import { appendFileSync } from "node:fs";
import type { JsonObject } from "../../src/core/json.js";

export interface Item {
  readonly text: string;
  readonly status: "pending" | "in_progress" | "completed";
}

type Hook = (event: string, fields?: object) => Promise<string>;

/** A client at work: every step goes into its transcript and to its hooks, as the real one does it. */
export interface Client {
  prompt(words: string): Promise<void>;
  /** A list as its own tool writes it; a refused one changes nothing. */
  write(items: readonly Item[], isRefused: boolean): Promise<void>;
  work(isFailed: boolean): Promise<void>;
  endTurn(): Promise<void>;
  /** So many turns are taken back. */
  rewind(turns: number): Promise<void>;
  /** What the hook says to the model afterwards. */
  compact(): Promise<string>;
  resume(): Promise<void>;
}

interface Place {
  readonly path: string;
  readonly session: string;
  readonly hook: Hook;
}

const START = Date.UTC(2026, 0, 2);

/** What a hook has said, as the model reads it. */
const heard = (answer: string): string =>
  answer === "" ? "" : (JSON.parse(answer).hookSpecificOutput?.additionalContext ?? "");

export class ClaudeClient implements Client {
  readonly #place: Place;
  #n = 0;
  #last: string | null = null;
  /** The line that each turn followed. */
  #turns: (string | null)[] = [];

  constructor(place: Place) {
    this.#place = place;
  }

  #line(record: JsonObject): void {
    const uuid = `u${++this.#n}`;
    const timestamp = new Date(START + this.#n * 1000).toISOString();
    const line = { parentUuid: this.#last, sessionId: this.#place.session, cwd: "/work", uuid, timestamp, ...record };
    appendFileSync(this.#place.path, `${JSON.stringify(line)}\n`);
    this.#last = uuid;
  }

  #user(content: unknown, more: object = {}): void {
    this.#line({ type: "user", message: { role: "user", content }, ...more });
  }

  #reply(block: object, stop: string): void {
    const message = { id: `m${this.#n}`, role: "assistant", model: "claude-sonnet-4-5", content: [block] };
    this.#line({ type: "assistant", message: { ...message, stop_reason: stop } });
  }

  async prompt(words: string): Promise<void> {
    this.#turns.push(this.#last);
    this.#user(words);
    await this.#place.hook("UserPromptSubmit", { prompt: words });
  }

  async #call(tool: string, input: object, isFailed: boolean): Promise<void> {
    const id = `toolu_${this.#n}`;
    this.#reply({ type: "tool_use", id, name: tool, input }, "tool_use");
    const text = isFailed ? "<tool_use_error>InputValidationError</tool_use_error>" : "ok";
    this.#user([{ type: "tool_result", tool_use_id: id, content: text, ...(isFailed ? { is_error: true } : {}) }]);
    const fields = { tool_name: tool, tool_input: input, tool_use_id: id };
    if (isFailed) await this.#place.hook("PostToolUseFailure", { ...fields, error: text });
    else await this.#place.hook("PostToolUse", { ...fields, tool_response: { stdout: text } });
  }

  async write(items: readonly Item[], isRefused: boolean): Promise<void> {
    const todos = items.map(({ text, status }) => ({ content: text, status, activeForm: `Doing ${text}` }));
    await this.#call("TodoWrite", { todos }, isRefused);
  }

  async work(isFailed: boolean): Promise<void> {
    await this.#call("Bash", { command: `make ${this.#n}` }, isFailed);
  }

  async endTurn(): Promise<void> {
    this.#reply({ type: "text", text: "That is done." }, "end_turn");
    await this.#place.hook("Stop", { stop_hook_active: true });
  }

  /** The next line follows an older one. No hook tells of it. */
  async rewind(turns: number): Promise<void> {
    this.#last = this.#turns.at(-turns) ?? null;
    this.#turns = this.#turns.slice(0, -turns);
  }

  async compact(): Promise<string> {
    await this.#place.hook("PreCompact", { trigger: "auto" });
    const logicalParentUuid = this.#last;
    this.#line({ type: "system", subtype: "compact_boundary", parentUuid: null, logicalParentUuid });
    this.#user("This session is being continued from a previous conversation.", { isCompactSummary: true });
    return heard(await this.#place.hook("SessionStart", { source: "compact" }));
  }

  async resume(): Promise<void> {
    await this.#place.hook("SessionEnd", { reason: "other" });
    await this.#place.hook("SessionStart", { source: "resume" });
  }
}

export class CodexClient implements Client {
  readonly #place: Place;
  #n = 0;
  #turn = 0;

  constructor(place: Place) {
    this.#place = place;
    this.#line("session_meta", { id: place.session, cwd: "/work", cli_version: "0.150.0" });
  }

  #line(type: string, payload: object): void {
    const timestamp = new Date(START + ++this.#n * 1000).toISOString();
    appendFileSync(this.#place.path, `${JSON.stringify({ timestamp, type, payload })}\n`);
  }

  #event(type: string, fields: object = {}): void {
    this.#line("event_msg", { type, ...fields });
  }

  #hook(event: string, fields: object = {}): Promise<string> {
    const turn_id = `turn-${this.#turn}`;
    return this.#place.hook(event, { turn_id, transcript_path: this.#place.path, ...fields });
  }

  async prompt(words: string): Promise<void> {
    this.#turn += 1;
    this.#event("task_started");
    this.#event("user_message", { message: words });
    await this.#hook("UserPromptSubmit", { prompt: words });
  }

  async #call(tool: string, input: object, output: string): Promise<void> {
    const id = `call_${this.#n}`;
    this.#line("response_item", {
      type: "function_call",
      call_id: id,
      name: tool,
      arguments: JSON.stringify(input),
    });
    this.#line("response_item", { type: "function_call_output", call_id: id, output });
    await this.#hook("PostToolUse", { tool_name: tool, tool_input: input, tool_use_id: id, tool_response: output });
  }

  async write(items: readonly Item[], isRefused: boolean): Promise<void> {
    const plan = items.map(({ text, status }) => ({ step: text, status }));
    await this.#call("update_plan", { plan }, isRefused ? "unsupported call: update_plan" : "Plan updated");
  }

  async work(isFailed: boolean): Promise<void> {
    const output = JSON.stringify({ output: "", metadata: { exit_code: Number(isFailed) } });
    await this.#call("shell", { command: ["make"] }, output);
  }

  async endTurn(): Promise<void> {
    this.#event("task_complete", { last_agent_message: "That is done." });
    await this.#hook("Stop", { stop_hook_active: true });
  }

  async rewind(turns: number): Promise<void> {
    this.#event("thread_rolled_back", { num_turns: turns });
  }

  async compact(): Promise<string> {
    await this.#hook("PreCompact", { trigger: "auto" });
    this.#line("compacted", { message: "" });
    this.#event("context_compacted");
    return heard(await this.#hook("SessionStart", { source: "compact" }));
  }

  async resume(): Promise<void> {
    await this.#hook("SessionStart", { source: "resume" });
  }
}
