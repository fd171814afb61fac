import { Command } from "commander";
import { expect, test } from "vitest";
import * as z from "zod";
import { optionsOf } from "./usage.js";

const input = z.object({
  name: z.string().describe("a name"),
  upTo: z.number().default(3),
  colour: z.enum(["red", "blue"]).default("red"),
  dryRun: z.boolean().default(false),
  check: z.boolean().default(true),
  tags: z.array(z.string()).default([]),
});

function parse(line: string): unknown {
  const program = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  for (const option of optionsOf(input)) program.addOption(option);
  return input.parse(program.parse(line.split(" ").filter(Boolean), { from: "user" }).opts());
}

test.each([
  ["--name x", { name: "x", upTo: 3, colour: "red", dryRun: false, check: true, tags: [] }],
  ["--name x --up-to 5 --colour blue --dry-run", { upTo: 5, colour: "blue", dryRun: true }],
  ["--name x --no-check --tags a --tags b", { check: false, tags: ["a", "b"] }],
])("the schema's flags: %s", (line, wanted) => {
  expect(parse(line)).toMatchObject(wanted);
});

test.each(["--name x --up-to many", "--name x --colour green", ""])("what the schema refuses: %j", (line) => {
  expect(() => parse(line)).toThrow();
});
