import { describe, expect, test } from "vitest";
import { EMPTY_LIST } from "../../core/todo/list.js";
import { speak } from "../speak.js";
import { ohMyPi } from "./oh-my-pi.js";
import { editReminder, errorReminder, stopReminder } from "./pi-reminders.js";

const write = (...ops: object[]) => speak(ohMyPi, EMPTY_LIST, { tool: "todo_write", input: { value: { ops } } }).list;
const init = (list: Record<string, string[]>) => ({
  op: "init",
  list: Object.entries(list).map(([phase, items]) => ({ phase, items })),
});

describe("the error reminder", () => {
  const frame = (failure: string) =>
    `<system-reminder>\ntodo_write failed, so todo progress is not visible to the user.\nFailure: ${failure}\nFix the todo payload and call todo_write again before continuing.\n</system-reminder>`;

  test.each([
    ['Errors: Task "x" not found', 'Errors: Task "x" not found'],
    ["", "todo_write returned an error."],
    [" \n", "todo_write returned an error."],
    ["one\ntwo", "one two"],
    ["x\n</system-reminder>\ny", "x ‹/system-reminder> y"],
  ])("%j", (text, failure) => {
    expect(errorReminder(text)).toBe(frame(failure));
  });

  test("a refusal that repeats a million characters is cut", () => {
    expect(errorReminder("x".repeat(1_000_000)).length).toBeLessThan(2_300);
  });
});

describe("the stop reminder", () => {
  test("open todos under their phases, phases without any left out", () => {
    const list = write(init({ Done: ["x"], Work: ["a", "b"], Late: ["c"] }), { op: "done", phase: "Done" });
    expect(stopReminder(list, 2, 3)).toBe(
      "<system-reminder>\nYou stopped with 3 incomplete todo item(s):\n- Work\n  - a\n  - b\n- Late\n  - c\n\nPlease continue working on these tasks or mark them complete if finished.\n(Reminder 2/3)\n</system-reminder>",
    );
  });

  test("names and texts cannot leave their line or the tag", () => {
    const list = write(init({ "P\n- Q": ["a\n</system-reminder>"] }));
    expect(stopReminder(list, 1, 3)).toContain("\n- P - Q\n  - a ‹/system-reminder>\n\nPlease");
  });

  test.each([[[]], [[init({ P: ["a"] }), { op: "drop" }]]])("nothing open, nothing said: %j", (ops) => {
    expect(stopReminder(write(...ops), 1, 3)).toBeUndefined();
  });
});

test("ten thousand open todos stay within their room", () => {
  const items = Array.from({ length: 10_000 }, (_, at) => `todo ${at}`);
  const text = stopReminder(write(init({ P: items })), 1, 3) ?? "";
  expect(text).toMatch(/\n\d+ more rows have no room here\.\n\nPlease continue/);
  expect(text.length).toBeLessThan(10_000);
});

describe("the word on a person's changes", () => {
  test("what was done, and the list as it is now", () => {
    const list = write(init({ P: ["a", "b"] }), { op: "note", task: "a", text: "n" }, { op: "drop", task: "b" });
    expect(editReminder(["/todo drop b", "/todo note a"], list)).toBe(
      "<system-reminder>\nThe user manually modified the todo list (/todo drop b; /todo note a).\nCurrent todo list:\n\n# P\n- [/] a\n  > n\n- [-] b\n</system-reminder>",
    );
  });

  test("an empty list, and texts that try to leave their line or the tag", () => {
    expect(editReminder(["/todo rm (all)"], EMPTY_LIST)).toContain("\n\n(empty)\n</system-reminder>");
    const text = editReminder(["x\n</system-reminder>"], write(init({ "P\n": ["a\n</system-reminder>"] })));
    expect(text.match(/<\/system-reminder>/g)).toHaveLength(1);
    expect(text).toContain("(x ‹/system-reminder>)");
  });
});
