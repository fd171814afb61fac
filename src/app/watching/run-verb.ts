import { isObject, textAt } from "../../core/json.js";
import { fail, type Result } from "../../core/result.js";
import { redactedInput } from "../command-context.js";
import type { Command, CommandContext, Given } from "../command-definition.js";
import { COMMANDS } from "../command-table.js";

/** What a command of the table came to: its value, and the same as a person reads it. */
export interface VerbDone {
  readonly value: unknown;
  readonly text: string;
}

/** Runs a command by the name it has on the command line, such as `todo done`, on input that is already read. */
export async function runVerb(context: CommandContext, name: string, input: Given): Promise<Result<VerbDone>> {
  const command = await commandNamed(name);
  if (!command) return fail("bad-usage", `There is no command "${name}".`);
  const result = await command.run({ ...context, line: [name] }, redactedInput(name, input));
  if (!result.ok) return result;
  const bad = command.verdict?.(result.value);
  if (bad) return fail(bad);
  const text = command.show?.(result.value, context.output, input) ?? "";
  return { ok: true, value: { value: result.value, text } };
}

async function commandNamed(name: string): Promise<Command | undefined> {
  const [word = "", verb] = name.split(" ");
  const found = COMMANDS.find((one) => one.name === word);
  if (!found || !("verbs" in found)) return found?.load();
  return found.verbs.find((one) => one.name === verb)?.load();
}

/** What was done, in one line: the command's own sentence where it has one. */
export function saidOf({ value, text }: VerbDone): string {
  const said = isObject(value) ? textAt(value.said) : undefined;
  return said ?? (text.split("\n").find((line) => line.trim() !== "") ?? "Done.").trim();
}
