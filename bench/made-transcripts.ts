import { closeSync, mkdirSync, openSync, utimesSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";

/** Lines as Claude Code 2.1 writes them: prompts, replies with calls, results of a few kilobytes, attachments, bookkeeping. */
export class MadeSession {
  readonly id: string;
  #line = 0;
  #parent: string | null = null;
  #turn = 0;

  constructor(id: string) {
    this.id = id;
  }

  /** One turn of some twenty lines; each turn writes the list twice. */
  turn(resultBytes: number): string {
    this.#turn += 1;
    const lines = [
      this.#person(`Please do part ${this.#turn} of the work`),
      this.#attachment(),
      ...this.#list("in_progress"),
    ];
    for (let call = 0; call < 6; call += 1)
      lines.push(...this.#call(`npm run step-${call}`, resultBytes), this.#bookkeeping());
    return `${[...lines, ...this.#list("completed"), this.#reply([{ type: "text", text: "That part is done." }], "end_turn")].join("\n")}\n`;
  }

  /** An append that a follower should see at once. */
  prompt(text: string): string {
    return `${this.#person(text)}\n`;
  }

  #list(status: string): string[] {
    const todos = ["Look", "Change", "Check", "Ship"].map((text, place) => ({
      content: `${text} part ${this.#turn}`,
      status: place === 0 ? status : "pending",
      activeForm: `${text}ing part ${this.#turn}`,
    }));
    return this.#use("TodoWrite", { todos }, "Todos have been modified successfully.", {
      oldTodos: [],
      newTodos: todos,
    });
  }

  #call(command: string, bytes: number): string[] {
    const output = "the quick brown fox jumps over the lazy dog\n".repeat(Math.ceil(bytes / 44)).slice(0, bytes);
    return this.#use("Bash", { command, description: "One step" }, output, {
      stdout: output,
      stderr: "",
      interrupted: false,
    });
  }

  #use(name: string, input: object, content: string, toolUseResult: object): string[] {
    const id = `toolu_${this.id.slice(0, 8)}_${this.#line}`;
    const reply = this.#reply([{ type: "tool_use", id, name, input }], "tool_use");
    const block = { tool_use_id: id, type: "tool_result", content, is_error: false };
    return [reply, this.#write({ type: "user", message: { role: "user", content: [block] }, toolUseResult })];
  }

  #person(content: string): string {
    return this.#write({ type: "user", message: { role: "user", content }, permissionMode: "default" });
  }

  #reply(content: readonly object[], stop_reason: string): string {
    const usage = {
      input_tokens: 12,
      cache_creation_input_tokens: 900,
      cache_read_input_tokens: 41_000,
      output_tokens: 140,
    };
    const id = `msg_${this.#line}`;
    const message = { id, type: "message", role: "assistant", model: "claude-sonnet-4-5", content, stop_reason, usage };
    return this.#write({ type: "assistant", message });
  }

  #attachment(): string {
    return this.#write({ type: "attachment", attachment: { type: "total_tokens_reminder", text: "x".repeat(300) } });
  }

  #bookkeeping(): string {
    return JSON.stringify({
      type: "last-prompt",
      lastPrompt: "Please go on",
      leafUuid: this.#parent,
      sessionId: this.id,
    });
  }

  #write(record: object): string {
    this.#line += 1;
    const uuid = `${this.id.slice(0, 23)}-${this.#line.toString(16).padStart(12, "0")}`;
    const parentUuid = this.#parent;
    this.#parent = uuid;
    const timestamp = new Date(Date.UTC(2026, 0, 1) + this.#line * 1000).toISOString();
    const rest = {
      uuid,
      timestamp,
      userType: "external",
      cwd: "/home/dev/app",
      sessionId: this.id,
      version: "2.1.325",
    };
    return JSON.stringify({ parentUuid, isSidechain: false, ...record, ...rest, gitBranch: "main" });
  }
}

export function sessionId(number: number): string {
  return `${number.toString(16).padStart(8, "0")}-0000-4000-8000-000000000000`;
}

/** A transcript of about this size. */
export function makeTranscript(path: string, number: number, bytes: number, resultBytes = 1500): MadeSession {
  mkdirSync(dirname(path), { recursive: true });
  const session = new MadeSession(sessionId(number));
  const file = openSync(path, "w");
  for (let written = 0; written < bytes; ) written += writeSync(file, session.turn(resultBytes));
  closeSync(file);
  return session;
}

/** So many transcripts in so many projects, the first one the newest. */
export function makeMachine(home: string, files: number, bytes: number, projects: number): readonly string[] {
  return Array.from({ length: files }, (_, number) => {
    const path = join(home, ".claude", "projects", `-home-dev-app-${number % projects}`, `${sessionId(number)}.jsonl`);
    makeTranscript(path, number, bytes);
    const at = Date.now() / 1000 - 60 - number * 30;
    utimesSync(path, at, at);
    return path;
  });
}
