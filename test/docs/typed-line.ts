import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { COMMANDS } from "../../src/app/command-table.js";
import { type Ran, runWarm } from "../warm-command.js";
import type { World } from "./sample-worlds.js";
import { root } from "./shown-commands.js";

// A line of a document as a person would type it into a shell.

/** What a person answers to the questions of a command. */
const ANSWERS: readonly (readonly [RegExp, string])[] = [
  [/^milepost setup(?!.*--(?:yes|dry-run|json))/, "\ny\n"],
  [/^milepost (?:unsetup|forget|doctor --redact|doctor --accept-loss|backup .*--restore)(?!.*--yes)/, "y\n"],
];
/** Milliseconds after which a person has seen enough of what goes on until Ctrl+C. */
const WATCHED = 300;
const ENDLESS = / --(?:follow|watch)\b/;

/** Files are named from the folder a process is in; a thread has none of its own. */
const FILES = /\.(?:db|jsonl|md|json)\b|^milepost todo (?:import|export)\b/;
const WARM = new Set(COMMANDS.map(({ name }) => name));

/** A plain line runs in the warm command line; a shell takes what only a shell understands, and other programs. */
export function runTyped(line: string, world: World): Ran {
  const { folder, environment } = world;
  const words = plainWords(line);
  const [program, command = "watch", ...rest] = words ?? [];
  const input = ANSWERS.find(([pattern]) => pattern.test(line))?.[1];
  const isWarm = WARM.has(command) || command.startsWith("-");
  // Whoever is asked something has no shell here, and names files from the root on.
  if (program === "milepost" && isWarm && (input !== undefined || !FILES.test(line))) {
    const named = rest.map((word) => (FILES.test(word) ? join(folder, word) : word));
    const typed = input === undefined ? {} : { input, isTyped: true };
    const ended = ENDLESS.test(line) ? { endsAfter: WATCHED } : {};
    return runWarm([command, ...named], { folder, environment, ...typed, ...ended });
  }
  const { status, stdout, stderr } = spawnSync("bash", ["-ec", line], {
    cwd: line.startsWith("node scripts/") ? fileURLToPath(root) : folder,
    env: environment,
    encoding: "utf8",
    input: "",
    timeout: 20_000,
  });
  return { exit: status, out: stdout, err: stderr };
}

/** What has to be done before a line can be typed, by how that begins. */
const BEFORE: readonly (readonly [line: string, before: string])[] = [
  ["milepost backup milepost-backup.db --restore", "milepost backup milepost-backup.db"],
  ["milepost import all.jsonl", "milepost export all.jsonl"],
  ["milepost todo done --phase Tests", "milepost todo add Run them --phase Tests"],
  ["milepost todo undo", "milepost todo done 3"],
  ["milepost task renew 3", "milepost task claim 3"],
  ["milepost task release 3", "milepost task claim 3"],
  ["milepost task done 3 --fence", "milepost task claim 3"],
  ["milepost task fail 3", "milepost task claim 3"],
  ["milepost task wait 3 --fence", "milepost task claim 3"],
  ["milepost task reopen 3", "milepost task done 3"],
  ["milepost task signal deploy --correlation", "milepost task wait 3 --topic deploy --correlation build-77"],
  ["milepost task wake 3", "milepost task wait 3 --manual"],
];

/** The machine on which a line by itself can be typed. */
export function enterFor(world: World, line: string): void {
  world.enter(/ (?:un)?setup\b/.test(line) ? "found" : / plans?\b(?!\/)/.test(line) ? "plans" : "web");
  const [, before] = BEFORE.find(([begin]) => line.startsWith(begin)) ?? [];
  if (before !== undefined && runTyped(before, world).exit !== 0) throw new Error(`It did not work: ${before}`);
}

const WORD = /(?:'[^']*'|"[^"$`\\!]*"|[^\s'"`$&|;<>(){}*?~\\])+/y;

/** The words of a line, without a comment at its end; undefined where only a shell understands it. */
export function plainWords(line: string): readonly string[] | undefined {
  const words: string[] = [];
  for (let at = skipBlanks(line, 0); at < line.length && line[at] !== "#"; at = skipBlanks(line, WORD.lastIndex)) {
    WORD.lastIndex = at;
    const [word] = WORD.exec(line) ?? [];
    if (word === undefined) return undefined;
    words.push(word.replaceAll(/'([^']*)'|"([^"]*)"/g, "$1$2"));
  }
  return /^\w+=/.test(words[0] ?? "=") ? undefined : words;
}

function skipBlanks(line: string, at: number): number {
  return at + (/^\s*/.exec(line.slice(at))?.[0].length ?? 0);
}
