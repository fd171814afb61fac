import { isOurServer } from "../../core/call/call-event.js";
import { type JsonObject, listAt, oneLine } from "../../core/json.js";
import type { Fact } from "../../core/session/observation.js";
import { askOf } from "../../core/session/state/asked-text.js";
import { addBounded } from "../memory.js";
import { COMPLETED, type Outcome } from "./outcome.js";
import { toolsInScript } from "./script-calls.js";

/** A call as it is told when it starts. */
export type CallNote = Omit<Extract<Fact, { type: "call.started" }>, "type" | "call">;

/** They wait for a person. */
const ASKING = ["request_user_input", "request_permissions"];
const NOT_WORK = ["update_plan", ...ASKING];

export function noteOf(
  { tool, server, subject }: Pick<CallNote, "tool" | "server" | "subject">,
  input: JsonObject = {},
): CallNote {
  const isOwn = server === undefined;
  const isAsking = isOwn && ASKING.includes(tool);
  return {
    tool,
    server,
    subject,
    isWork: isOwn ? !NOT_WORK.includes(tool) : !isOurServer(server),
    isAsking,
    ...(isAsking && { ask: askOf(tool, input) }),
  };
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
export function commandLine(command: unknown): string | undefined {
  if (typeof command === "string") return oneLine(SHELL_LINE.exec(command.slice(0, LINE_LOOK))?.[1] ?? command);
  const parts = listAt(command).filter((part) => typeof part === "string");
  const isShell = parts.length === 3 && SHELL_FLAG.test(parts[1] ?? "");
  return oneLine(isShell ? parts[2] : parts.slice(0, MOST_PARTS).join(" "));
}

const LINE_LOOK = 4000;
const MOST_PARTS = 100;

/** Tools that tell of themselves when a script uses them. */
const TOLD_APART = /^(?:update_plan|exec_command|shell|shell_command|apply_patch|mcp__.+)$/;

/** A call with free text: a patch, or a script of code mode. */
export function noteOfText(tool: string, text: string | undefined): CallNote {
  const [, file] = /^\*\*\* (?:Add|Update|Delete) File: (.{1,400})$/m.exec(text?.slice(0, LINE_LOOK) ?? "") ?? [];
  const note = noteOf({ tool, subject: oneLine(file ?? text) });
  // What the script ran is work of its own; that the script came to its end must not hide that this failed.
  const isOnlyFrame = tool === "exec" && toolsInScript(text ?? "").some((name) => TOLD_APART.test(name));
  return isOnlyFrame ? { ...note, isWork: false } : note;
}

interface KnownCall {
  /** With the name of its server. */
  readonly tool: string;
  readonly isOpen: boolean;
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

  start(call: string, note: CallNote, by: KnownCall["by"]): readonly Fact[] {
    const known = this.#calls.get(call);
    if (known && by === "event") return [];
    if (known?.by === "event") {
      this.#calls.set(call, { ...known, by });
      return [];
    }
    // A server's tool may be called like one of the client's own.
    const tool = note.server === undefined ? note.tool : `mcp__${note.server}__${note.tool}`;
    this.#calls.delete(call);
    addBounded(this.#calls, call, { tool, isOpen: true, by }, MOST_KNOWN);
    return [{ type: "call.started", call, ...note }];
  }

  /** `note`: what it is if nothing has told of it yet. What comes after the end is not news: clients tell why first. */
  end(call: string, outcome: Outcome = COMPLETED, note?: CallNote): readonly Fact[] {
    const started = note && !this.#calls.has(call) ? this.start(call, note, "event") : [];
    const known = this.#calls.get(call);
    if (!known?.isOpen) return started;
    this.#calls.set(call, { ...known, isOpen: false });
    return [...started, { type: "call.ended", call, ...outcome }];
  }

  /** The turn is over. Nothing answers what is still open. */
  close(): readonly string[] {
    const open = [...this.#calls].filter(([, { isOpen }]) => isOpen);
    for (const [call, known] of open) this.#calls.set(call, { ...known, isOpen: false });
    return open.map(([call]) => call);
  }
}
