import { expect, test } from "vitest";
import { listWith, reportWith } from "../../../../test/readers/session-reports.js";
import { withChildren } from "../../transcripts/report/child-reports.js";
import type { SessionReport } from "../../transcripts/session-report.js";
import { showSessions } from "./session-detail.js";
import { tableRows } from "./session-table.js";
import { offerRows, subAgentCount, subAgentRows } from "./sub-agent-rows.js";

const output = { columns: 100, isTerminal: true, hasColour: false } as unknown as Parameters<typeof tableRows>[1];
const child = (name: string, parent: string, beside: Partial<SessionReport> = {}, ...todos: readonly string[]) =>
  reportWith({ id: `s1/${name}`, parent, title: `About ${name}`, list: listWith(...todos) }, beside);

const NOW = 0;

const FAMILY = withChildren(
  [
    reportWith({ list: listWith("a!") }),
    child("x", "s1", {}, "b.", "c!"),
    child("y", "s1/x"),
    child("z", "s1", { state: "ended" }, "d.", "e."),
  ],
  NOW,
);
const [parent = reportWith()] = FAMILY;

test("a session has its sub-agents, and they have theirs", () => {
  expect(FAMILY.map(({ id, children }) => [id, children.map((one) => one.id)])).toEqual([
    ["s1", ["s1/x", "s1/z"]],
    ["s1/x", ["s1/y"]],
    ["s1/y", []],
    ["s1/z", []],
  ]);
  expect(parent.children[0]).toEqual({
    id: "s1/x",
    title: "About x",
    state: "running",
    done: 1,
    total: 2,
    now: "c",
    notice: null,
  });
});

test("a tree with progress and what each is on", () => {
  expect(subAgentRows(parent, FAMILY)).toEqual([
    "2 sub-agents, 1 running:",
    "├ x  running  1/2  ▸ c",
    "│ └ y  running  About y",
    "└ z  ended  2/2  About z",
  ]);
  expect(showSessions(FAMILY, output)).toContain("  ├ x  running  1/2  ▸ c\n");
});

test("the row of the session counts them while one has not ended", () => {
  const [, row = ""] = tableRows(FAMILY, output, 1000);
  expect(row).toMatch(/▸ a · 2 sub-agents, 1 running$/);
  const ended = parent.children.map((one) => ({ ...one, state: "ended" as const }));
  expect([subAgentCount({ children: ended }), subAgentCount({ children: [] })]).toEqual(["", ""]);
});

test("whoever is at work is shown, however many there are; circles end", () => {
  const many = Array.from({ length: 30 }, (_, at) => child(`n${at}`, "s1", { state: at === 29 ? "running" : "idle" }));
  const [first = reportWith()] = withChildren([reportWith(), ...many], NOW);
  const rows = subAgentRows(first, many);
  expect(rows[1]).toContain("n29  running");
  expect(rows.at(-1)).toBe("└ 10 more");
  const circle = withChildren([child("p", "s1/q"), child("q", "s1/p")], NOW);
  expect(subAgentRows(circle[0] ?? reportWith(), circle).length).toBeLessThan(5);
});

test("what may be done, and the command for it; texts of agents cannot act on a terminal", () => {
  const offers = [{ agent: "x", todo: 3, text: "Fix\u001b[2J it", kind: "todo" }] as const;
  expect(offerRows({ id: "s1", offers })).toEqual([
    expect.stringMatching(/^todo 3 may be done, sub-agent x has ended: Fix.* it$/),
    "milepost todo done 3 --session s1",
  ]);
  expect(offerRows({ id: "s1", offers }).join("")).not.toContain("\u001b");
  expect(offerRows({ id: "s1", offers: [{ ...offers[0], kind: "task" }] })).toHaveLength(1);
});
