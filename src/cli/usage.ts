import type { Command, Given } from "../app/command-definition.js";
import { type Problem, readFields } from "../app/field-reader.js";
import { COMMON_FLAGS, type Fields } from "../app/fields.js";

/** The words after a command's name, checked against its fields. */
export type Usage =
  | { readonly type: "input"; readonly input: Given; readonly flags: Given }
  | { readonly type: "help" }
  | Problem;

export function readUsage(line: readonly string[], { words = [], input, show }: Command): Usage {
  const read = readFields(line, allFields(input), words);
  if (read.type !== "values") return read;
  const flags: Given = read.values;
  const { store: _, ...own } = flags;
  const { json: __, ...withoutJson } = own;
  // `--json` is the surface's for commands that return a value; commands that stream handle it themselves.
  return { type: "input", input: show ? withoutJson : own, flags };
}

/** A command's own fields, and those of every command. */
export function allFields(input: Fields): Fields {
  return { ...COMMON_FLAGS, ...input };
}
