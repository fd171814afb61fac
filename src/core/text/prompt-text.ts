import { redactStart } from "../secrets/redact.js";
import { cutCodePoints } from "./length.js";
import { visible } from "./visible.js";

/** What one todo may take of a model's context. */
export const PROMPT_TEXT_MAX = 200;

/**
 * Data quoted inside a prompt: one line, not long, without secrets, that cannot open or close a tag. Nothing may
 * normalise it later: NFKC would turn a look-alike bracket into a real one.
 */
export function promptText(text: string, max: number = PROMPT_TEXT_MAX): string {
  // Work is bounded before it starts: a character becomes at most a few.
  const start = redactStart(text.trimStart(), max * 4 + 1);
  const beginning = start.length > max * 4 ? `${start.slice(0, max * 4)}…` : start;
  const line = visible(beginning.replace(/\s+/g, " ").trimEnd());
  return cutCodePoints(line.replace(TAG_OPENER, "‹").replace(CHAT_MARKER, "[$1 $2]"), max);
}

// Every spelling of "<" that a later step could turn into one: compatibility forms and character references.
const TAG_OPENER = /[<\uFF1C\uFE64]|&(?:lt|#0*60|#x0*3c);?/gi;
const CHAT_MARKER = /\[(\/?)(INST|SYS|TOOL_CALLS|TOOL_RESULTS|AVAILABLE_TOOLS)\]/gi;
