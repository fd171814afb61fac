import { expect, test } from "vitest";
import { readFlags } from "./flags.js";

test.each([
  [[], { dialect: { name: "milepost" } }],
  [["--dialect", "claude", "--session=s1"], { dialect: { name: "claude" }, session: "s1" }],
  [["--store", "x.db"], { dialect: { name: "milepost" }, store: "x.db" }],
  [[], { dialect: { offered: [{ name: "todo" }], withheld: [{ name: "task" }, { name: "plan", flag: "--plans" }] } }],
  [["--tasks"], { dialect: { offered: [{ name: "todo" }, { name: "task" }], withheld: [{ name: "plan" }] } }],
  [["--plans"], { dialect: { offered: [{ name: "todo" }, { name: "plan" }], withheld: [{ flag: "--tasks" }] } }],
])("%j", (args, then) => {
  expect(readFlags(args)).toMatchObject({ ok: true, value: then });
});

test.each([
  [["--nope"], "bad-usage", "There is no flag --nope. See milepost mcp --help"],
  [["--tols"], "bad-usage", "There is no flag --tols. Did you mean: milepost mcp --tasks"],
  [["--sesion=s1", "--tasks"], "bad-usage", "Did you mean: milepost mcp --session=s1 --tasks"],
  [["--sesion", "--nope"], "bad-usage", "There is no flag --sesion. See milepost mcp --help"],
  [["--json"], "bad-usage", "There is no flag --json. See milepost mcp --help"],
  [["word", "--tasks"], "bad-usage", 'There is a word too many: "word". Did you mean: milepost mcp --tasks'],
  [["--tasks=yes"], "bad-usage", "--tasks takes no value. Did you mean: milepost mcp --tasks"],
  [["--session"], "bad-usage", "--session needs a value. See milepost mcp --help"],
  [["--session", "--store"], "bad-usage", "--session needs a value. See milepost mcp --help"],
  [["--session", "../x"], "bad-id", "Not a valid session id"],
  [["--session", ""], "bad-id", "Not a valid session id"],
  [["--tasks", "--dialect", "claude"], "bad-usage", "--tasks is for the dialect milepost"],
  [["--plans", "--dialect", "claude"], "bad-usage", "--plans is for the dialect milepost"],
  [["--dialect", "klingon"], "unknown-dialect", "Dialects: milepost, claude, codex"],
])("%j is refused", (args, code, text) => {
  const flags = readFlags(args);
  expect(flags).toMatchObject({ ok: false, error: { code, message: expect.stringContaining(text) } });
  expect(flags.ok ? "" : flags.error.message).not.toContain("\n");
});
