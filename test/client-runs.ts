import fc from "fast-check";

// What hooks of a client report in a run, as Claude Code and Codex send it: turns, replies with parallel calls, lists,
// questions, sub-agents, stops, compactions, ends.

export interface Hook {
  readonly event: string;
  readonly fields: object;
  /** Hooks of one lane follow each other: the client waits for all hooks of an event before the lane goes on. */
  readonly lane: string;
  /** Told by its id alone: a second report may come however late. */
  readonly isFree?: boolean;
}

/** `tell`: a person says something from outside. */
export type Happening = Hook | { readonly tell: string };

type Tool = "bash" | "fails" | "denied" | "list" | "list-again" | "task" | "task-made" | "asks";

type Step =
  | { readonly kind: "prompt"; readonly text: string }
  | { readonly kind: "reply"; readonly tools: readonly Tool[] }
  | { readonly kind: "agents"; readonly agents: readonly string[] }
  | { readonly kind: "stop"; readonly text: string }
  | { readonly kind: "tell"; readonly text: string }
  | { readonly kind: "compact" | "return" | "notice" };

const tools = fc.array(
  fc.constantFrom<Tool>("bash", "bash", "fails", "denied", "list", "list-again", "task", "task-made", "asks"),
  { minLength: 1, maxLength: 3 },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom("go", "stop", "go on").map((text): Step => ({ kind: "prompt", text })) },
  { weight: 6, arbitrary: tools.map((made): Step => ({ kind: "reply", tools: made })) },
  fc.constantFrom(["a1"], ["a1", "a2"], ["a2"]).map((agents): Step => ({ kind: "agents", agents })),
  {
    weight: 3,
    arbitrary: fc.constantFrom("Done.", "Done.", "Nothing more.").map((text): Step => ({ kind: "stop", text })),
  },
  fc.constantFrom("faster", "slower").map((text): Step => ({ kind: "tell", text })),
  fc.constantFrom("compact", "return", "notice").map((kind): Step => ({ kind }) as Step),
);

export const clientRun = (client: "claude-code" | "codex") =>
  fc.array(step, { minLength: 3, maxLength: 14 }).map((steps) => new Run(client).play(steps));

interface Called {
  readonly call: { readonly tool_name: string; readonly tool_input: object; readonly tool_use_id: string };
  /** As a hook of the call tells it, and as the model reads it. */
  readonly response: object;
  readonly text: string;
}

const STATUSES = ["pending", "in_progress", "completed"] as const;

class Run {
  readonly #isCodex: boolean;
  readonly #made: Happening[] = [];
  #turn = 0;
  #calls = 0;
  #replies = 0;
  #wasAsked = false;

  constructor(client: "claude-code" | "codex") {
    this.#isCodex = client === "codex";
  }

  play(steps: readonly Step[]): readonly Happening[] {
    this.#hook("SessionStart", { source: "startup" });
    this.#prompt("go");
    for (const one of steps) this.#step(one);
    return this.#made;
  }

  #step(one: Step): void {
    if (one.kind === "prompt") this.#prompt(one.text);
    else if (one.kind === "reply") this.#reply(one.tools);
    else if (one.kind === "agents") this.#agents(one.agents);
    else if (one.kind === "stop") this.#stop(one.text);
    else if (one.kind === "tell") this.#made.push({ tell: one.text });
    else if (one.kind === "compact") this.#compact();
    else if (one.kind === "notice")
      this.#hook("Notification", { notification_type: "permission_prompt", message: "?" });
    else this.#return();
  }

  #hook(event: string, fields: object, { lane = "main", isFree = false } = {}): void {
    const turn = this.#isCodex ? { turn_id: `t${this.#turn}` } : { prompt_id: `p${this.#turn}` };
    this.#made.push({
      event,
      fields: event === "SessionStart" && !this.#isCodex ? fields : { ...turn, ...fields },
      lane,
      isFree,
    });
  }

  #prompt(prompt: string): void {
    this.#turn += 1;
    this.#wasAsked = false;
    this.#hook("UserPromptSubmit", { prompt }, { isFree: true });
  }

  #stop(text: string): void {
    this.#hook("Stop", { last_assistant_message: text, stop_hook_active: this.#wasAsked });
    this.#wasAsked = true;
  }

  /** Nobody compacts twice what nobody has added to. */
  #compact(): void {
    if (this.#replies === 0) return;
    this.#replies = 0;
    if (this.#isCodex) this.#hook("PreCompact", { trigger: "auto" });
    this.#hook("SessionStart", { source: "compact" });
  }

  #return(): void {
    this.#hook("SessionEnd", { reason: "other" });
    this.#hook("SessionStart", { source: "resume" });
    this.#prompt("go");
  }

  #agents(agents: readonly string[]): void {
    for (const agent_id of agents) this.#hook("SubagentStart", { agent_id, agent_type: "x" }, { lane: agent_id });
    for (const agent_id of agents) this.#reply(["bash", "list"], { agent_id });
    for (const agent_id of agents)
      this.#hook("SubagentStop", { agent_id, agent_type: "x", last_assistant_message: "Found." }, { lane: agent_id });
  }

  #reply(made: readonly Tool[], agent: { readonly agent_id?: string } = {}): void {
    this.#replies += 1;
    const lane = agent.agent_id ?? "main";
    const calls = made.map((tool) => ({ tool, ...this.#call(tool) }));
    for (const { call } of calls)
      this.#hook("PreToolUse", { ...agent, ...call }, { lane: call.tool_use_id, isFree: true });
    for (const { tool, call, response, text } of calls) {
      if (tool === "asks") this.#hook("PermissionRequest", { ...agent, ...call, tool_use_id: undefined }, { lane });
      // A call that was refused is reported by nobody; Codex reports a failure as an end.
      if (tool === "denied") continue;
      const isFailure = tool === "fails" && !this.#isCodex;
      const answer = isFailure ? { error: text } : { tool_response: this.#isCodex ? text : response };
      this.#hook(
        isFailure ? "PostToolUseFailure" : "PostToolUse",
        { ...agent, ...call, ...answer },
        { lane, isFree: true },
      );
    }
    if (this.#isCodex) return;
    const tool_calls = calls.map(({ call, text }) => ({ ...call, tool_response: text }));
    this.#hook("PostToolBatch", { ...agent, tool_calls }, { lane, isFree: true });
  }

  #call(tool: Tool): Called {
    const tool_use_id = `c${++this.#calls}`;
    const [tool_name, tool_input, response, text = "ok"] = this.#used(tool, this.#calls);
    return { call: { tool_name, tool_input, tool_use_id }, response, text };
  }

  #used(tool: Tool, number: number): readonly [name: string, input: object, response: object, text?: string] {
    const status = STATUSES[number % 3];
    switch (tool) {
      case "list":
        return this.#list(`Step ${number}`);
      case "list-again":
        return this.#list("Same");
      case "task":
        return ["TaskUpdate", { taskId: "1", status }, { success: true, taskId: "1" }, "Updated task #1 status"];
      case "task-made":
        return ["TaskCreate", { subject: "T" }, { task: { id: "1", subject: "T" } }, "Task #1 created successfully: T"];
      case "fails":
        return ["Bash", { command: "false" }, {}, "Exit code 1"];
      case "denied":
        return ["Bash", { command: "rm" }, {}, "Permission to use Bash with command rm has been denied."];
      default:
        return ["Bash", { command: "ls" }, { stdout: "ok" }];
    }
  }

  #list(text: string): readonly [name: string, input: object, response: object, text: string] {
    if (this.#isCodex) return ["update_plan", { plan: [{ step: text, status: "in_progress" }] }, {}, "Plan updated"];
    const todos = [{ content: text, status: "in_progress", activeForm: text }];
    return ["TodoWrite", { todos }, { newTodos: todos }, "Todos have been modified successfully."];
  }
}
