import { describe, expect, test } from "vitest";
import { lastOpen, type OpenCall, openTogether } from "./seen-calls.js";
import { evolveView, newView } from "./session-facts.js";

const open = (call: string, at: number, fields: Partial<OpenCall> = {}): OpenCall => ({
  ...{ call, at, tool: "Bash", isAsking: false },
  ...fields,
});

describe("the call that runs now", () => {
  const rows: readonly (readonly [string, readonly OpenCall[], string | undefined])[] = [
    ["none", [], undefined],
    ["one", [open("a", 1)], "a"],
    ["the one that began last, wherever it stands", [open("a", 9), open("b", 3)], "a"],
    ["of two at once the later one", [open("a", 5), open("b", 5)], "b"],
    ["without times the last", [open("a", 0), open("b", 0)], "b"],
  ];
  test.each(rows)("%s", (_, calls, then) => expect(lastOpen(calls)?.call).toBe(then));
});

describe("hooks and a transcript together", () => {
  const rows: readonly (readonly [string, readonly OpenCall[], readonly OpenCall[], readonly string[]])[] = [
    ["only the transcript knows", [open("a", 1, { title: "ls" })], [], ["a Bash ls 1"]],
    ["only hooks know", [], [open("a", 1)], ["a Bash - 1"]],
    ["hooks know when, the transcript what", [open("a", 9, { title: "ls" })], [open("a", 1)], ["a Bash ls 1"]],
    ["hooks know both", [open("a", 9, { title: "ls" })], [open("a", 1, { title: "ls -l" })], ["a Bash ls -l 1"]],
    ["each knows another one", [open("a", 1)], [open("b", 2)], ["a Bash - 1", "b Bash - 2"]],
  ];
  test.each(rows)("%s", (_, seen, told, then) => {
    const both = openTogether(seen, told).map(({ call, tool, title = "-", at }) => `${call} ${tool} ${title} ${at}`);
    expect(both).toEqual(then);
  });

  test("how far it is comes from who tells, and what the transcript holds for its end stays", () => {
    const [both] = openTogether([open("a", 9, { isListWrite: true })], [open("a", 1, { progress: 0.4 })]);
    expect(both).toMatchObject({ progress: 0.4, isListWrite: true });
  });
});

test("what is open says which tool, about what, and since when; calls that nobody answers do not pile up", () => {
  const call = { type: "call.started", tool: "Read", subject: "a.ts", isWork: true, isAsking: false } as const;
  let view = newView("s");
  for (let at = 1; at <= 1000; at += 1) view = evolveView(view, { ...call, call: `c${at}`, session: "s", at });
  expect(view.open.at(-1)).toMatchObject({ call: "c1000", tool: "Read", title: "a.ts", at: 1000 });
  expect(view.open.length).toBeLessThan(300);
});
