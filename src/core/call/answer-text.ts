import { isObject, type JsonObject } from "../json.js";

/** An answer without its middle: enough to tell what came of a call, whatever its size. */
export interface AnswerText {
  readonly head: string;
  /** Empty where the head is all of it. */
  readonly tail: string;
  /** Characters of all of it. */
  readonly size: number;
}

const EDGE = 4000;
const DEEPEST = 8;
const MOST_PIECES = 500;

/** Where clients and servers put the text that the model reads. */
const TEXT_FIELDS = ["llmContent", "textResultForLlm", "content", "output", "aggregated_output", "text", "result"];
/** Figures about the call itself, which differ each time. */
const SKIPPED: readonly string[] =
  "duration durationMs duration_ms totalDurationMs wall_time_seconds usage totalTokens agentId originalFile".split(" ");

/** Undefined where there is no answer. */
export function answerText(output: unknown): AnswerText | undefined {
  if (output === undefined || output === null) return undefined;
  const pieces: string[] = [];
  collect(pieces, output, 0);
  const size = pieces.reduce((sum, { length }) => sum + length, Math.max(0, pieces.length - 1));
  return size <= 2 * EDGE
    ? { head: pieces.join("\n"), tail: "", size }
    : { head: firstOf(pieces), tail: lastOf(pieces), size };
}

function collect(pieces: string[], value: unknown, depth: number): void {
  if (pieces.length >= MOST_PIECES || depth > DEEPEST) return;
  if (typeof value === "string") {
    if (value !== "") pieces.push(value);
  } else if (Array.isArray(value)) {
    for (const item of value.slice(0, MOST_PIECES)) collect(pieces, item, depth + 1);
  } else if (isObject(value)) collectObject(pieces, value, depth);
  else if (typeof value === "number" || typeof value === "boolean") pieces.push(String(value));
}

function collectObject(pieces: string[], value: JsonObject, depth: number): void {
  if (typeof value.stdout === "string" || typeof value.stderr === "string") {
    for (const text of [value.stdout, value.stderr])
      if (typeof text === "string" && text !== "") pieces.push(text.replace(/\n$/, ""));
    return;
  }
  const field = TEXT_FIELDS.find((name) => typeof value[name] === "string" || Array.isArray(value[name]));
  // A block has its type beside its text, which says nothing.
  if (field !== undefined) {
    collect(pieces, value[field], depth + 1);
    return;
  }
  for (const name of Object.keys(value).sort().slice(0, MOST_PIECES)) {
    if (SKIPPED.includes(name)) continue;
    pieces.push(`${name}:`);
    collect(pieces, value[name], depth + 1);
  }
}

function firstOf(pieces: readonly string[]): string {
  let head = "";
  for (const piece of pieces) {
    if (head.length >= EDGE) break;
    head += `${head === "" ? "" : "\n"}${piece.slice(0, EDGE)}`;
  }
  return head.slice(0, EDGE);
}

function lastOf(pieces: readonly string[]): string {
  let tail = "";
  for (let at = pieces.length - 1; at >= 0 && tail.length < EDGE; at -= 1)
    tail = `${pieces[at]?.slice(-EDGE)}${tail === "" ? "" : "\n"}${tail}`;
  return tail.slice(-EDGE);
}
