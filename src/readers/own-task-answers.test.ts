import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LEASE } from "../core/task/lease.js";
import { isOwnTaskTool, taskFacts } from "./own-task-answers.js";

const AT = 1_000_000;
const UNTIL = AT + LEASE.session;

describe("what an answer of our own task tool tells", () => {
  const rows: readonly (readonly [string, string, Readonly<Record<string, number | null>>])[] = [
    ["a claim", "Claimed #3 Fix it (lease 10 min, renewed while you work)", { 3: UNTIL }],
    ["a claim with its lines", "Claimed #3 Fix it\n  Done #4.\nNote: Claimed #5 it", { 3: UNTIL }],
    ["several claims", "Claimed #3 Fix it\nClaimed #4 Test it", { 3: UNTIL, 4: UNTIL }],
    ["a title that looks like a sentence", "Claimed #3 Released #4. Done #5.", { 3: UNTIL }],
    ["done, and the next one", "Done #3. Now ready: #4, 7. Claimed #4 Test it", { 3: null, 4: UNTIL }],
    ["a run of numbers", "Done #1-3, 7.", { 1: null, 2: null, 3: null, 7: null }],
    ["more than are named", "Done #1-2 and 30 more.", { 1: null, 2: null }],
    ["done before", "Already done: #3.", { 3: null }],
    ["progress renews", "Progress kept with #3.", { 3: UNTIL }],
    ["a note may be on anybody's", "Noted on #3.", {}],
    ["released", "Released #3. Cancelled #4.", { 3: null, 4: null }],
    ["failed", "Failed #3 (1 of 3); ready again in 5 min. Failed #4 for good.", { 3: null, 4: null }],
    ["waits", '#3 waits for the signal "Done #9."; you no longer hold it.', { 3: null }],
    ["somebody is asked", "Asked Done #9. to stop #3. Released #4.", { 4: null }],
    ["edges", "Added #5-6. #5 is blocked by #3, 4. #6 has no open blocker. Done #3.", { 3: null }],
    ["held already", "You hold #3 Fix it", {}],
    ["nothing is ready", 'Nothing is ready. {"list":"open"} shows why.', {}],
    ["the list of tasks", "#3 yours: Released #4.", {}],
    ["nothing", "", {}],
  ];
  test.each(rows)("%s", (_, text, expected) => {
    const told = taskFacts(text, AT).map(({ task, until }) => [task, until]);
    expect(Object.fromEntries(told)).toEqual(expected);
  });

  test("a lease whose beginning nobody knows is not told", () => {
    expect(taskFacts("Done #3. Claimed #4 Test it", undefined)).toEqual([
      { type: "task.leased", task: "3", until: null },
    ]);
  });

  test("any text, in time", () => {
    const text = fc.array(
      fc.constantFrom("Done #1-", "99999999", ". ", "#3 waits ", "; ", "Claimed #", ", ", "\n", "Asked "),
    );
    fc.assert(fc.property(text, (parts) => taskFacts(parts.join(""), AT).length <= 4000));
    expect(taskFacts("Done #1-999999999999999.", AT)).toHaveLength(100);
  });
});

test.each([
  ["task", "milepost", true],
  ["task", "plugin_milepost_milepost", true],
  ["task", "other", false],
  ["task", undefined, false],
  ["todo", "milepost", false],
] as const)("%s of %s", (tool, server, isOurs) => expect(isOwnTaskTool(tool, server)).toBe(isOurs));
