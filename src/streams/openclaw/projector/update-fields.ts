// Fields of a child's session update: each may be anything, of any size.
import { isObject, type JsonObject, trimmedAt } from "../../../core/json.js";
import { cutUnits } from "../../../core/text/utf16.js";

const TERMINAL = new Set(["completed", "done", "failed", "error", "cancelled"]);
/** A longer id is taken for none: ids are kept. */
const ID_MAX = 1000;

/** The text of a chunk. */
export function saidText({ content, text }: JsonObject): string | undefined {
  const said = isObject(content) && content.type === "text" ? content.text : text;
  return typeof said === "string" ? said : undefined;
}

/** Without the blanks around it, which would use up the room. */
export function shortText(value: unknown, max: number): string | undefined {
  // What comes later would be cut, and costs time to look through.
  const start = trimmedAt(value)?.slice(0, max + 2);
  return start === undefined ? undefined : cutUnits(start.toWellFormed(), max);
}

export function callId(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" && value.length <= ID_MAX ? value : undefined;
}

/** The status of a call that has ended. */
export function isTerminal(status: unknown): boolean {
  return typeof status === "string" && TERMINAL.has(status.trim());
}
