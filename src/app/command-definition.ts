import type { Failure, Result } from "../core/result.js";
import type { Fields, Values } from "./fields.js";
import type { Program } from "./host.js";
import type { Milepost } from "./milepost.js";
import type { ChosenStore, Environment } from "./store-place.js";

/** What a command may use of the world outside. The surface that runs it brings it along. */
export interface CommandContext {
  readonly store: ChosenStore;
  readonly environment: Environment;
  /** The folder the person is in. */
  readonly folder: string;
  readonly program: Program;
  /** What was typed behind `milepost`: the command, of one word or two, and each word behind it. */
  readonly line: readonly string[];
  /** Makes a missing store in our own folder; one that a person named only to write: a typo is no empty store. */
  readonly open: (use: "read" | "write") => Promise<Milepost>;
  readonly input: Input;
  readonly output: Output;
  /** A word to the person that is no part of the output. */
  readonly notice: (text: string) => Promise<void>;
  /** A word to a person that scripts do not get: written where somebody sees it, beside the output. */
  readonly remark: (text: string) => Promise<void>;
  /** Progress of long work: replaces the last text, and is shown at a terminal only. */
  readonly progress: (text: string) => void;
  /** Undefined when there is nobody to ask. May be asked more than once. */
  readonly confirm: (question: string) => Promise<boolean | undefined>;
  /** The line that the person types; undefined when there is nobody to ask, or nothing more will be typed. */
  readonly ask: (question: string) => Promise<string | undefined>;
  /** Opens a text in the person's editor; undefined when the editor failed. Absent where nobody sits at a terminal. */
  readonly editText?: (name: string, text: string) => Promise<Result<EditedText | undefined>>;
  /** Puts a text on the person's clipboard; false where there is none. Absent where nobody sits at a terminal. */
  readonly copyText?: (text: string) => Promise<boolean>;
  /** Fires on Ctrl+C. */
  readonly interrupted: () => AbortSignal;
  readonly sleep: (milliseconds: number) => Promise<void>;
}

export interface EditedText {
  readonly text: string;
  /** Where the text is until `discard`: what a person has typed is not lost when it cannot be used. */
  readonly path: string;
  discard(): void;
}

export interface Input {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** A person is typing. */
  readonly isTerminal: boolean;
}

export interface Output {
  /** Resolves when there is room for more, so that a slow reader slows the writer and loses nothing. */
  readonly write: (text: string) => Promise<void>;
  /** A person is looking, right now. */
  readonly isTerminal: boolean;
  readonly hasColor: boolean;
  readonly columns: number;
  /** How many rows a person sees at once; undefined where nobody looks. */
  readonly rows?: number | undefined;
}

/** Flags as the person gave them: a command that is printed next has to repeat some. */
export type Given = Readonly<Record<string, unknown>>;

/** Defined once; every surface derives its flags, routes and help from it. Name and summary are in the table. */
export interface Command<Input extends Fields = Fields, Value = unknown> {
  /** More help: what goes in and out. Paragraphs, which help wraps. */
  readonly details: string;
  /** Whole lines of a shell; the tests run each of them. */
  readonly examples: readonly string[];
  readonly input: Input;
  /** Inputs that are told by their place on the command line, such as FILE. */
  readonly words?: readonly string[];
  /** Streams write to the output as they go; everything else returns its value. */
  run(context: CommandContext, input: Values<Input>): Promise<Result<Value>>;
  /** The value for a person's eye. With it, a command also has `--json`. */
  show?(value: Value, output: Output, given: Given): string;
  /** The failure that a value stands for: it is shown, and the command exits with this failure. */
  verdict?(value: Value): Failure | undefined;
}

export function defineCommand<Input extends Fields, Value>(command: Command<Input, Value>): Command<Input, Value> {
  return command;
}

/** A row of the command table: the command itself loads when it runs. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

/** Commands of two words that belong together; without a second one the first of them is meant. */
export interface CommandGroup {
  readonly name: string;
  readonly summary: string;
  readonly details: string;
  readonly examples: readonly string[];
  /** One that is called like a flag (`--slash`) may stand anywhere in the line. */
  readonly verbs: readonly CommandEntry[];
}

/** Fields of one command do not fit another's type: whoever runs it checks the input against its own. */
export function entry(
  name: string,
  summary: string,
  load: () => Promise<Pick<Command, "details" | "examples" | "words">>,
): CommandEntry {
  return { name, summary, load: load as CommandEntry["load"] };
}
