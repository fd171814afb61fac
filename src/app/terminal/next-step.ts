import { quoteForPosix } from "../../core/text/shell-quote.js";
import { terminalText } from "../../core/text/terminal-text.js";
import { maskPassword } from "../../store/url.js";
import type { CommandContext, Given } from "../command-definition.js";
import { flagName } from "../fields.js";

/** Flags that a printed command repeats, so that it means the same list and the same person. */
export const WHERE_FLAGS = ["list", "store"] as const;
/** The same for a list that is a session's. */
export const PLACE_FLAGS = ["list", "store", "session", "agent"] as const;
export const WHO_FLAGS = ["list", "as", "session", "store"] as const;

/** A command as a person can copy it: with the flags of the last one that it needs too. */
export function nextStep(words: string, given: Given, flags: readonly string[] = Object.keys(given)): string {
  return ["milepost", words, ...flags.flatMap((name) => flagWords(name, given[name]))].join(" ");
}

function flagWords(name: string, value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((one) => flagWords(name, one));
  if (value === true) return [flagName(name)];
  const isText = typeof value === "string" || typeof value === "number";
  return isText ? [flagName(name), shellWord(shown(name, String(value)))] : [];
}

export function shellWord(text: string): string {
  return quoteForPosix(terminalText(text));
}

/** The command that was typed, with another value in the place of one; undefined where that was not typed. */
export function sameLine(line: readonly string[], typed: string, meant: string): string | undefined {
  const at = line.findLastIndex((word) => word === typed || word.endsWith(`=${typed}`));
  if (at < 0) return undefined;
  const word = line[at] ?? "";
  return typedLine(line.with(at, word.slice(0, word.length - typed.length) + meant));
}

/** A password is not printed, even though the command then has to be completed by hand. */
function shown(flag: string, value: string): string {
  return flag === "store" ? maskPassword(value) : value;
}

/** A line as it was typed, quoted for the shell; passwords are masked. The command may be one word or two. */
export function typedLine([command = "", ...words]: readonly string[]): string {
  const safe = words.map((word, at) => {
    const isStore = words[at - 1] === "--store" || /^--store=|:\/\//.test(word);
    return shellWord(isStore ? maskPassword(word) : word);
  });
  return ["milepost", ...command.split(" ").map(shellWord), ...safe].join(" ");
}

/** Words with more flags: before `--`, behind which they would be texts. */
export function withFlags(words: readonly string[], ...flags: readonly string[]): readonly string[] {
  const end = words.includes("--") ? words.indexOf("--") : words.length;
  return [...words.slice(0, end), ...flags, ...words.slice(end)];
}

/** The store that was named with this very command; one of the environment is there the next time too. */
export function givenStore({ store, environment }: CommandContext): string | undefined {
  return store.isOwnFolder || store.url === environment.MILEPOST_STORE ? undefined : store.url;
}

const DOCTOR = "doctor(?: --(?:accept-loss|rebuild|redact|salvage salvaged\\.db))?";
const STORELESS = new RegExp(
  `milepost (?:${DOCTOR}|task list(?: --all)? --list \\S+|sessions --all)(?=\\s|[.,;]|$)(?! --store)`,
  "g",
);

/** Messages of store and core do not know by which name the store was asked for: the commands in them get it here. */
export function withStore(message: string, { store }: Given): string {
  if (typeof store !== "string" || store === "") return message;
  return message.replace(STORELESS, (command) => `${command} --store ${shellWord(shown("store", store))}`);
}
