import type { CallEnd, CallStart } from "../core/call/call-facts.js";
import { endFacts, type RawCall, type RawEnd, startFacts } from "../core/call/facts-of-call.js";
import { isListName } from "../core/call/tool-kind.js";
import { isObject, listAt, objectAt } from "../core/json.js";
import { redactStart } from "../core/secrets/redact.js";
import { markOf } from "../core/session/digest-text.js";
import type { Fact } from "../core/session/observation.js";
import { openedPullRequest } from "../core/session/pull-request.js";

/** What is held of a call until its answer comes: small, and of what anybody wrote only the command that is run. */
export interface HeldCall {
  readonly tool: string;
  readonly server?: string | undefined;
  readonly start: CallStart;
  /** Only what the answer needs beside itself: the lines of a change, as marks, or the command. */
  readonly input?: unknown;
}

export function holdCall(call: RawCall): HeldCall {
  const { tool, server, input } = call;
  const start = isListName(call) ? LIST_CALL : startFacts(call);
  const kept = inputToHold(start, input);
  const held: { -readonly [Field in keyof HeldCall]: HeldCall[Field] } = { tool, start };
  if (server !== undefined) held.server = server;
  if (kept !== undefined) held.input = kept;
  return held;
}

/** Nobody compares calls that write a list: writes are told apart. Lists are long, and looking through each costs. */
const LIST_CALL: CallStart = { kind: "other", signature: "", isList: true };

/** What the answer to a held call tells. */
export function factsAtEnd({ tool, server, start, input }: HeldCall, end: RawEnd): CallEnd {
  if (start.isList) return {};
  return endFacts({ tool, server, input }, start, end);
}

const OPENS_PULL_REQUEST = /\bgh\s+pr\s+create\b/;

/** Where the command was one that opens a pull request, and says so. `output`: a text, or blocks of it. */
export function pullRequestAfter({ start, input }: HeldCall, output: unknown): Fact | undefined {
  if (start.kind !== "execute" || !OPENS_PULL_REQUEST.test(commandText(input))) return undefined;
  const pullRequest = openedPullRequest(lastText(output));
  return pullRequest && { type: "pull-request.named", pullRequest };
}

/** Of what is held of a command. */
function commandText(input: unknown): string {
  if (typeof input === "string") return input;
  const [command] = isObject(input) ? Object.values(input) : [];
  return Array.isArray(command) ? command.join(" ") : typeof command === "string" ? command : "";
}

function lastText(output: unknown): string {
  const last = typeof output === "string" ? output : objectAt(listAt(output).at(-1)).text;
  return typeof last === "string" ? last : "";
}

function inputToHold({ kind }: CallStart, input: unknown): unknown {
  if (kind === "edit") return markedLines(input);
  return kind === "execute" ? commandIn(input) : undefined;
}

const COMMANDS = ["command", "cmd", "script"];
const COMMAND_MAX = 4000;
const MOST_WORDS = 20;

/** A line, or words, in the field that it came in; without secrets. */
function commandIn(input: unknown): unknown {
  if (typeof input === "string") return redactStart(input, COMMAND_MAX).toWellFormed();
  if (!isObject(input)) return undefined;
  const name = COMMANDS.find((field) => input[field] !== undefined);
  const command = name === undefined ? undefined : input[name];
  if (name === undefined || isObject(command)) return undefined;
  return { [name]: Array.isArray(command) ? command.slice(0, MOST_WORDS).map(commandIn) : commandIn(command) };
}

/** In all texts of one change; what has more is not held. */
const MOST_LINES = 2000;
const MOST_FIELDS = 50;
const NAME_MAX = 40;
const DEEPEST = 4;
const MARK = 7;

/** Each line as its first character and a mark of it: lines can be counted and compared, but not read. */
function markedLines(value: unknown): unknown {
  let room = MOST_LINES;
  const marked = (one: unknown, depth: number): unknown => {
    if (typeof one === "string") {
      const lines = one.split("\n", room + 1);
      room -= lines.length;
      return room < 0 ? null : lines.map(markedLine).join("\n");
    }
    if (typeof one !== "object" || one === null) return one;
    if (depth >= DEEPEST) return null;
    if (Array.isArray(one)) return one.slice(0, MOST_FIELDS).map((item) => marked(item, depth + 1));
    const fields = Object.entries(one).filter(([name]) => name.length <= NAME_MAX);
    return Object.fromEntries(fields.slice(0, MOST_FIELDS).map(([name, item]) => [name, marked(item, depth + 1)]));
  };
  const held = marked(value, 0);
  return room < 0 ? undefined : held;
}

/** Says that what follows is a patch. */
const PATCH = "*** Begin Patch";

/** So short a line holds no secret. */
function markedLine(line: string): string {
  if (line.length <= 2 || line === PATCH) return line.toWellFormed();
  return `${line.slice(0, 1).toWellFormed()}${markOf(line).slice(0, MARK)}`;
}
