import { expect, test } from "vitest";
import { type Command, defineCommand } from "../app/command-definition.js";
import { choice, many, needed, number, text, toggle } from "../app/fields.js";
import { ok } from "../core/result.js";
import { readUsage } from "./usage.js";

const command: Command = defineCommand({
  details: "",
  examples: [],
  words: ["name", "rest"],
  input: {
    name: needed(text("NAME", "a name")),
    rest: many(text("WORD", "more words", { mayBeEmpty: true })),
    upTo: number("N", "how many", { least: 1, most: 9, standard: 3 }),
    colour: choice(["red", "blue"], "which one", "red"),
    dryRun: toggle("change nothing"),
    tag: many(text("TAG", "a tag")),
  },
  run: async () => ok(undefined),
  show: () => "",
}) as Command;

const STANDARD = { upTo: 3, colour: "red", dryRun: false };

test.each<[line: readonly string[], input: object]>([
  [["x"], { ...STANDARD, name: "x" }],
  [["x", "--up-to", "5", "--colour=blue", "--dry-run"], { name: "x", upTo: 5, colour: "blue", dryRun: true }],
  [["--tag", "a", "x", "--tag=b", "y", "z"], { ...STANDARD, name: "x", rest: ["y", "z"], tag: ["a", "b"] }],
  [["--up-to", "2", "--up-to", "4", "x"], { ...STANDARD, name: "x", upTo: 4 }],
  [["--tag=a=b", "x"], { ...STANDARD, name: "x", tag: ["a=b"] }],
  [["x", "--", "--dry-run", "-h"], { ...STANDARD, name: "x", rest: ["--dry-run", "-h"] }],
  [["x", "-", "-3", ""], { ...STANDARD, name: "x", rest: ["-", "-3", ""] }],
  [["x", "--tag", "-y"], { ...STANDARD, name: "x", tag: ["-y"] }],
  [["x", "--json", "--store", "s.db"], { ...STANDARD, name: "x" }],
])("%j is understood", (line, input) => {
  expect(readUsage(line, command)).toMatchObject({ type: "input", input });
});

test.each<[line: readonly string[], text: string]>([
  [[], "NAME is required: a name."],
  [[""], "NAME: it is empty."],
  [["x", "--up-to", "many"], "--up-to: use a whole number."],
  [["x", "--up-to", "0"], "--up-to: use 1 or more."],
  [["x", "--up-to=10"], "--up-to: use 9 or less."],
  [["x", "--up-to="], "--up-to: use a whole number."],
  [["x", "--up-to"], "--up-to needs a value."],
  [["x", "--up-to", "--dry-run"], "--up-to needs a value."],
  [["x", "--dry-run=yes"], "--dry-run takes no value."],
  [["x", "--colour", "green"], "--colour: use red, blue."],
  [["--colour", "green", "--up-to", "0"], "NAME is required: a name; --up-to: use 1 or more; --colour: use red, blue."],
  [["x", "--tag", ""], "--tag: it is empty."],
  [["x", "--nope=1"], "There is no flag --nope."],
  [["x", "-n"], "There is no flag -n."],
])("%j is refused", (line, problem) => {
  expect(readUsage(line, command)).toMatchObject({ type: "problem", text: problem });
});

test("a command without words takes none", () => {
  const { words: _, ...bare } = command;
  expect(readUsage(["x"], { ...bare, input: {} })).toEqual({
    type: "problem",
    text: 'There is a word too many: "x".',
    faults: [{ type: "extra-word", at: 0 }],
  });
});

test("help is asked for anywhere before the end of flags", () => {
  for (const line of [["--help"], ["x", "-h"], ["--up-to", "0", "--help"]])
    expect(readUsage(line, command)).toEqual({ type: "help" });
});

test("a command that streams handles --json itself; one with a value never sees it", () => {
  const { show: _, ...streaming } = command;
  expect(readUsage(["x", "--json"], streaming)).toMatchObject({ input: { json: true }, flags: { json: true } });
  const usage = readUsage(["x", "--json"], command);
  expect(usage).toMatchObject({ flags: { json: true } });
  expect(usage.type === "input" && "json" in usage.input).toBe(false);
});
