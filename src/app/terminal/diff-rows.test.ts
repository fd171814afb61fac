import { expect, test } from "vitest";
import type { Output } from "../command-definition.js";
import { diffRows } from "./diff-rows.js";

const output = (hasColor: boolean): Output => ({ write: async () => {}, isTerminal: true, hasColor, columns: 20 });

test("a difference of two texts is coloured, whole and safe", () => {
  const long = "x".repeat(5000);
  expect(diffRows("a\nb\n", `a\n\u001b[2J\u202e${long}\n`, output(true))).toEqual([
    "\u001b[36m@@ -1 +1 @@\u001b[0m",
    " a",
    "\u001b[31m-b\u001b[0m",
    `\u001b[32m+␛[2J\\u{202E}${long}\u001b[0m`,
  ]);
  expect(diffRows("a\n", "b\r\n", output(false))).toEqual(["@@ -1 +1 @@", "-a", "+b␍"]);
});

test("equal texts have none", () => {
  expect(diffRows("a\nb", "a\nb", output(true))).toEqual([]);
});

test("two long texts of short lines take no long time", () => {
  const [before, after] = ["a\n".repeat(100_000), "b\n".repeat(100_000)];
  expect(diffRows(before, after, output(true))).toHaveLength(200_001);
});
