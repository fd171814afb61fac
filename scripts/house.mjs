// Figures of the source tree: node scripts/house.mjs [FOLDER]. test/architecture.test.ts holds the limits.
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Names that several rooms share because each has one of that role. */
export const ROLES = {
  "command.ts": "what a layer can be asked to do",
  "decide.ts": "a layer's rules: state and command in, events out",
  "engine.ts": "the contract of a store engine, and each engine",
  "errors.ts": "a store engine's errors, in our words",
  "events.ts": "a layer's events",
  "evolve.ts": "a layer's fold",
  "limits.ts": "a layer's limits",
  "open.ts": "opens a store, and each engine's own",
  "policy.ts": "what dialects of a layer differ in",
  "run.ts": "the entry of a surface",
};

/** Files under 20 lines that stay alone. */
export const SMALL = {
  "app/commands/guidance.ts": "a command of its own",
  "app/commands/task/lease-remark.ts": "one text with a table of its own",
  "app/session/person-name.ts": "hooks need it, and must not load commands",
  "app/setup/agents/codex-adapter.ts": "a program of its own, which reads the files of Codex",
  "app/terminal/diff-rows.ts": "setup and plans show a diff in the same colours",
  "app/transcripts/report/once-per-state.ts": "a memory for reports, of which they know nothing",
  "app/transcripts/report/report-progress.ts": "the table, the view and notices of sub-agents count alike",
  "core/call/word-list.ts": "tables of words in several folders are read with it",
  "core/first-abort.ts": "the store, commands and the server wait with it",
  "core/session/turn/missed-check.ts": "reports load it, and must not load the fold",
  "core/text/guidance-text.ts": "a text that several surfaces print",
  "core/text/shell-quote.ts": "core, terminal and setup need it",
  "core/todo/evolve.ts": "a contract: the fold of a list, one of the two functions of core/todo",
  "dialects/block-note.ts": "three dialects write a blocked todo with it",
  "dialects/gencode/gencode-reminders.ts": "hooks load it, and must not load the dialect",
  "extension/bounded-map.ts": "extensions of several agents keep what they know in it",
  "extension/opencode/milepost-plugin.ts": "opencode takes every export of that file for a plugin",
  "streams/host-formats.ts": "a table: the formats by name",
};

export const MOST_FILES = 20;
export const FEWEST_LINES = 20;
export const LONGEST_LINE = 120;

/** Source files below a folder, tests aside, by their path from it. */
export function sourceFiles(folder) {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"))
    .map((path) => ({ path, lines: readFileSync(join(folder, path), "utf8").trimEnd().split("\n") }));
}

export function crowdedFolders(files) {
  const counts = count(files.map(({ path }) => dirname(path)));
  return [...counts].filter(([, files]) => files > MOST_FILES);
}

/** Names of more than one file, with the places. Those in ROLES have one meaning. */
export function repeatedNames(files) {
  const counts = count(files.map(({ path }) => basename(path)));
  return [...counts].filter(([, times]) => times > 1).map(([name]) => name);
}

export function smallFiles(files) {
  return files.filter(({ lines }) => lines.length < FEWEST_LINES).map(({ path }) => path);
}

/** A line is too long only if it could have been broken: strings, patterns and addresses cannot; comments always can. */
export function longLines(files) {
  return files.flatMap(({ path, lines }) =>
    lines.flatMap((line, at) => (isTooLong(line) ? [`${path}:${at + 1}`] : [])),
  );
}

function isTooLong(line) {
  if (line.length <= LONGEST_LINE) return false;
  const isComment = /^\s*(?:\/[/*]|\*)/.test(line);
  // A comment begins and ends with the sign of a pattern, and is none.
  const unbreakable = isComment ? /https?:\S+/g : /(["'`/])(?:\\.|(?!\1).)*\1|https?:\S+/g;
  return line.replace(unbreakable, (text) => (text.length > 60 ? '""' : text)).length > LONGEST_LINE;
}

function count(names) {
  const counts = new Map();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = join(process.argv[2] ?? fileURLToPath(new URL("..", import.meta.url)));
  const files = sourceFiles(join(root, "src"));
  const folders = count(files.map(({ path }) => dirname(path)));
  const repeated = repeatedNames(files);
  const rows = {
    "source files": files.length,
    "source lines": files.reduce((sum, { lines }) => sum + lines.length, 0),
    folders: folders.size,
    "most files in a folder": Math.max(...folders.values()),
    [`folders with more than ${MOST_FILES} files`]: crowdedFolders(files).length,
    "names that occur twice": repeated.length,
    "names that occur twice, with two meanings": repeated.filter((name) => !(name in ROLES)).length,
    [`files under ${FEWEST_LINES} lines`]: smallFiles(files).length,
    [`lines over ${LONGEST_LINE} columns`]: longLines(files).length,
  };
  const width = Math.max(...Object.keys(rows).map((name) => name.length));
  for (const [name, value] of Object.entries(rows)) console.log(`${name.padEnd(width)}  ${value}`);
}
