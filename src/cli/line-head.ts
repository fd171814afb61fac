import { withFlags } from "../app/terminal/next-step.js";

// What stands before the command: flags that every command takes may, and nothing else.

/** A line with the command in front, or what was asked for without one. */
export type Head =
  | { readonly type: "line"; readonly words: readonly string[] }
  | { readonly type: "version" }
  | { readonly type: "help" }
  /** A flag of some command; `words` is the line with the command in front, where there is one. */
  | { readonly type: "early-flag"; readonly flag: string; readonly words: readonly string[] };

export function readHead(words: readonly string[], isCommand: (word: string) => boolean): Head {
  const flags: string[] = [];
  let isHelp = false;
  let at = 0;
  for (; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (VERSION.includes(word)) return { type: "version" };
    if (word === "-h" || word === "--help") isHelp = true;
    else if (word === "--json" || word.startsWith("--store=")) flags.push(word);
    else if (word === "--store") {
      flags.push(...words.slice(at, at + 2));
      at += 1;
    } else break;
  }
  const [name, ...rest] = words.slice(at);
  if (name?.startsWith("-")) return early(words, at, isCommand);
  if (isHelp) return name === undefined || name === "help" ? { type: "help" } : line(name, rest, "--help");
  // Without a command: what is going on.
  return line(name ?? "watch", rest, ...flags);
}

const VERSION: readonly string[] = ["-v", "-V", "--version"];

/** Flags go behind the other words: the first of these may be a verb or a topic of help. */
function line(name: string, rest: readonly string[], ...flags: readonly string[]): Head {
  return { type: "line", words: [name, ...withFlags(rest, ...flags)] };
}

/** Without a command they are those of `watch`, which says what it does not know. */
function early(words: readonly string[], at: number, isCommand: (word: string) => boolean): Head {
  const command = words.findIndex((word, index) => index > at && isCommand(word));
  if (command < 0) return line("watch", words);
  const moved = withFlags(words.slice(command), ...words.slice(0, command));
  return { type: "early-flag", flag: words[at] ?? "", words: moved };
}
