import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { clean, type Logged } from "../hook-process.js";
import { type Ran, runWarm } from "../warm-command.js";

// An agent of Claude Code, told twice: by the hooks that it calls, and by the transcript that it writes.

const MINUTE = 60_000;

export interface SeenAlert {
  readonly detector: string;
  readonly message: string;
  readonly isOver: boolean;
}

/** What an agent does. Each step takes a second, but for waiting. */
export interface ToldAgent {
  prompt(): void;
  /** A reply that calls one tool. */
  call(tool: string, input: object, answer: string, hasFailed?: boolean): void;
  /** Writes its list: a todo for each status. */
  todos(...statuses: readonly string[]): void;
  /** Its turn is over. */
  stop(words: string): void;
  /** It was not done by what its goal says: it goes on, and stops again. */
  sentOn(words: string): void;
  compacted(): void;
  /** `work`: what the sub-agent does, where somebody can tell; it has not ended. */
  startAgent(work?: (child: ToldAgent) => void): void;
  claim(): void;
  wait(minutes: number): void;
}

/** A machine of its own, and a clock that is ahead of the real one. */
export class ToldWorld {
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly #began = Date.now();
  #passed = 0;

  constructor(folder: string, settings: NodeJS.ProcessEnv = {}) {
    this.folder = folder;
    mkdirSync(join(folder, "work"), { recursive: true });
    this.environment = clean({ HOME: folder, MILEPOST_HOME: join(folder, "home"), ...settings });
  }

  get now(): number {
    return this.#began + this.#passed;
  }

  pass(milliseconds: number): void {
    this.#passed += milliseconds;
  }

  /** `more`: a clock that runs, for a command that looks now and then. */
  run(args: readonly string[], input = "", more: { readonly pace?: number; readonly endsAfter?: number } = {}): Ran {
    const { endsAfter, pace = 1 } = more;
    const clock = { ahead: this.now - Date.now(), pace };
    const { environment } = this;
    const folder = join(this.folder, "work");
    const ran = runWarm(args, { input, folder, environment, clock, ...(endsAfter && { endsAfter }) });
    if (ran.exit !== 0) throw new Error(`${args.join(" ")}: ${ran.err}`);
    return ran;
  }

  alertsIn(command: readonly string[], session: string): readonly SeenAlert[] {
    const { sessions } = JSON.parse(this.run([...command, "--json"]).out);
    return sessions.find(({ id }: { readonly id: string }) => id === session)?.alerts ?? [];
  }

  /** Messages of a detector that are in the log. */
  raised(detector: string, session: string): readonly string[] {
    const lines = this.run(["events"]).out.split("\n").filter(Boolean);
    const events = lines.map((line): Logged => JSON.parse(line));
    return events
      .filter(({ type, stream }) => type === "alert.raised" && stream === `session:${session}`)
      .flatMap(({ data }) => (data.detector === detector ? [String(data.message)] : []));
  }

  /** Somebody watches for a while: by its clock a minute, for whoever waits a third of a second. */
  watch(): void {
    this.run(["watch", "--follow", "--json"], "", { pace: 200, endsAfter: 300 });
    this.pass(MINUTE);
  }
}

function todosOf(statuses: readonly string[]): readonly object[] {
  return statuses.map((status, at) => ({ content: `Part ${at}`, status, activeForm: `Doing part ${at}` }));
}

const CLAIM = { tool: "mcp__milepost__task", input: { claim: -1 } } as const;
const GOAL = "the build is green";

/** Claude Code calls these hooks, one after the other, and shows the model what they say. */
export class HookedAgent implements ToldAgent {
  readonly id: string;
  readonly #world: ToldWorld;
  readonly #said: string[] = [];
  #prompts = 0;
  #calls = 0;

  constructor(world: ToldWorld, id: string) {
    this.#world = world;
    this.id = id;
    this.#hook("SessionStart", { source: "startup" });
  }

  /** How often the model was told this. */
  heard(message: string): number {
    return this.#said.filter((text) => text.includes(message)).length;
  }

  #hook(hook_event_name: string, fields: object): void {
    this.#world.pass(1000);
    const transcript_path = join(this.#world.folder, ".claude", "projects", "work", `${this.id}.jsonl`);
    const common = { session_id: this.id, transcript_path, cwd: join(this.#world.folder, "work") };
    const turn = this.#prompts === 0 ? {} : { prompt_id: `p${this.#prompts}`, permission_mode: "default" };
    const { out } = this.#world.run(["hook"], JSON.stringify({ ...common, ...turn, hook_event_name, ...fields }));
    const text = out === "" ? undefined : JSON.parse(out).hookSpecificOutput?.additionalContext;
    if (text !== undefined) this.#said.push(text);
  }

  prompt(): void {
    this.#prompts += 1;
    this.#hook("UserPromptSubmit", { prompt: `Please do part ${this.#prompts}` });
  }

  call(tool_name: string, tool_input: object, answer: string, hasFailed = false): void {
    this.#calls += 1;
    const call = { tool_name, tool_input, tool_use_id: `toolu_${this.#calls}` };
    this.#hook("PreToolUse", call);
    if (hasFailed) this.#hook("PostToolUseFailure", { ...call, error: answer, is_interrupt: false, duration_ms: 20 });
    else
      this.#hook("PostToolUse", { ...call, tool_response: resultOf(tool_name, tool_input, answer), duration_ms: 20 });
    this.#hook("PostToolBatch", { tool_calls: [{ ...call, tool_response: answer }] });
  }

  todos(...statuses: readonly string[]): void {
    this.call("TodoWrite", { todos: todosOf(statuses) }, "Todos have been modified successfully.");
  }

  stop(words: string, isAgain = false): void {
    const left = { background_tasks: [], session_crons: [] };
    this.#hook("Stop", { stop_hook_active: isAgain, last_assistant_message: words, ...left });
  }

  sentOn(words: string): void {
    this.#world.pass(10_000);
    this.stop(words, true);
  }

  compacted(): void {
    this.#hook("PreCompact", { trigger: "auto", custom_instructions: "" });
    this.#hook("SessionStart", { source: "compact" });
  }

  startAgent(): void {
    this.#calls += 1;
    const tool_input = { description: "Look", prompt: "Look around", subagent_type: "general-purpose" };
    this.#hook("PreToolUse", { tool_name: "Agent", tool_input, tool_use_id: `toolu_${this.#calls}` });
    this.#hook("SubagentStart", { agent_id: "a1", agent_type: "general-purpose" });
  }

  claim(): void {
    const calls = [{ add: ["Write parser"] }, CLAIM.input].map((input) => ({ tool: "task", input, session: this.id }));
    const { out } = this.#world.run(["call"], calls.map((one) => JSON.stringify(one)).join("\n"));
    this.call(CLAIM.tool, CLAIM.input, JSON.parse(out.split("\n")[1] ?? "").text);
  }

  wait(minutes: number): void {
    this.#world.pass(minutes * MINUTE);
  }
}

const PATCH = [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ["-a", "+b"] }];

/** What a tool of Claude Code returns beside its text. */
function resultOf(tool: string, input: object, answer: string): object | string {
  if (tool === "TodoWrite") return { oldTodos: [], newTodos: (input as { todos: unknown }).todos };
  if (tool === "Bash") return { stdout: answer, stderr: "", interrupted: false, isImage: false };
  if (tool === "Edit") return { filePath: (input as { file_path: unknown }).file_path, structuredPatch: PATCH };
  if (tool === "TaskCreate") return { task: { id: /#(\d+)/.exec(answer)?.[1], ...input } };
  if (tool === "TaskUpdate") return { success: true, ...input, updatedFields: ["blockedBy"] };
  return tool.startsWith("mcp__") ? [{ type: "text", text: answer }] : { answer };
}

/** Claude Code writes these lines. */
export class WrittenAgent implements ToldAgent {
  readonly id: string;
  readonly path: string;
  readonly #world: ToldWorld;
  readonly #agent: string | undefined;
  readonly #lines: object[] = [];

  /** `agent`: it is a sub-agent of that session. */
  constructor(world: ToldWorld, id: string, agent?: string) {
    this.#world = world;
    this.id = id;
    this.#agent = agent;
    const name = agent === undefined ? `${id}.jsonl` : join(id, "subagents", `agent-${agent}.jsonl`);
    this.path = join(world.folder, "written", name);
    mkdirSync(dirname(this.path), { recursive: true });
  }

  #write(record: object): void {
    this.#world.pass(1000);
    const line = (at: number) => `${this.id.slice(0, 20)}-${this.#agent ?? "own"}-${at}`;
    const at = this.#lines.length;
    const place = { parentUuid: at === 0 ? null : line(at - 1), uuid: line(at) };
    const who = { isSidechain: this.#agent !== undefined, ...(this.#agent && { agentId: this.#agent }) };
    const where = { cwd: join(this.#world.folder, "work"), sessionId: this.id, version: "2.1.325", gitBranch: "main" };
    const timestamp = new Date(this.#world.now).toISOString();
    this.#lines.push({ ...place, ...who, ...record, timestamp, userType: "external", ...where });
    writeFileSync(this.path, this.#lines.map((one) => `${JSON.stringify(one)}\n`).join(""));
    utimesSync(this.path, this.#world.now / 1000, this.#world.now / 1000);
  }

  #reply(content: object, stop_reason: "tool_use" | "end_turn"): void {
    const usage = { input_tokens: 100, output_tokens: 10 };
    const message = { id: `msg_${this.#lines.length}`, type: "message", role: "assistant", model: "claude-sonnet-4-5" };
    this.#write({ type: "assistant", message: { ...message, content: [content], stop_reason, usage } });
  }

  #use(name: string, input: object): string {
    const id = `toolu_${this.#lines.length}`;
    this.#reply({ type: "tool_use", id, name, input }, "tool_use");
    return id;
  }

  prompt(): void {
    const content = `Please do part ${this.#lines.length}`;
    this.#write({ type: "user", message: { role: "user", content }, permissionMode: "default" });
  }

  call(tool: string, input: object, answer: string, hasFailed = false): void {
    const tool_use_id = this.#use(tool, input);
    const content = [{ type: "tool_result", tool_use_id, content: answer, ...(hasFailed && { is_error: true }) }];
    const toolUseResult = hasFailed ? `Error: ${answer}` : resultOf(tool, input, answer);
    this.#write({ type: "user", message: { role: "user", content }, toolUseResult });
  }

  todos(...statuses: readonly string[]): void {
    this.call("TodoWrite", { todos: todosOf(statuses) }, "Todos have been modified successfully.");
  }

  stop(words: string): void {
    this.#reply({ type: "text", text: words }, "end_turn");
  }

  sentOn(words: string): void {
    this.#write({ type: "attachment", attachment: { type: "goal_status", condition: GOAL, met: false } });
    this.stop(words);
  }

  compacted(): void {
    const compactMetadata = { trigger: "auto", preTokens: 150_000 };
    this.#write({ type: "system", subtype: "compact_boundary", content: "Conversation compacted", compactMetadata });
  }

  startAgent(work: (child: ToldAgent) => void = () => undefined): void {
    this.#use("Agent", { description: "Look", prompt: "Look around", subagent_type: "general-purpose" });
    const child = new WrittenAgent(this.#world, this.id, "a1");
    child.prompt();
    work(child);
  }

  claim(): void {
    this.call(CLAIM.tool, CLAIM.input, "Claimed #1 Write parser (lease 10 min, renewed while you work)");
  }

  wait(minutes: number): void {
    this.#world.pass(minutes * MINUTE);
  }
}

export const times = (count: number, what: (at: number) => void) => Array.from({ length: count }, (_, at) => what(at));

export const search = (agent: ToldAgent) => agent.call("Bash", { command: "rg needle src" }, "src/a.ts:1: needle");
export const read = (agent: ToldAgent, file: string) =>
  agent.call("Read", { file_path: file }, `1  the text of ${file}`);
export const edit = (agent: ToldAgent, file: string) =>
  agent.call("Edit", { file_path: file, old_string: "a", new_string: "b" }, `The file ${file} has been updated.`);
