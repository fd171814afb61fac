import type { JsonObject } from "../../../core/json.js";
import { type Complain, oneLine } from "../spelling.js";
import { readOne, type TaskName } from "./task-names.js";

/** What a call asks to see. */
export type Reading =
  /** `from`: the character of its description to read on from. */
  | { readonly type: "task"; readonly task: TaskName; readonly from: number }
  /** `from`: the number of the first row; in the list of ready ones, which has its own order, its place. */
  | { readonly type: "list"; readonly which: string; readonly from: number };

export function readReading(fields: JsonObject, task: TaskName | undefined, complain: Complain): Reading | undefined {
  const { list, show } = fields;
  const from = readFrom(fields.from, complain);
  // A task that nothing is said of is asked for.
  const isBare = task !== undefined && Object.keys(fields).every((field) => field === "task" || field === "from");
  const shown = isBare ? task : readOne("show", show, complain);
  if (shown !== undefined && list !== undefined) complain('"show" and "list" take one call each.');
  if (shown !== undefined) return { type: "task", task: shown, from };
  if (list === undefined) return undefined;
  if (list === true) return { type: "list", which: "open", from };
  if (typeof list === "number" || (typeof list === "string" && /^\s*#?\d{1,15}\s*$/.test(list))) {
    const named = readOne("list", list, complain);
    return named === undefined ? undefined : { type: "task", task: named, from };
  }
  if (typeof list === "string")
    return { type: "list", which: [...oneLine(list)].slice(0, LONGEST_SEARCH).join(""), from };
  complain('"list" takes ready, open, blocked, waiting, mine, done, all, words to search for, or "#3".');
  return undefined;
}

/** It is repeated in the line that says how to go on. */
const LONGEST_SEARCH = 60;

function readFrom(value: unknown, complain: Complain): number {
  if (value === undefined) return 1;
  const from = typeof value === "string" ? Number(value.replace("#", "")) : value;
  if (typeof from === "number" && Number.isSafeInteger(from) && from > 0) return from;
  complain('"from" takes the number that the last answer named.');
  return 1;
}
