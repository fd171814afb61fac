import { expect, test } from "vitest";
import { readFlags } from "./flags.js";

test.each([
  [[], { dialect: { name: "milepost" } }],
  [["--dialect", "claude", "--session=s1"], { dialect: { name: "claude" }, session: "s1" }],
  [["--store", "x.db"], { dialect: { name: "milepost" }, store: "x.db" }],
  [[], { dialect: { offered: [{ name: "todo" }], withheld: ["task"] } }],
  [["--tasks"], { dialect: { offered: [{ name: "todo" }, { name: "task" }], withheld: [] } }],
])("%j", (args, then) => {
  expect(readFlags(args)).toMatchObject({ ok: true, value: then });
});

test.each([
  [["--nope"], "bad-usage", "Unknown option '--nope'. See milepost mcp --help."],
  [["word"], "bad-usage", "Unexpected argument 'word'"],
  [["--session"], "bad-usage", "argument missing"],
  [["--session", "--store"], "bad-usage", "ambiguous"],
  [["--session", "../x"], "bad-id", "Not a valid session id"],
  [["--session", ""], "bad-id", "Not a valid session id"],
  [["--tasks", "--dialect", "claude"], "bad-usage", "--tasks is for the dialect milepost"],
  [["--dialect", "klingon"], "unknown-dialect", "Dialects: milepost, claude, codex"],
])("%j is refused", (args, code, text) => {
  const flags = readFlags(args);
  expect(flags).toMatchObject({ ok: false, error: { code, message: expect.stringContaining(text) } });
  expect(flags.ok ? "" : flags.error.message).not.toContain("\n");
});
