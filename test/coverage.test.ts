import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { COVERAGE, repository } from "./docs/coverage.js";
import { type CoverageRow, coverageCounts, coverageProblems, coverageRows, evidenceOf } from "./docs/coverage-rows.js";

const rows = coverageRows(readFileSync(new URL(`../${COVERAGE}`, import.meta.url), "utf8"));

describe("docs/coverage.md", () => {
  test("everything that it names is there", () => {
    expect(coverageProblems(rows, repository)).toEqual([]);
  });

  test("each system that we learned from has its rows", () => {
    const sections = new Set(rows.map(({ section }) => section));
    expect([...sections]).toEqual([
      "oh-my-pi",
      "gencode",
      "nexo-rs",
      "Codex",
      "Claude Code",
      "Hermes",
      "OpenClaw",
      "Gemini CLI",
      "Qwen Code",
      "opencode",
      "Copilot CLI",
      "What all of them teach",
    ]);
    expect(rows.length).toBeGreaterThan(257);
  });
});

describe("the checker notices", () => {
  const check = (shownBy: string, behaviour = "does it") =>
    coverageProblems([{ section: "S", behaviour, shownBy }], repository);
  const TEST = "`test/coverage.test.ts`";
  const VECTORS = "`test/vectors/oh-my-pi.json`";

  test.each([
    ["nothing, where a test is there", `${TEST}: "the checker notices"`, []],
    ["nothing, where a row of a table is there", `${TEST}: "nothing, where a row of a table is there"`, []],
    ["nothing, where a key of a table is there", `\`test/guidance.test.ts\`: "not what is trivial"`, []],
    ["nothing, where a case is there", `${VECTORS}: "init multi phase", "init one task"`, []],
    ["nothing, where a command is there", "`milepost digest`; `milepost todo done 1`; `npm run conform`", []],
    ["nothing, where a reason is given", "not so: a reason that says something", []],
    ["a file that is gone", '`test/gone.test.ts`: "a title"', ["no such file: test/gone.test.ts"]],
    ["a test that is gone", `${TEST}: "a title of no test"`, ['test/coverage.test.ts has no "a title of no test"']],
    ["a part of a title", `${TEST}: "the checker"`, ['test/coverage.test.ts has no "the checker"']],
    ["a vector file that is gone", '`test/vectors/x.json`: "a"', ["no such file: test/vectors/x.json"]],
    ["a case that is gone", `${VECTORS}: "gone"`, ['test/vectors/oh-my-pi.json has no "gone"']],
    ["the second of two", `${VECTORS}: "init one task", "gone"`, ['test/vectors/oh-my-pi.json has no "gone"']],
    ["a command that is gone", "`milepost juggle --all`", ["no such command: milepost juggle --all"]],
    ["a verb that is gone", "`milepost todo juggle`", ["no such command: milepost todo juggle"]],
    ["a script that is gone", "`npm run juggle`", ["no such command: npm run juggle"]],
    ["a reason that is none", "not yet: later", ['gives no reason: "later"']],
  ])("%s", (_, shownBy, problems) => {
    expect(check(shownBy)).toEqual(problems.map((problem) => `S: does it: ${problem}`));
  });

  test.each(["", "PENDING-branch", "yes", TEST, `${TEST}: "the checker notices" and more`, "not yet:", "`ls -l`"])(
    "neither a test nor a reason: %j",
    (shownBy) => {
      expect(evidenceOf(shownBy)).toBeUndefined();
      expect(check(shownBy)).toHaveLength(1);
    },
  );

  test("a test that is skipped, and a title that is only mentioned", () => {
    const read = () => 'test.skip("left out", () => {});\nexpect(said).toBe("only said");';
    const row = (title: string): CoverageRow => ({ section: "S", behaviour: title, shownBy: `${TEST}: "${title}"` });
    expect(coverageProblems([row("left out"), row("only said")], { ...repository, read })).toHaveLength(2);
  });

  test("the same behaviour twice, and a row without one", () => {
    expect(check("not so: a reason that says something", "")).toEqual(["S: : no behaviour is named"]);
    const row = { section: "S", behaviour: "b", shownBy: "not so: a reason that says something" };
    expect(coverageProblems([row, row], repository)).toEqual(["S: b: is there twice"]);
  });
});

test("rows are those of tables with the two columns, under their system", () => {
  const table = "| behaviour | shown by |\n|---|---|\n| a \\| b | not so: one |\n| no second cell |\n";
  const text = `# T\n\n| x | y |\n|---|---|\n| 1 | 2 |\n\n## S\n\n${table}\nwords\n\n| x |\n|---|\n| 3 |\n`;
  const found = coverageRows(text);
  expect(found).toEqual([
    { section: "S", behaviour: "a \\| b", shownBy: "not so: one" },
    { section: "S", behaviour: "no second cell", shownBy: "" },
  ]);
  expect(coverageCounts(found)).toContain("| S | 2 | 0 | 0 | 1 |\n| all | 2 | 0 | 0 | 1 |");
});
