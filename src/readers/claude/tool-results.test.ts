import { describe, expect, test } from "vitest";
import {
  answers,
  calls,
  chained,
  type Line,
  readOne,
  refuses,
  says,
  user,
} from "../../../test/readers/claude-lines.js";
import { claudeSession } from "./claude-session.js";
import { todosAt } from "./tool-results.js";

describe("calls", () => {
  const cases: { name: string; lines: Line[]; calls: [total: number, failed: number] }[] = [
    { name: "answered", lines: [calls("c", "Bash"), answers("c")], calls: [1, 0] },
    { name: "failed", lines: [calls("c", "Bash"), refuses("c", "exit 1")], calls: [1, 1] },
    {
      name: "stopped by the person",
      lines: [calls("c", "Bash"), answers("c", "", { toolUseResult: { interrupted: true } })],
      calls: [1, 0],
    },
    { name: "answered twice", lines: [calls("c", "Bash"), refuses("c"), refuses("c")], calls: [1, 1] },
    { name: "an answer to nothing", lines: [refuses("zzz")], calls: [0, 0] },
    {
      name: "several answers in one line",
      lines: [
        calls("c", "Bash"),
        calls("d", "Bash"),
        user([
          { type: "tool_result", tool_use_id: "c", is_error: true },
          { type: "tool_result", tool_use_id: "d" },
        ]),
      ],
      calls: [2, 1],
    },
    {
      name: "words between calls of one reply, in versions that do not say that more comes",
      lines: [
        calls("c", "Bash", {}, { id: "m" }),
        says("And:", { id: "m", stop_reason: null }),
        calls("d", "Bash", {}, { id: "m" }),
        refuses("c"),
        refuses("d"),
      ],
      calls: [2, 2],
    },
    {
      name: "no name, no id, a bad id",
      lines: [calls("", "Bash"), calls("c", ""), calls("a b", "Bash")],
      calls: [0, 0],
    },
  ];
  test.each(cases)("$name", ({ lines, calls: [total, failed] }) => {
    expect(readOne([user("go"), ...lines]).calls).toEqual({ total, failed });
  });

  test.each([
    [
      calls("c", "Bash", { command: "npm  test\n" }),
      { tool: "Bash", subject: "npm test", isWork: true, isAsking: false },
    ],
    [calls("c", "Edit", { file_path: "/a.ts", old_string: "x" }), { tool: "Edit", subject: "/a.ts", isWork: true }],
    [calls("c", "mcp__notes__add_note", {}), { tool: "add_note", server: "notes", isWork: true }],
    [calls("c", "mcp__milepost__todo", {}), { tool: "todo", server: "milepost", isWork: false }],
    [calls("c", "TodoWrite", {}), { tool: "TodoWrite", isWork: false }],
    [calls("c", "AskUserQuestion", {}), { isWork: false, isAsking: true }],
    [calls("c", "ExitPlanMode", {}), { isWork: false, isAsking: true }],
  ])("%#: what it is about", (line, expected) => {
    const facts = claudeSession.open("s1.jsonl").read(chained([line])[0] ?? {});
    expect(facts.find(({ type }) => type === "call.started")).toMatchObject(expected);
  });
});

describe("a list that is written again", () => {
  const SECRET = "Log in with password=hunter2hunter2";
  const items = [
    { content: "Write it", activeForm: "Writing it", status: "pending" },
    { content: SECRET, activeForm: SECRET, status: "pending" },
    { content: "x".repeat(5000), status: "pending" },
  ];
  const once = todosAt(items) ?? [];

  test.each([
    ["the same", items],
    ["the same, as it was kept", once.map(({ text, activeForm, status }) => ({ content: text, activeForm, status }))],
    ["in another order", [...items].reverse()],
    ["with a secret where none was", [{ ...items[0], content: SECRET }, ...items.slice(1)]],
  ])("%s: says what it says alone", (_, written) => {
    expect(todosAt(written, once)).toEqual(todosAt(written));
    expect(JSON.stringify(todosAt(written, once))).not.toContain("hunter2");
  });
});
