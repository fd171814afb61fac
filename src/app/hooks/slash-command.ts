import { isId } from "../../core/id.js";
import { isObject, parseJson } from "../../core/json.js";
import { redact } from "../../core/secrets/redact.js";
import { promptText } from "../../core/text/prompt-text.js";

// The plugin's commands of Claude Code. A hook of the client hands over what was typed as JSON: no shell ever reads it.

const EVENT = "UserPromptExpansion";
const PLUGIN = "milepost:";

/** Of output that the model is given to show, in characters and lines. */
const OUTPUT_MAX = 20_000;
const LINES_MAX = 200;
const LINE_MAX = 400;

/** What a command of the plugin runs: words for our command line, and the folder that the session is in. */
export interface SlashCommand {
  readonly words: readonly string[];
  readonly folder: string | undefined;
}

/** Undefined for what is no command of ours. */
export function readSlash(text: string): SlashCommand | undefined {
  const fields = parseJson(text);
  if (!isObject(fields) || fields.hook_event_name !== EVENT || !isId(fields.session_id)) return undefined;
  const { command_name: name, command_args: typed, cwd } = fields;
  if (typeof name !== "string" || !name.startsWith(PLUGIN)) return undefined;
  const command = name.slice(PLUGIN.length);
  if (!Object.hasOwn(COMMANDS, command)) return undefined;
  const words = COMMANDS[command]?.(typeof typed === "string" ? typed.trim() : "", fields.session_id);
  return words && { words, folder: typeof cwd === "string" && cwd !== "" ? cwd : undefined };
}

const COMMANDS: Readonly<Record<string, (typed: string, session: string) => readonly string[]>> = {
  todo(typed, session) {
    const [verb, rest] = firstWord(typed);
    const words = wordsIn(typed);
    // Flags as in a terminal; without one, nothing that was typed is a flag.
    if (words.length < 2 || rest.startsWith("-") || verb.startsWith("-"))
      return ["todo", ...words, ...(hasSession(words) ? [] : ["--session", session])];
    return ["todo", verb, "--session", session, "--", ...(TEXTS.get(verb)?.(rest) ?? wordsIn(rest))];
  },
  status: (typed, session) => ["sessions", ...(typed === "" ? [session] : wordsIn(typed))],
  tell(typed) {
    const [session, text] = firstWord(typed);
    // A message to this session is what the person types anyway: without a session there is nobody to tell.
    if (session === "") return ["sessions", "--here"];
    if (session.startsWith("-")) return ["tell", ...wordsIn(typed)];
    return ["tell", "--session", session, ...(text === "" ? [] : ["--", unquoted(text)])];
  },
};

/** Verbs that take a text, which may hold quotes and dashes of its own. */
const TEXTS: ReadonlyMap<string, (rest: string) => readonly string[]> = new Map([
  ["add", (rest: string) => [unquoted(rest)]],
  ["note", numbered],
  ["rename", numbered],
]);

function numbered(rest: string): readonly string[] {
  const [number, text] = firstWord(rest);
  return text === "" ? [number] : [number, unquoted(text)];
}

function firstWord(typed: string): readonly [word: string, rest: string] {
  const [, word = "", rest = ""] = /^(\S+)\s*(.*)$/s.exec(typed) ?? [];
  return [word, rest];
}

function hasSession(words: readonly string[]): boolean {
  return words.some((word) => word === "--session" || word.startsWith("--session="));
}

/** Words, and texts in quotes that begin and end with a word: an apostrophe inside a word is a sign like any other. */
export function wordsIn(typed: string): readonly string[] {
  const words = typed.match(/"[^"]*"(?=\s|$)|'[^']*'(?=\s|$)|\S+/g) ?? [];
  return words.map(unquoted);
}

function unquoted(text: string): string {
  return /^(?:"[^"]*"|'[^']*')$/s.test(text) ? text.slice(1, -1) : text;
}

/** What the command printed, as context for the model, which shows it to the person. */
export function renderSlash(output: string): string {
  const lines = redact(output.trimEnd().slice(0, OUTPUT_MAX)).split("\n").slice(0, LINES_MAX);
  const text = lines.map(columnsOf).join("\n");
  const additionalContext = `Output of Milepost:\n${text.trimEnd() || "(none)"}`;
  return JSON.stringify({ hookSpecificOutput: { hookEventName: EVENT, additionalContext } });
}

/** Texts of todos are a stranger's, and made safe for a model; the spaces of our own columns stay. */
function columnsOf(line: string): string {
  const parts = line.split(/( {2,})/);
  return parts.map((part, index) => (index % 2 === 1 ? part : promptText(part, LINE_MAX))).join("");
}
