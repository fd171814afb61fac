import type { Command, Given } from "../app/command-definition.js";
import { type Problem, readFields } from "../app/field-reader.js";
import { type Fields, text, toggle } from "../app/fields.js";

/** The words after a command's name, checked against its fields. */
export type Usage =
  | { readonly type: "input"; readonly input: Given; readonly flags: Given }
  | { readonly type: "help" }
  | Problem;

/** What every command takes besides its own fields. */
export const COMMON_FLAGS: Fields = {
  json: toggle("print JSON, also for errors"),
  store: text(
    "URL",
    "a file, postgres://... or memory: (or MILEPOST_STORE; default: milepost.db in Milepost's own folder)",
  ),
};

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
