import type * as z from "zod";
import type { Result } from "../core/result.js";
import type { Milepost } from "./milepost.js";

/** What a command may use of the world outside. The surface that runs it brings it along. */
export interface CommandContext {
  readonly milepost: Milepost;
  readonly input: Input;
  readonly output: Output;
  /** A word to the person that is no part of the output. */
  readonly notice: (text: string) => Promise<void>;
  readonly sleep: (milliseconds: number) => Promise<void>;
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
}

/** Defined once; every surface derives its flags, routes and help from it. Name and summary are in the table. */
export interface Command<Input extends z.ZodObject = z.ZodObject> {
  /** More help: what goes in and out, with an example. */
  readonly details: string;
  readonly input: Input;
  run(context: CommandContext, input: z.output<Input>): Promise<Result<undefined>>;
}

export function defineCommand<Input extends z.ZodObject>(command: Command<Input>): Command<Input> {
  return command;
}
