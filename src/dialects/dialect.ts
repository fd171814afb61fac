import type { Result } from "../core/result.js";
import type { ScratchTables } from "../core/scratch-tables.js";
import type { TodoCommand, TodoError } from "../core/todo/command.js";
import type { TodoEvent } from "../core/todo/events.js";
import type { TodoList, TodoStatus } from "../core/todo/list.js";
import type { TodoPolicy } from "../core/todo/policy.js";
import type { Line, Screen } from "./styled-line.js";

/** What a model sees of a tool, and what a host needs to know before it runs it without asking. */
export interface ToolDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly annotations: ToolAnnotations;
  /** Still answered, because older versions of its agent call it; no longer offered. */
  readonly isRetired?: boolean;
  /** What its agent tells its own host, in its words: whether calls may run side by side, and the like. */
  readonly traits?: { readonly [name: string]: string | boolean };
}

type JsonSchema = { readonly [keyword: string]: unknown };

export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** A list of ours is no danger and no outside world; Codex asks the person about a tool that does not say so. */
export const LIST_TOOL: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
};

export interface ToolCall {
  readonly tool: string;
  readonly input: ToolInput;
  /** Some agents refuse a checklist while the person has not yet approved a plan. */
  readonly mode?: "default" | "plan";
  /** Whether the agent's session has a file of its own: some agents say so with each answer. Default: it has. */
  readonly storage?: "session" | "memory";
  /** Of a call that the agent's own tool has made: the list as that tool tells it, where it does. */
  readonly result?: unknown;
  /** For a dialect that `needsTables`. */
  readonly openTables?: () => ScratchTables;
}

/** The value, or the text as written. `source`: the value's text, where its numbers lost something: 2.0 is not 2. */
export type ToolInput = { readonly value: unknown; readonly source?: string | undefined } | { readonly text: string };

/** `text` is exactly what the model reads. */
export interface Answer {
  readonly text: string;
  readonly isError: boolean;
  readonly data?: unknown;
}

/** What became of the command: the write, or the reason why there was none. */
type Outcome = Result<Written, TodoError>;

export interface Written {
  readonly before: TodoList;
  readonly after: TodoList;
  readonly events: readonly TodoEvent[];
  readonly refused: readonly TodoError[];
}

/** A call is either answered at once (it was refused before any write) or becomes a command. */
export type Parsed =
  | { readonly type: "answer"; readonly answer: Answer }
  | { readonly type: "command"; readonly command: TodoCommand; readonly render: (outcome: Outcome) => Answer };

/** What an agent can say of a todo, or of a list, beside texts and statuses. */
export type Carried = "phases" | "notes" | "active form" | "parent" | "id" | "priority" | "explanation";

/** How an agent's words map to ours. docs/dialects.md is made from it; a test holds every pair of dialects to it. */
interface Vocabulary {
  /** The versions whose answers these are. */
  readonly editions: string;
  /** What one call brings. */
  readonly writes: "changes" | "the whole list" | "the whole list, or changes by id";
  /** Its word for each of our statuses. A todo that it has no word for is left out of what it shows. */
  readonly statuses: Readonly<Partial<Record<TodoStatus, string>>>;
  /** What it does not carry stays with the todo, unseen. */
  readonly carries: readonly Carried[];
  /** Limits that are not core's to check, in words. */
  readonly limits?: string;
}

/** When and how to keep a list: every rule that the agent tells its model, in our words. */
export interface Guidance {
  readonly text: string;
  /** Where the agent says it, and so do we, once: in its tool's description, or to the session as a whole. */
  readonly place: "description" | "instructions";
}

/** How a list is drawn. */
interface PanelOptions {
  /** Undefined: no line is too long. */
  readonly screen?: Screen | undefined;
  /** All of the list, where the agent shows a part of it until a person asks for the rest. */
  readonly isExpanded?: boolean | undefined;
  /** What the agent's last write to the list was answered, where it was refused; empty: nobody has told. */
  readonly refusal?: string | undefined;
}

export type Panel = (list: TodoList, options?: PanelOptions) => readonly Line[];

/** One agent's tool surface: data, and a parser that knows how to answer. Neither ever throws, whatever the input. */
export interface Dialect {
  readonly name: string;
  readonly summary: string;
  readonly tools: readonly ToolDefinition[];
  readonly policy: TodoPolicy;
  readonly vocabulary: Vocabulary;
  /** Its tool speaks SQL: who calls `parse` hands in what opens tables. Without, every call is refused. */
  readonly needsTables?: true;
  /** `list`: what the command will be decided on; some dialects name todos by what it holds, or by its next numbers. */
  parse(call: ToolCall, list: TodoList): Parsed;
  /** The list as this agent itself would hold it, as JSON; what it has no words for is left out. */
  show(list: TodoList): unknown;
  /** What the agent puts before its model after a compaction; undefined when nothing is open. */
  digest?(list: TodoList): string | undefined;
  /** What the agent draws for a person. Texts are as they are: who prints them makes them safe first. */
  readonly panel?: Panel;
  /** Adds what else the model should know to an answer; only a dialect whose answers are our own has room for it. */
  told?(answer: Answer, notices: readonly string[]): Answer;
  readonly guidance?: Guidance;
}

/** What a model is offered; `tools` also has what is only answered. */
export function offeredTools(dialect: Dialect): readonly ToolDefinition[] {
  return dialect.tools.filter(({ isRetired }) => isRetired !== true);
}

export function refuse(text: string): Parsed {
  return { type: "answer", answer: { text, isError: true } };
}

/** The JSON value of an input, or the text itself where it is no JSON. */
export function inputValue(input: ToolInput): unknown {
  if ("value" in input) return input.value;
  try {
    return JSON.parse(input.text);
  } catch {
    return input.text;
  }
}
