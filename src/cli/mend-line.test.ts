import { expect, test } from "vitest";
import { type Command, defineCommand } from "../app/command-definition.js";
import { choice, many, needed, number, text, toggle } from "../app/fields.js";
import { ok } from "../core/result.js";
import { mendLine } from "./mend-line.js";
import { readUsage } from "./usage.js";

const run = async () => ok(undefined);
const common = { details: "", examples: [], run, show: () => "" };

const note = defineCommand({
  ...common,
  words: ["todo", "text"],
  input: {
    todo: needed(text("TODO", "which")),
    text: needed(many(text("TEXT", "the note"))),
    session: text("SESSION", "whose"),
    dryRun: toggle("change nothing"),
    limit: number("N", "how many", { least: 1, standard: 20 }),
    most: number("N", "at most", { most: 9 }),
    status: many(text("STATUS", "which", { choices: STATUSES(), check: wrongStatus })),
  },
}) as Command;

const setup = defineCommand({
  ...common,
  words: ["agent"],
  input: { agent: choice(["claude-code", "codex"], "which"), yes: toggle("do not ask") },
}) as Command;

const digest = defineCommand({ ...common, input: { session: text("SESSION", "whose") } }) as Command;

function STATUSES() {
  return ["pending", "in_progress", "completed"];
}

function wrongStatus(given: string): string | undefined {
  return given.split(",").every((one) => STATUSES().includes(one)) ? undefined : "use another";
}

function mended(command: Command, line: readonly string[]) {
  const usage = readUsage(line, command);
  if (usage.type !== "problem") throw new Error("The line is right");
  const meant = mendLine(line, command);
  return meant && [meant.words, meant.isSure];
}

test.each<[Command, readonly string[], readonly string[]]>([
  [note, ["1", "x", "--sesion", "s"], ["1", "x", "--session", "s"]],
  [note, ["1", "x", "--sesion=s"], ["1", "x", "--session=s"]],
  [note, ["1", "x", "-n"], ["1", "x", "--dry-run"]],
  [note, ["1", "x", "--dry-run=yes"], ["1", "x", "--dry-run"]],
  [note, ["1", "use", "--bail", "now"], ["1", "use --bail now"]],
  [note, ["1", "use", "--bail", "--session", "s"], ["1", "use --bail", "--session", "s"]],
  [note, ["--session", "s", "1", "it's", "-x"], ["--session", "s", "1", "it's -x"]],
  [note, ["1", "--bail"], ["1", "--", "--bail"]],
  [note, ["1", "x", "--limit", "0"], ["1", "x", "--limit", "20"]],
  [note, ["1", "x", "--status=pendign,done"], ["1", "x", "--status=pending,completed"]],
  [note, ["1", "x", "--status", "pendign", "--limit=x"], ["1", "x", "--status", "pending", "--limit=20"]],
  [setup, ["codx"], ["codex"]],
  [setup, ["Claude", "-y"], ["claude-code", "--yes"]],
  [setup, ["codex", "claude", "--yes"], ["codex", "--yes"]],
  [digest, ["acc5"], ["--session", "acc5"]],
  [digest, ["now"], []],
  [digest, ["now", "--json"], ["--json"]],
  [digest, ["--json", "now", "--store", "a.db"], ["--json", "--store", "a.db"]],
  [digest, ["--", "now"], []],
  [digest, ["--", "acc5"], ["--session", "acc5"]],
  [setup, ["--yes", "codex", "claude"], ["--yes", "codex"]],
  [note, ["1", "x", "--most", "12"], ["1", "x", "--most", "9"]],
  [digest, ["acc5", "--session", "s"], ["--session", "s"]],
  [note, ["1", "-m", "use it"], ["1", "use it"]],
  [note, ["1", "--title=use it"], ["1", "use it"]],
  [note, ["1", "--message", "use", "it"], ["1", "use", "it"]],
  [note, ["1", "x", "--status", "dry-run"], ["1", "x", "--dry-run"]],
  [note, ["1", "x", "--state=done"], ["1", "x", "--status=completed"]],
  [note, ["1", "x", "--completed"], ["1", "x", "--status", "completed"]],
  [note, ["1", "x", "--state", "wombat", "-q"], ["1", "x --state wombat -q"]],
  [setup, ["--codex"], ["codex"]],
])("%# a guess", (command, line, meant) => {
  expect(mended(command, line)).toEqual([meant, false]);
});

test.each<[Command, readonly string[], readonly string[]]>([
  [setup, ["claude", "--yes"], ["claude-code", "--yes"]],
  [setup, ["--agent", "codex"], ["codex"]],
  [setup, ["--agent=cc"], ["claude-code"]],
])("%# means just one thing", (command, line, meant) => {
  expect(mended(command, line)).toEqual([meant, true]);
});

test.each<[Command, readonly string[]]>([
  [note, []],
  [note, ["1", "x", "--session"]],
  [note, ["1", "x", "--most", "many"]],
  [note, ["1", "x", "--status", "wombat"]],
  [note, ["1", "x", "--limit", "x", "--status", "wombat"]],
  [note, ["--sesion", "s"]],
  [note, ["-m", "use", "1"]],
  [note, ["1", "x", "--session", "s", "-q"]],
  [setup, ["gemini"]],
  [digest, ["--wombat"]],
])("%# nobody knows", (command, line) => {
  expect(mended(command, line)).toBe(undefined);
});
