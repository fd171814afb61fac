import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { TROUBLES } from "../app/milepost.js";
import { EXIT_CODES, exitCode, shownCode } from "./exit-codes.js";

/** Findings of doctor and config, answers to models, what the live view alone asks: no command fails with one of these. */
const ELSEWHERE = `broken hook-failed server-failed statusline-failed refused-settings unread-file stale-path bad-input
no-target unknown-tool plan-mode forged used expired other-caller other-input overridden
no-folder no-repository no-diff`;

const CODE = /(?:\bcode(?::| =)|\b(?:fail|StoreTrouble)\()\s*"([a-z]+(?:-[a-z]+)*)"/g;

test("every code in the sources has its exit code", () => {
  const root = new URL("..", import.meta.url);
  const all = readdirSync(root, { recursive: true, encoding: "utf8" });
  const files = all.filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"));
  const found = files.flatMap((file) =>
    [...readFileSync(new URL(file, root), "utf8").matchAll(CODE)].map(([, code = ""]) => code),
  );
  expect(found.length).toBeGreaterThan(100);
  const known = new Set(ELSEWHERE.split(/\s+/));
  const unlisted = new Set(found.filter((code) => !known.has(code) && !Object.hasOwn(EXIT_CODES, shownCode(code))));
  expect([...unlisted]).toEqual([]);
});

test.each([
  ["bad-usage", 2],
  ["unknown-session", 2],
  ["unknown-setting", 2],
  ["no-session", 1],
  ["no-task", 1],
  ["no-todo", 1],
  ["no-file", 3],
  ["one-that-a-newer-room-has", 1],
])("%s ends with %d", (code, exit) => {
  expect(exitCode(code)).toBe(exit);
});

test("trouble with the store ends with 3", () => {
  expect(TROUBLES.filter((code) => exitCode(code) !== 3)).toEqual([]);
});

test("one mistake has one code", () => {
  expect(["unknown-todo", "unknown-edge", "no-such-file", "no-transcript", "bad-id"].map(shownCode)).toEqual([
    "no-todo",
    "no-task",
    "no-file",
    "no-file",
    "bad-id",
  ]);
});
