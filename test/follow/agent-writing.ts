import { appendFileSync, mkdirSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { JsonObject } from "../../src/core/json.js";
import { todos } from "../readers/claude-lines.js";

export type FormatName = "claude" | "codex";

/** Where agents write longer paths than anything that is compared. */
const FOLDER = `/home/dev/${"a-long-name-of-a-project/".repeat(6)}`;
const START = Date.UTC(2026, 0, 2);

const ROUND = 14;
const roundOf = (n: number) => Math.floor(n / ROUND);
/** Never used twice, and not of one byte a character. */
const textsOf = (session: string, n: number) =>
  ["ä", "б", "🚀"].map((name) => `${name}${session.slice(0, 4)}.${roundOf(n)}`) as [string, string, string];
const wordsOf = (n: number) => `Prüfe es, Runde ${roundOf(n)} – 急いで`;

const said = (content: unknown, more: object = {}): JsonObject => ({
  type: "user",
  message: { role: "user", content },
  ...more,
});

/** The steps of one round, over and over. */
function claudeRecord(session: string, n: number, parent: string | null): JsonObject {
  const [a, b, c] = textsOf(session, n);
  const callId = (id: string) => `${id}${session}.${roundOf(n)}`;
  const reply = (block: object, stop: string): JsonObject => ({
    type: "assistant",
    message: {
      id: `m${session}${n}`,
      role: "assistant",
      model: "claude-sonnet-4-5",
      content: [block],
      usage: { input_tokens: 10, output_tokens: n },
      stop_reason: stop,
    },
  });
  const call = (id: string, name: string, input: object) =>
    reply({ type: "tool_use", id: callId(id), name, input }, "tool_use");
  const write = (id: string, ...texts: string[]) => call(id, "TodoWrite", { todos: todos(...texts) });
  const answer = (id: string, block: object = {}) =>
    said([{ type: "tool_result", tool_use_id: callId(id), content: "gut 👍", ...block }]);
  const steps: readonly JsonObject[] = [
    said(wordsOf(n)),
    write("t", `${a}!`, b),
    answer("t"),
    call("x", "Bash", { command: `ls ${n}` }),
    answer("x"),
    write("u", `${a}.`, `${b}!`),
    answer("u"),
    call("y", "Bash", { command: "false" }),
    answer("y", { is_error: true }),
    { type: "system", subtype: "compact_boundary", logicalParentUuid: parent },
    said("This session is being continued.", { isCompactSummary: true }),
    write("v", `${a}.`, `${b}.`, `${c}!`),
    answer("v"),
    reply({ type: "text", text: "Getan. ✅" }, "end_turn"),
  ];
  const record = steps[n % ROUND] ?? {};
  const parentUuid = record.type === "system" ? null : parent;
  return { uuid: `${session}-${n}`, parentUuid, timestamp: timeOf(n), cwd: FOLDER, sessionId: session, ...record };
}

const timeOf = (n: number) => new Date(START + n * 1000).toISOString();
const response = (payload: JsonObject): JsonObject => ({ type: "response_item", payload });
const event = (type: string, fields: object = {}): JsonObject => ({ type: "event_msg", payload: { type, ...fields } });

function codexRecord(session: string, n: number): JsonObject {
  const [a, b, c] = textsOf(session, n);
  const callId = (id: string) => `${id}${session}.${roundOf(n)}`;
  const call = (id: string, name: string, input: object) =>
    response({ type: "function_call", call_id: callId(id), name, arguments: JSON.stringify(input) });
  const write = (id: string, ...steps: string[]) =>
    call(id, "update_plan", { plan: todos(...steps).map(({ content, status }) => ({ step: content, status })) });
  const output = (id: string, text: string) =>
    response({ type: "function_call_output", call_id: callId(id), output: text });
  const ran = (id: string, code: number) =>
    output(id, JSON.stringify({ output: "gut 👍", metadata: { exit_code: code } }));
  const used = { input_tokens: 100 + n, output_tokens: n, total_tokens: 100 + 2 * n };
  const steps: readonly JsonObject[] = [
    event("task_started"),
    event("user_message", { message: wordsOf(n) }),
    write("t", `${a}!`, b),
    output("t", "Plan updated"),
    call("x", "shell", { command: ["ls", `${n}`] }),
    ran("x", 0),
    write("u", `${a}.`, `${b}!`),
    output("u", "Plan updated"),
    call("y", "shell", { command: ["false"] }),
    ran("y", 1),
    { type: "compacted", payload: { message: "" } },
    write("v", `${a}.`, `${b}.`, `${c}!`),
    output("v", "Plan updated"),
    event("token_count", { info: { total_token_usage: used } }),
  ];
  return { timestamp: timeOf(n), n: `${n}`.padStart(8, "0"), cwd: FOLDER, ...steps[n % ROUND] };
}

/** A client that writes one session, and what happens to its file. Knows the bytes that are there. */
export class AgentWriting {
  readonly path: string;
  readonly session: string;
  readonly #format: FormatName;
  readonly #helper: string | undefined;
  /** Files that the session was in before, rotated away. */
  #older: Buffer[] = [];
  #bytes: Buffer | undefined;
  #n = 0;
  #last: string | null = null;
  #rest = Buffer.alloc(0);
  #rotations = 0;
  /** Its whole lines at the last look. */
  #seen: Buffer | undefined;
  #inode = 0;

  /** `helper`: a sub-agent that writes into a file of its own. */
  constructor(format: FormatName, path: string, session: string, helper?: string) {
    this.#format = format;
    this.path = path;
    this.session = session;
    this.#helper = helper;
  }

  /** What belongs to the session, file by file; empty when there is no file. */
  get parts(): readonly Buffer[] {
    return this.#bytes ? [...this.#older, this.#bytes] : [];
  }

  get isThere(): boolean {
    return this.#bytes !== undefined;
  }

  /**
   * Somebody looks. A file that is no longer what it was at the last look is read for itself: that an older one went before
   * it cannot be told any more.
   */
  looked(): void {
    if (!this.#bytes) return;
    const [seen, inode] = [this.#seen, statSync(this.path).ino];
    const isGoneOn = seen && inode === this.#inode && this.#bytes.subarray(0, seen.length).equals(seen);
    if (seen && !isGoneOn) this.#older = [];
    this.#seen = this.#bytes.subarray(0, this.#bytes.lastIndexOf(10) + 1);
    this.#inode = inode;
  }

  /** The next line, as bytes. */
  #next(): Buffer {
    if (this.#format === "codex" && this.#last === null) {
      this.#last = "meta";
      const payload = { id: this.session, cwd: FOLDER, cli_version: "0.150.0" };
      return lineOf({ timestamp: new Date(START).toISOString(), type: "session_meta", payload });
    }
    const told =
      this.#format === "claude" ? claudeRecord(this.session, this.#n, this.#last) : codexRecord(this.session, this.#n);
    const record = this.#helper === undefined ? told : { ...told, isSidechain: true, agentId: this.#helper };
    this.#last = typeof record.uuid === "string" ? record.uuid : this.#last;
    this.#n += 1;
    return lineOf(record);
  }

  /** So many whole lines, after the rest of the one that was begun. */
  append(lines = 1): void {
    const rest = this.#rest;
    this.#rest = Buffer.alloc(0);
    this.#write(Buffer.concat([rest, ...Array.from({ length: lines }, () => this.#next())]));
  }

  /** The next so many bytes: lines and characters are cut wherever that is. */
  appendBytes(count: number): void {
    while (this.#rest.length < count) this.#rest = Buffer.concat([this.#rest, this.#next()]);
    this.#write(this.#rest.subarray(0, count));
    this.#rest = this.#rest.subarray(count);
  }

  #write(bytes: Buffer): void {
    mkdirSync(dirname(this.path), { recursive: true });
    appendFileSync(this.path, bytes);
    this.#bytes = Buffer.concat([this.#bytes ?? Buffer.alloc(0), bytes]);
  }

  /** The beginning of a line is taken back, and another line takes its place. */
  takeBack(): void {
    const whole = (this.#bytes?.lastIndexOf(10) ?? -1) + 1;
    this.#cut(whole);
  }

  #cut(size: number): void {
    const kept = (this.#bytes ?? Buffer.alloc(0)).subarray(0, size);
    truncateSync(this.path, size);
    this.#bytes = kept;
    this.#goOnFrom(kept);
  }

  /** A client that goes on follows the last line there is. */
  #goOnFrom(kept: Buffer): void {
    this.#rest = Buffer.alloc(0);
    const lines = kept.toString("utf8").split("\n").slice(0, -1);
    const last = lines.at(-1);
    if (this.#format === "codex") this.#last = lines.length > 0 || this.#older.length > 0 ? "meta" : null;
    else this.#last = last === undefined ? null : (JSON.parse(last) as { uuid: string }).uuid;
  }

  /** Cut off after so many of its lines. */
  truncate(lines: number): void {
    this.#cut(endOfLine(this.#bytes ?? Buffer.alloc(0), lines));
  }

  get lines(): number {
    return this.#bytes?.filter((byte) => byte === 10).length ?? 0;
  }

  /** Emptied, and all of it written once more into the same file. */
  rewrite(): void {
    const bytes = this.#bytes ?? Buffer.alloc(0);
    truncateSync(this.path, 0);
    for (let at = 0; at < bytes.length; at += 100) appendFileSync(this.path, bytes.subarray(at, at + 100));
  }

  /** Another file takes its place, with so many of its lines. */
  replace(lines = this.lines): void {
    const bytes = (this.#bytes ?? Buffer.alloc(0)).subarray(0, endOfLine(this.#bytes ?? Buffer.alloc(0), lines));
    writeFileSync(`${this.path}.tmp`, bytes);
    renameSync(`${this.path}.tmp`, this.path);
    this.#bytes = bytes;
    this.#goOnFrom(bytes);
  }

  /** Another file of the same size takes its place, with other lines at its end. */
  replaceAlike(): void {
    const bytes = Buffer.from(this.#bytes ?? Buffer.alloc(0));
    const at = bytes.lastIndexOf("pending");
    if (at >= 0) bytes.write("PENDING", at);
    writeFileSync(`${this.path}.tmp`, bytes);
    renameSync(`${this.path}.tmp`, this.path);
    this.#bytes = bytes;
  }

  /** Moved away in its folder; `create` makes the file that the session goes on in. */
  moveAway(): void {
    this.#rotations += 1;
    renameSync(this.path, this.#movedTo());
    this.#older = [...this.#older, this.#bytes ?? Buffer.alloc(0)];
    this.#bytes = undefined;
    this.#seen = undefined;
    // A client that begins a new file begins a new line.
    this.#rest = Buffer.alloc(0);
  }

  create(): void {
    writeFileSync(this.path, "");
    this.#bytes = Buffer.alloc(0);
  }

  /** Somebody still had the old file open. */
  appendToMoved(): void {
    const bytes = this.#next();
    appendFileSync(this.#movedTo(), bytes);
    this.#older = [...this.#older.slice(0, -1), Buffer.concat([this.#older.at(-1) ?? Buffer.alloc(0), bytes])];
  }

  #movedTo(): string {
    return `${this.path}.${this.#rotations}`;
  }

  remove(): void {
    rmSync(this.path, { force: true });
    this.#bytes = undefined;
    this.#seen = undefined;
    this.#older = [];
    this.#goOnFrom(Buffer.alloc(0));
  }
}

function lineOf(record: JsonObject): Buffer {
  return Buffer.from(`${JSON.stringify(record)}\n`);
}

function endOfLine(bytes: Buffer, lines: number): number {
  let end = 0;
  for (let line = 0; line < lines; line += 1) end = bytes.indexOf(10, end) + 1;
  return end;
}
