import { isOurServer } from "../../core/call/call-event.js";
import { type JsonObject, listAt, objectAt, oneLine } from "../../core/json.js";
import type { Fact } from "../../core/session/observation.js";
import { askOf } from "../../core/session/state/asked-text.js";
import { factsAtEnd, type HeldCall, holdCall } from "../held-call.js";
import { addBounded } from "../memory.js";
import type { CallAnswer } from "./outcome.js";
import { toolsInScript } from "./script-calls.js";

/** A call as it is told when it starts. */
export type CallNote = Omit<Extract<Fact, { type: "call.started" }>, "type" | "call">;

/** What is told of a call when it starts, and what is held of it until its answer comes. */
export interface ToldCall {
  readonly note: CallNote;
  readonly held: HeldCall;
}

/** They wait for a person. */
const ASKING = ["request_user_input", "request_permissions"];
const NOT_WORK = ["update_plan", ...ASKING];

/** `input`: all that it was asked, as an object or as text. */
export function callOf(
  { tool, server, subject }: Pick<CallNote, "tool" | "server" | "subject">,
  input: unknown = {},
): ToldCall {
  const isOwn = server === undefined;
  const isAsking = isOwn && ASKING.includes(tool);
  const held = holdCall({ tool, server, input });
  const note: CallNote = {
    tool,
    server,
    subject,
    isWork: isOwn ? !NOT_WORK.includes(tool) : !isOurServer(server),
    isAsking,
    ...(isAsking && { ask: askOf(tool, objectAt(input)) }),
    facts: held.start,
  };
  return { note, held };
}

const NAME_MAX = 100;
const FLAT_NAME = /^mcp__(.+?)__(.+)$/s;
const MCP_NAMESPACE = /^mcp__(.+?)(?:__)?$/s;

/** A tool and its server: as a namespace and a name, or both in one name. */
export function toolOf(name: unknown, namespace?: unknown): { tool: string; server?: string | undefined } {
  const whole = oneLine(name) ?? "unknown";
  const [, space] = MCP_NAMESPACE.exec(oneLine(namespace) ?? "") ?? [];
  const [, server = space, tool = whole] = space === undefined ? (FLAT_NAME.exec(whole) ?? []) : [];
  return { tool: tool.slice(0, NAME_MAX), server: server?.slice(0, NAME_MAX) };
}

const SUBJECTS = ["command", "cmd", "file_path", "path", "query", "pattern", "url", "message", "prompt", "description"];

/** What a call is about, in one line. */
export function subjectOf(input: JsonObject): string | undefined {
  const found = SUBJECTS.map((name) => input[name]).find((value) => typeof value === "string" || Array.isArray(value));
  return Array.isArray(found) ? commandLine(found) : oneLine(found);
}

const SHELL_FLAG = /^-l?c$/;
const SHELL_LINE = /^\S*sh -l?c '([^']*)'$/;

/** What a person would have typed: without the shell that runs it. */
export function shellCommand(command: unknown): string {
  if (typeof command === "string") return SHELL_LINE.exec(command.slice(0, LINE_LOOK))?.[1] ?? command;
  const parts = listAt(command).filter((part) => typeof part === "string");
  const isShell = parts.length === 3 && SHELL_FLAG.test(parts[1] ?? "");
  return isShell ? (parts[2] ?? "") : parts.slice(0, MOST_PARTS).join(" ");
}

/** The same in one line. */
export function commandLine(command: unknown): string | undefined {
  return oneLine(shellCommand(command));
}

const LINE_LOOK = 4000;
const MOST_PARTS = 100;

/** Tools that tell of themselves when a script uses them. */
const TOLD_APART = /^(?:update_plan|exec_command|shell|shell_command|apply_patch|mcp__.+)$/;

/** A call with free text: a patch, or a script of code mode. */
export function callOfText(tool: string, text: string | undefined): ToldCall {
  const [, file] = /^\*\*\* (?:Add|Update|Delete) File: (.{1,400})$/m.exec(text?.slice(0, LINE_LOOK) ?? "") ?? [];
  const { note, held } = callOf({ tool, subject: oneLine(file ?? text) }, text);
  // What the script ran is work of its own; that the script came to its end must not hide that this failed.
  const isOnlyFrame = tool === "exec" && toolsInScript(text ?? "").some((name) => TOLD_APART.test(name));
  return { note: isOnlyFrame ? { ...note, isWork: false } : note, held };
}

interface KnownCall {
  /** With the name of its server. */
  readonly tool: string;
  /** Until it has ended. */
  readonly held?: HeldCall;
  /** The model's own call, or only an event of the client. */
  readonly by: "model" | "event";
}

export type SavedCalls = readonly (readonly [string, KnownCall])[];

/** More than one turn has in flight; the ended ones are kept because events may tell of them once more. */
const MOST_KNOWN = 300;

/** The calls of one thread: each starts once and ends once, however often it is told. */
export class CallBook {
  readonly #calls: Map<string, KnownCall>;

  constructor(saved: SavedCalls = []) {
    this.#calls = new Map(saved);
  }

  save(): SavedCalls {
    return [...this.#calls];
  }

  toolOf(call: string): string | undefined {
    return this.#calls.get(call)?.tool;
  }

  /** Undefined for one that has ended. */
  heldOf(call: string): HeldCall | undefined {
    return this.#calls.get(call)?.held;
  }

  start(call: string, { note, held }: ToldCall, by: KnownCall["by"]): readonly Fact[] {
    const known = this.#calls.get(call);
    if (known && by === "event") return [];
    if (known?.by === "event") {
      this.#calls.set(call, { ...known, by });
      return [];
    }
    // A server's tool may be called like one of the client's own.
    const tool = note.server === undefined ? note.tool : `mcp__${note.server}__${note.tool}`;
    this.#calls.delete(call);
    addBounded(this.#calls, call, { tool, held, by }, MOST_KNOWN);
    return [{ type: "call.started", call, ...note }];
  }

  /** Nothing for one that has ended before: what comes after the end is not news, clients tell why first. */
  end(call: string, answer: CallAnswer): readonly Fact[] {
    const known = this.#calls.get(call);
    if (!known?.held) return [];
    this.#close(call, known);
    return [endOf(call, known.held, answer)];
  }

  /** The turn is over. Nothing answers what is still open. Answers with the ends of calls that were cut short. */
  close(): readonly Fact[] {
    return [...this.#calls].flatMap(([call, known]) => {
      this.#close(call, known);
      return known.held ? [endOf(call, known.held, { outcome: { status: "cancelled" } })] : [];
    });
  }

  #close(call: string, { tool, by, held }: KnownCall): void {
    if (held) this.#calls.set(call, { tool, by });
  }
}

function endOf(call: string, held: HeldCall, { outcome, ...told }: CallAnswer): Fact {
  const facts = factsAtEnd(held, { status: outcome.status, ...told });
  return { type: "call.ended", call, ...outcome, facts };
}
