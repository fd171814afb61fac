import { closeSync, mkdirSync, openSync, utimesSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";

const TODOS = 8;
const TURNS_PER_RUN = 20;

/** Lines as Claude Code 2.1 writes them: prompts, replies with calls, results of a few kilobytes, attachments, bookkeeping. */
export class MadeSession {
  readonly id: string;
  readonly #isBare: boolean;
  #line = 0;
  #parent: string | null = null;
  #turn = 0;

  /** `isBare`: only the conversation, as versions before 2.1 wrote it. */
  constructor(id: string, isBare = false) {
    this.id = id;
    this.#isBare = isBare;
  }

  /** One turn of some twenty lines. A list of eight todos lives for eight turns, and each turn moves it on by one. */
  turn(resultBytes: number): string {
    this.#turn += 1;
    const isResumed = !this.#isBare && this.#turn % TURNS_PER_RUN === 1;
    const lines = [
      this.#person(`Please do part ${this.#turn} of the work`),
      ...(isResumed ? this.#opening() : []),
      ...this.#list(),
    ];
    for (let call = 0; call < 6; call += 1) {
      lines.push(...this.#call(`npm run step-${call}`, resultBytes), this.#attachment("total_tokens_reminder", 300));
      if (!this.#isBare) lines.push(...this.#bookkeeping());
    }
    return `${[...lines, this.#reply([{ type: "text", text: "That part is done." }], "end_turn")].join("\n")}\n`;
  }

  /** A list with one todo in it: what a follower should see at once. */
  oneTodo(text: string): string {
    this.#line = 1_000_000;
    const todos = [{ content: text, status: "in_progress", activeForm: text }];
    return `${this.#use("TodoWrite", { todos }, "ok", { oldTodos: [], newTodos: todos }).join("\n")}\n`;
  }

  /** Words of a person. */
  prompt(text: string): string {
    return `${this.#person(text)}\n`;
  }

  #list(): string[] {
    const [round, focus] = [Math.floor(this.#turn / TODOS), this.#turn % TODOS];
    const todos = Array.from({ length: TODOS }, (_, place) => ({
      content: `Part ${place} of round ${round}: look, change, check`,
      status: place < focus ? "completed" : place === focus ? "in_progress" : "pending",
      activeForm: `Working on part ${place} of round ${round}`,
    }));
    const result = { oldTodos: [], newTodos: todos };
    return this.#use("TodoWrite", { todos }, "Todos have been modified successfully.", result);
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

  #attachment(type: string, bytes: number): string {
    return this.#write({ attachment: { type, text: "x".repeat(bytes) }, type: "attachment" });
  }

  /** With each process: copies of the whole prompt. Sizes here and below are the means of recorded files of 2.1.325. */
  #opening(): string[] {
    const shape = JSON.stringify({ type: "api-request-shape", sessionId: this.id, shape: "y".repeat(108_000) });
    return [this.#attachment("prompt_snapshot", 101_000), shape, this.#attachment("skill_listing", 13_000)];
  }

  /** With each reply. */
  #bookkeeping(): string[] {
    const line = (type: string, bytes: number) => JSON.stringify({ type, sessionId: this.id, data: "z".repeat(bytes) });
    return [line("api-request-blob", 2100), line("api-request", 1100), line("last-prompt", 60)];
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

/** What a tool prints, on average. */
const RESULT_BYTES = 1500;

/** A transcript of about this size. */
export function makeTranscript(path: string, number: number, bytes: number, isBare = false): MadeSession {
  mkdirSync(dirname(path), { recursive: true });
  const session = new MadeSession(sessionId(number), isBare);
  const file = openSync(path, "w");
  for (let written = 0; written < bytes; ) written += writeSync(file, session.turn(RESULT_BYTES));
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
