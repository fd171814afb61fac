import { type ChildProcess, spawn } from "node:child_process";
import { contentText, type Fields } from "./host-values.js";

// What runs inside an agent's own process: an extension for each kind of agent, in a file that stands for itself. It
// imports nothing of Milepost, because setup writes its text into the agent's folder; all it knows is how to start our
// MCP server, whose tools and hooks it uses. Nothing here may break or hold up the agent: no function throws, each
// has a time limit, and what goes wrong is answered with nothing.

/** How the server is started; setup writes it above the text of the extension. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
}

export interface ToolAnswer {
  readonly text: string;
  readonly isError: boolean;
}

export interface OfferedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** Whose call it is: the server knows no other way. */
export interface CallPlace {
  readonly session: string;
  /** The sub-agent that calls. */
  readonly agent?: string | undefined;
  /** The agent's own id of the call. */
  readonly call?: string;
  /** Some models number their calls anew in each turn: the same id in another one is another call. */
  readonly turn?: string | undefined;
}

/** Milliseconds. */
const HOOK_MS = 2000;
const CALL_MS = 15_000;
const START_MS = 5000;
/** A server that cannot be started is tried again, but not for ever. */
const MOST_STARTS = 3;

const GONE: ToolAnswer = {
  text: "Milepost cannot be reached, and the list is as it was. Look: milepost doctor",
  isError: true,
};

/** Our MCP server as a child of the agent: started with the first question, ended with the agent. */
export class MilepostServer {
  readonly #client: string;
  readonly #launch: Launch;
  readonly #folder: string;
  readonly #waiting = new Map<number, (result: Fields | undefined) => void>();
  #child: ChildProcess | undefined;
  #greeting: Promise<boolean> | undefined;
  #instructions = "";
  #starts = 0;
  #last = 0;

  /** `client`: the agent by the name that Milepost has for it. `folder`: where it works. */
  constructor(client: string, launch: Launch, folder: string) {
    this.#client = client;
    this.#launch = launch;
    this.#folder = folder;
  }

  /** When the model should keep a list, once the tools are known: hosts of servers pass it on. */
  get instructions(): string {
    return this.#instructions;
  }

  /** The tools that setup has chosen; none where the server cannot be reached. */
  async tools(): Promise<readonly OfferedTool[]> {
    const result = await this.#ask("tools/list", {}, START_MS);
    return Array.isArray(result?.tools) ? (result.tools as readonly OfferedTool[]) : [];
  }

  async call(tool: string, input: unknown, { session, agent, call, turn }: CallPlace): Promise<ToolAnswer> {
    const meta = {
      "milepost/session": session,
      ...(agent === undefined ? undefined : { "milepost/agent": agent }),
      ...(call === undefined ? undefined : { "milepost/call": call }),
      ...(turn === undefined ? undefined : { "milepost/turn": turn }),
    };
    const result = await this.#ask("tools/call", { name: tool, arguments: input, _meta: meta }, CALL_MS);
    return result ? { text: contentText(result.content), isError: result.isError === true } : GONE;
  }

  /** Tells of an event as a hook does; answers what the model should read, mostly nothing. */
  async hook(fields: Fields): Promise<string> {
    const result = await this.#ask(
      "tools/call",
      { name: "hook", arguments: { cwd: this.#folder, ...fields } },
      HOOK_MS,
    );
    return result ? wordsIn(contentText(result.content)) : "";
  }

  close(): void {
    this.#child?.stdin?.end();
    this.#child = undefined;
  }

  async #ask(method: string, params: Fields, limit: number): Promise<Fields | undefined> {
    if (!this.#child) this.#start();
    const greeted = await this.#greeting;
    return greeted ? this.#send(method, params, limit) : undefined;
  }

  #start(): void {
    if (this.#starts >= MOST_STARTS) return;
    this.#starts += 1;
    try {
      const { command, args } = this.#launch;
      const child = spawn(command, [...args], { cwd: this.#folder, stdio: ["pipe", "pipe", "ignore"] });
      this.#child = child;
      const gone = () => this.#forget(child);
      child.once("error", gone).once("exit", gone);
      child.stdin?.on("error", gone);
      this.#listen(child);
      // The agent may end while it runs: it ends with its input.
      child.unref();
      this.#greeting = this.#greet();
    } catch {
      this.#greeting = Promise.resolve(false);
    }
  }

  #listen({ stdout }: ChildProcess): void {
    let rest = "";
    stdout?.setEncoding("utf8").on("data", (text: string) => {
      const lines = `${rest}${text}`.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) this.#hear(line);
    });
  }

  #hear(line: string): void {
    try {
      const { id, result } = JSON.parse(line);
      const settle = this.#waiting.get(id);
      this.#waiting.delete(id);
      settle?.(typeof result === "object" && result !== null ? result : undefined);
    } catch {
      // No message of ours.
    }
  }

  async #greet(): Promise<boolean> {
    const clientInfo = { name: `milepost-${this.#client}`, version: "1" };
    const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
    const answered = await this.#send("initialize", hello, START_MS);
    if (typeof answered?.instructions === "string") this.#instructions = answered.instructions;
    if (answered) this.#write({ method: "notifications/initialized" });
    return answered !== undefined;
  }

  #send(method: string, params: Fields, limit: number): Promise<Fields | undefined> {
    const id = ++this.#last;
    return new Promise((resolve) => {
      const settle = (result: Fields | undefined) => {
        clearTimeout(timer);
        this.#waiting.delete(id);
        resolve(result);
      };
      const timer = setTimeout(settle, limit, undefined);
      this.#waiting.set(id, settle);
      this.#write({ id, method, params });
    });
  }

  #write(message: Fields): void {
    try {
      this.#child?.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    } catch {
      // Its end is heard of otherwise.
    }
  }

  #forget(child: ChildProcess): void {
    if (this.#child !== child) return;
    this.#child = undefined;
    this.#greeting = undefined;
    for (const settle of [...this.#waiting.values()]) settle(undefined);
  }
}

/** A hook answers with a hook's JSON, or with nothing. */
function wordsIn(answer: string): string {
  if (answer === "") return "";
  try {
    const { hookSpecificOutput: { additionalContext, permissionDecisionReason } = {} as Fields, reason } =
      JSON.parse(answer);
    const text = additionalContext ?? permissionDecisionReason ?? reason;
    return typeof text === "string" ? text : "";
  } catch {
    return "";
  }
}
