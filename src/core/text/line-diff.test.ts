import { describe, expect, test } from "vitest";
import { unifiedDiff } from "./line-diff.js";

const rows = (count: number) => Array.from({ length: count }, (_item, index) => `row ${index + 1}`);

describe("a diff", () => {
  test.each([
    ["nothing new", "a\nb\n", "a\nb\n", []],
    ["a new file", undefined, "a\nb\n", ["@@ -0 +1 @@", "+a", "+b"]],
    ["a file that goes", "a\n", undefined, ["@@ -1 +0 @@", "-a"]],
    ["a changed row", "a\nb\nc\n", "a\nx\nc\n", ["@@ -1 +1 @@", " a", "-b", "+x", " c"]],
    ["a line break at the end", "a", "a\n", ["@@ -1 +1 @@", "-a\\ no line break at the end", "+a"]],
  ])("%s", (_name, before, after, lines) => {
    expect(unifiedDiff(before, after)).toEqual(lines);
  });

  test("shows three rows around each change, and says where they are", () => {
    const before = rows(30);
    const after = [...before.slice(0, 10), "new", ...before.slice(10, 25), "other", ...before.slice(26)];
    expect(unifiedDiff(`${before.join("\n")}\n`, `${after.join("\n")}\n`)).toEqual([
      "@@ -8 +8 @@",
      ...[8, 9, 10].map((number) => ` row ${number}`),
      "+new",
      ...[11, 12, 13].map((number) => ` row ${number}`),
      "@@ -23 +24 @@",
      ...[23, 24, 25].map((number) => ` row ${number}`),
      "-row 26",
      "+other",
      ...[27, 28, 29].map((number) => ` row ${number}`),
    ]);
  });

  test("of two long files that have nothing in common is right, and quick", () => {
    const [before, after] = [
      rows(5000).join("\n"),
      rows(5000)
        .map((row) => `${row}!`)
        .join("\n"),
    ];
    expect(unifiedDiff(before, after)).toHaveLength(10_001);
  });
});
