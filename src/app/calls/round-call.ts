import type { RoundCall } from "../../core/call/call-facts.js";
import type { SeenCall } from "./call-events.js";

/** One call of a reply, as detectors see it. What its own hook told is more than what a batch does. */
export function roundCall({ tool, server, ...seen }: SeenCall, recorded?: Partial<SeenCall>): RoundCall {
  const { status, milliseconds, facts } = { ...seen, ...recorded };
  const name = server === undefined ? tool : `mcp__${server}__${tool}`;
  const isTime = Number.isSafeInteger(milliseconds) && Number(milliseconds) >= 0;
  return { ...facts, tool: name.slice(0, NAME_MAX), status, ...(isTime && { milliseconds: Number(milliseconds) }) };
}

const NAME_MAX = 100;
/** More calls at once tell no more. */
export const MOST_IN_ROUND = 20;
