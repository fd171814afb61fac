import { expect, test } from "vitest";
import { reportWith, richReport, richSession } from "../../../test/report-samples.js";
import type { Output } from "../command-definition.js";
import { reportText } from "./report-text.js";
import { stringWidth } from "./text-width.js";

const output = (columns: number, more: Partial<Output> = {}): Output => {
  return { write: async () => undefined, isTerminal: true, hasColor: false, columns, ...more };
};

test("the sum first, then each session with its todos", () => {
  const rows = reportText(richReport(), output(120)).split("\n");
  expect(rows.slice(0, 5)).toEqual([
    "Work, 2026-11-11 09:12 to 2026-11-18 10:21",
    expect.stringMatching(/^2 sessions: 9 of 11 todos done · 3 turns · 25m at work · 41 calls \(10 failed\) · /),
    "+179 -65 · 1 compaction",
    "✓ 5 verified, ~ 2 worked, ? 1 unbacked, ✗ 1 contradicted",
    "claude-code 3.9M tokens, $4.31, codex 413k tokens",
  ]);
  expect(rows).toContainEqual(
    expect.stringMatching(/^ {2}Run all tests and the linter +✗ contradicted +\dm {2}npm test failed$/),
  );
  expect(rows).toContainEqual(expect.stringMatching(/^ {2}Open the pull request +▸ in progress +\d+s$/));
  expect(rows).toContain("1 task closed");
});

test.each([20, 40, 60, 80, 120])("at %i columns no row is longer", (columns) => {
  const rows = reportText(richReport(), output(columns)).split("\n");
  expect(rows.filter((row) => stringWidth(row) > columns)).toEqual([]);
});

test("colours only where they are wanted, and none from a text", () => {
  const session = { ...richSession(), title: "\u001b[31mred\u001b[0m\nnext" };
  const report = reportWith([session], true);
  expect(reportText(report, output(80))).not.toContain("\u001b");
  const coloured = reportText(report, output(80, { hasColor: true }));
  expect(coloured).toContain("\u001b[1m");
  expect(coloured).not.toContain("\u001b[31mred");
});

test("nothing was active", () => {
  const none = { ...reportWith([]), to: "2026-11-18T10:00:00.000Z", tasks: [] };
  expect(reportText(none, output(80)).split("\n")).toEqual([
    expect.stringMatching(/^Work, /),
    "No session was active in this time.",
    "",
  ]);
});
