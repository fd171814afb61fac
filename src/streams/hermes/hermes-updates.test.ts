import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expectAcp } from "../../../test/acp-schema.js";
import type { AcpUpdate } from "../acp/session-update.js";
import type { HermesEdition } from "./hermes-tools.js";
import { createHermesUpdates, type HermesCallback, type HermesUpdates } from "./hermes-updates.js";

function adapter(edition?: HermesEdition): HermesUpdates {
  let made = 0;
  return createHermesUpdates({ edition, newId: () => `tc-${++made}` });
}

const started = (name: unknown, args?: unknown, preview?: unknown): HermesCallback => ({
  type: "tool.started",
  name,
  preview,
  args,
});
const completed = (name: unknown, result?: unknown, isError?: unknown): HermesCallback => ({
  type: "tool.completed",
  name,
  result,
  isError,
});
const step = (...prevTools: unknown[]): HermesCallback => ({ type: "step", prevTools });
const END: HermesCallback = { type: "turn.ended" };

function tell(callbacks: readonly HermesCallback[], edition?: HermesEdition): readonly AcpUpdate[] {
  const updates = adapter(edition);
  const told = callbacks.flatMap((callback) => updates.tell(callback));
  for (const update of told) expectAcp({ sessionId: "s", update });
  return told;
}

/** One word for each update: `+tc-1` a start, `tc-1.` completed, `tc-1!` failed, `plan:2` with two entries. */
function brief(updates: readonly AcpUpdate[]): string {
  return updates
    .map((update) => {
      if (update.sessionUpdate === "tool_call") return `+${update.toolCallId}`;
      if (update.sessionUpdate === "plan") return `plan:${update.entries.length}`;
      if (update.sessionUpdate !== "tool_call_update") return update.sessionUpdate;
      return `${update.toolCallId}${update.status === "failed" ? "!" : "."}`;
    })
    .join(" ");
}

function textOf(update: AcpUpdate | undefined): string | undefined {
  return update && "content" in update ? update.content?.[0]?.content.text : undefined;
}

const LIST = {
  todos: [
    { id: "a", content: "Fix it", status: "completed" },
    { id: "b", content: "Test it", status: "in_progress", parent: "a" },
    { id: "c", content: "", status: "pending", parent: "b" },
    { id: "d", content: "Ship it", status: "cancelled" },
    { id: "e", content: "Tell it", status: "someday" },
    { id: "f", content: " ", status: "pending" },
    "no item",
  ],
  revision: 3,
  summary: { total: 5, pending: 2, in_progress: 1, completed: 1, cancelled: 1 },
};
const ANSWER = JSON.stringify(LIST);

describe("a call that starts", () => {
  test("of an unknown tool is told with its arguments, and without a status", () => {
    expect(tell([started("ask_oracle", { question: "é", path: "/a.ts", line: 3 })])).toEqual([
      {
        sessionUpdate: "tool_call",
        toolCallId: "tc-1",
        title: "ask_oracle",
        kind: "other",
        content: [
          {
            type: "content",
            content: { type: "text", text: '{\n  "question": "\\u00e9",\n  "path": "/a.ts",\n  "line": 3\n}' },
          },
        ],
        locations: [{ path: "/a.ts", line: 3 }],
        rawInput: { question: "é", path: "/a.ts", line: 3 },
      },
    ]);
    expect(tell([started("ask_oracle")])).toEqual([
      { sessionUpdate: "tool_call", toolCallId: "tc-1", title: "ask_oracle", kind: "other", locations: [] },
    ]);
  });

  test.each<[string, unknown, string, string]>([
    ["terminal", { command: "ls" }, "terminal: ls", "execute"],
    ["terminal", { command: "x".repeat(81) }, `terminal: ${"x".repeat(77)}...`, "execute"],
    ["terminal", { command: 5 }, "terminal: 5", "execute"],
    ["read_file", {}, "read: ?", "read"],
    ["read_file", '{"path":"/a"}', "read: /a", "read"],
    ["read_file", "no JSON", "read: ?", "read"],
    ["write_file", { path: "/a" }, "write: /a", "edit"],
    ["patch", { path: "/a" }, "patch (replace): /a", "edit"],
    ["search_files", { pattern: "x" }, "search: x", "search"],
    ["web_search", { query: "x" }, "web search: x", "fetch"],
    ["web_extract", { urls: ["u", "v", "w"] }, "extract: u (+2)", "fetch"],
    ["web_extract", { urls: { href: "u" } }, "extract: u", "fetch"],
    ["web_extract", { urls: [] }, "web extract", "fetch"],
    ["web_extract", { urls: [7] }, "extract: ?", "fetch"],
    ["process", { action: "poll", session_id: "p1" }, "process poll: p1", "execute"],
    ["process", {}, "process manage", "execute"],
    ["delegate_task", { tasks: [1, 2] }, "delegate batch (2 tasks)", "execute"],
    ["delegate_task", { goal: "g" }, "delegate: g", "execute"],
    ["session_search", {}, "recent sessions", "other"],
    ["memory", { action: "add" }, "memory add: memory", "other"],
    ["execute_code", { code: "\n  import os\nx" }, "python: import os", "execute"],
    ["execute_code", {}, "python code", "execute"],
    ["skill_view", { name: "n", file_path: "f" }, "skill view (n/f)", "read"],
    ["skills_list", {}, "skills list", "read"],
    ["skill_manage", { action: "edit", name: "n" }, "skill edit: n", "edit"],
    ["browser_navigate", { url: "u" }, "navigate: u", "fetch"],
    ["browser_vision", { question: "q".repeat(60) }, `browser vision: ${"q".repeat(50)}`, "read"],
    ["image_generate", { description: "d" }, "generate image: d", "execute"],
    ["cronjob", { action: "add", id: 7 }, "cron add: 7", "other"],
    ["_thinking", {}, "_thinking", "think"],
    ["todo", { todos: [1] }, "todo (1 item)", "other"],
    ["todo_list", { todos: [] }, "todo (0 items)", "other"],
    ["todo", {}, "todo", "other"],
    ["constructor", {}, "constructor", "other"],
  ])("2026-08: %s %j", (name, args, title, kind) => {
    expect(tell([started(name, args, "a preview")], "2026-08")).toMatchObject([{ title, kind }]);
  });

  test.each<[string, unknown, unknown, string]>([
    ["terminal", { command: "ls" }, "ls", "terminal: ls"],
    ["terminal", { command: "ls" }, "p".repeat(81), `terminal: ${"p".repeat(77)}...`],
    ["terminal", { command: "ls" }, undefined, "terminal"],
    ["todo", {}, undefined, "todo: reading task list"],
    ["todo_list", { todos: [1, 2] }, "", "todo_list: planning 2 task(s)"],
    ["todo_list", { todos: [1], merge: true }, undefined, "todo_list: updating 1 task(s)"],
  ])("newer: %s %j with the preview %j", (name, args, preview, title) => {
    expect(tell([started(name, args, preview)])).toMatchObject([{ title }]);
  });

  test.each<[string, unknown, string | undefined]>([
    ["todo", {}, "Reading todo list"],
    [
      "todo",
      { todos: [{ content: "A", status: "pending" }, { id: 7 }, 5] },
      "Updating todo list\n\n- pending: A\n- pending: 7",
    ],
    [
      "todo_list",
      { todos: Array.from({ length: 10 }, () => ({ content: "A" })) },
      `Updating todo list\n\n${"- pending: A\n".repeat(8)}... 2 more`,
    ],
    ["terminal", { command: "ls" }, "$ ls"],
    ["read_file", { path: "/a" }, undefined],
    ["search_files", { pattern: "x", path: "/a" }, "Searching for 'x' (content) in /a"],
    ["web_search", {}, "Searching the web"],
    ["clarify", {}, "{}"],
    ["clarify", { q: "x".repeat(2000) }, `{\n  "q": "${"x".repeat(1090)}\n... (2013 chars total, truncated)`],
  ])("%s %j says what it is about", (name, args, text) => {
    const [update] = tell([started(name, args)]);
    expect(textOf(update)).toBe(text);
    expect(update).not.toHaveProperty("rawInput");
  });

  test("a location is a path, and a line where there is one", () => {
    const locations = (args: unknown) => tell([started("read_file", args)])[0];
    expect(locations({ path: "/a", offset: 5, line: 6 })).toMatchObject({ locations: [{ path: "/a", line: 5 }] });
    expect(locations({ path: "/a", offset: 0, line: 6 })).toMatchObject({ locations: [{ path: "/a", line: 6 }] });
    for (const line of [-1, 1.5, "x", 1e300, [5]])
      expect(locations({ path: "/a", line })).toMatchObject({ locations: [{ path: "/a" }] });
    for (const path of ["", 7, null]) expect(locations({ path })).toMatchObject({ locations: [] });
  });

  test("arguments that are a text", () => {
    expect(tell([started("oracle", "no JSON")])[0]).toMatchObject({ rawInput: { raw: "no JSON" } });
    for (const args of ["null", "[1]", "7", undefined, 7, [1]])
      expect(tell([started("oracle", args)])[0]).not.toHaveProperty("rawInput");
  });

  test("each edition has a few curated tools of its own", () => {
    expect(tell([started("ha_get_state", { a: 1 })], "2026-08")[0]).not.toHaveProperty("rawInput");
    expect(tell([started("ha_get_state", { a: 1 })])[0]).toHaveProperty("rawInput");
  });
});

describe("which call an end closes", () => {
  test.each<[string, HermesEdition, string, string]>([
    ["the oldest of its name", "2026-09", "+a +a +b =a =b =a", "+tc-1 +tc-2 +tc-3 tc-1. tc-3. tc-2."],
    ["none, when none is open", "2026-09", "=a +a =a =a", "+tc-1 tc-1."],
    ["a step closes, too", "2026-09", "+a +b .a .b", "+tc-1 +tc-2 tc-1. tc-2."],
    ["once ends are told one by one, steps close nothing more", "2026-09", "+a +a =a .a .a", "+tc-1 +tc-2 tc-1."],
    ["until the next turn", "2026-09", "+a =a | +a .a", "+tc-1 tc-1. +tc-2 tc-2."],
    ["the older edition hears only steps", "2026-08", "+a =a .a", "+tc-1 tc-1."],
    ["what is open when the turn ends has failed", "2026-09", "+a +b =a | =b", "+tc-1 +tc-2 tc-1. tc-2!"],
    ["the older edition forgets it", "2026-08", "+a | .a", "+tc-1"],
  ])("%s (%s)", (_, edition, steps, told) => {
    const callbacks = steps.split(" ").map((word): HermesCallback => {
      if (word === "|") return END;
      const name = word.slice(1);
      return word.startsWith("+") ? started(name) : word.startsWith("=") ? completed(name) : step({ name });
    });
    expect(brief(tell(callbacks, edition))).toBe(told);
  });

  test("a call without an end says so when its turn ends", () => {
    expect(tell([started("terminal", { command: "ls" }), END])[1]).toEqual({
      sessionUpdate: "tool_call_update",
      toolCallId: "tc-1",
      kind: "execute",
      status: "failed",
      content: [
        {
          type: "content",
          content: {
            type: "text",
            text: "This tool call ended without a result (blocked, denied, or interrupted).",
          },
        },
      ],
    });
  });

  test("an end that was not delivered is put back", () => {
    const updates = adapter();
    updates.tell(started("a"));
    updates.tell(started("a"));
    const [first] = updates.tell(completed("a"));
    if (first) updates.takeBack(first);
    expect(brief(updates.tell(completed("a")))).toBe("tc-1.");
    expect(brief(updates.tell(END))).toBe("tc-2!");
    updates.takeBack({ sessionUpdate: "plan", entries: [] });
  });

  test("entries of a step in all their shapes", () => {
    const start = [started("a"), started("a"), started("a"), started("a")];
    const shapes = [
      { name: "a", result: "r" },
      { function_name: "a", output: "r" },
      "a",
      { name: 7 },
      null,
      7,
      { result: "r" },
    ];
    expect(
      tell([...start, step(...shapes)])
        .map(textOf)
        .slice(4),
    ).toEqual(["r", "r", ""]);
    expect(tell([started("a"), { type: "step", prevTools: { name: "a" } }])).toHaveLength(1);
  });

  test.each<[unknown, HermesEdition, string]>([
    [{ name: "a", result: "", output: "o" }, "2026-09", ""],
    [{ name: "a", result: "", output: "o" }, "2026-08", "o"],
    [{ name: "a", result: 0 }, "2026-09", "0"],
    [{ name: "a", result: 0 }, "2026-08", ""],
    [{ name: "a", result: false }, "2026-09", "False"],
    [{ name: "a", result: ["x", null] }, "2026-08", "['x', None]"],
  ])("%j in %s answers %j", (entry, edition, text) => {
    expect(textOf(tell([started("a"), step(entry)], edition)[1])).toBe(text);
  });
});

describe("how a call ended", () => {
  test.each<[string, string, unknown, boolean]>([
    ["an exception", "oracle", "Error executing tool 'oracle': no", true],
    ["words about errors", "terminal", "Error: no", false],
    ["success is false", "oracle", '{"success": false}', true],
    ["ok is false", "oracle", '{"ok": false}', true],
    ["an exit code", "terminal", '{"exit_code": 1}', true],
    ["an exit code of 0", "terminal", '{"exit_code": 0, "returncode": 1}', false],
    ["a return code", "terminal", '{"returncode": -1}', true],
    ["no whole number", "terminal", '{"exit_code": 1.5}', false],
    ["an error of a curated tool", "read_file", '{"error": "no"}', true],
    ["an error with content", "read_file", '{"error": "no", "content": "x"}', false],
    ["an error of another tool", "oracle", '{"error": "no"}', false],
    ["words behind the answer", "terminal", '{"exit_code": 2}\n\n[Hint: again]', true],
    ["a list", "terminal", '[{"exit_code": 2}]', false],
    ["nothing", "terminal", undefined, false],
  ])("%s", (_, tool, result, hasFailed) => {
    for (const edition of ["2026-08", "2026-09"] as const)
      expect(tell([started(tool), step({ name: tool, result })], edition)[1]).toMatchObject({
        status: hasFailed ? "failed" : "completed",
      });
  });

  test("the newer edition takes the executor's word", () => {
    expect(brief(tell([started("a"), completed("a", "fine", true)]))).toBe("+tc-1 tc-1!");
  });

  test("a long answer is cut; characters are counted as Python does", () => {
    const cut = (text: string) => textOf(tell([started("terminal"), completed("terminal", text)])[1]);
    expect(cut("x".repeat(5000))).toBe("x".repeat(5000));
    expect(cut("x".repeat(5001))).toBe(`${"x".repeat(4900)}\n... (5001 chars total, truncated)`);
    expect(cut("😀".repeat(5000))).toBe("😀".repeat(5000));
    expect(cut("😀".repeat(5001))).toBe(`${"😀".repeat(4900)}\n... (5001 chars total, truncated)`);
  });

  test("plain words of an unknown tool are also its raw output", () => {
    const output = (tool: string, result: unknown) => tell([started(tool), completed(tool, result)])[1];
    expect(output("oracle", "yes")).toMatchObject({ rawOutput: "yes" });
    for (const [tool, result] of [
      ["oracle", "{}"],
      ["oracle", "[1] "],
      ["terminal", "yes"],
      ["oracle", undefined],
    ])
      expect(output(tool ?? "", result)).not.toHaveProperty("rawOutput");
  });

  test("of a page that was fetched only an error is shown", () => {
    expect(textOf(tell([started("web_extract"), completed("web_extract", "page")])[1])).toBeUndefined();
    expect(textOf(tell([started("web_extract"), completed("web_extract", '{"error":"no"}')])[1])).toBe(
      '{"error":"no"}',
    );
  });
});

describe("the list", () => {
  const TAIL = ["- ✗ Ship it", "- • Tell it", "", "**Progress:** 1 completed, 1 in progress, 2 pending, 1 cancelled"];
  test.each<[HermesEdition, readonly string[]]>([
    ["2026-08", ["- ✅ Fix it", "- 🔄 Test it", "- ⏳ c"]],
    ["2026-09", ["- ✅ Fix it", "  - 🔄 Test it", "    - ⏳ c"]],
  ])("as text, %s", (edition, rows) => {
    const [, update] = tell([started("todo"), step({ name: "todo", result: ANSWER })], edition);
    expect(textOf(update)).toBe(["**Todo list**", "", ...rows, ...TAIL].join("\n"));
  });

  test("at most four steps deep, also in a circle", () => {
    const deep = { todos: "abcdefg".split("").map((id, at) => ({ id, content: id, parent: "gabcdef"[at] })) };
    const text = textOf(tell([started("todo_list"), completed("todo_list", JSON.stringify(deep))])[1]) ?? "";
    expect(text.split("\n").slice(2)).toEqual([..."abcdefg"].map((id) => `        - ⏳ ${id}`));
  });

  test.each(["todo", "todo_list"])("as a plan, after the step, by the name %s", (tool) => {
    const plan = {
      sessionUpdate: "plan",
      entries: [
        { content: "Fix it", priority: "medium", status: "completed" },
        { content: "Test it", priority: "medium", status: "in_progress" },
        { content: "c", priority: "medium", status: "pending" },
        { content: "[cancelled] Ship it", priority: "medium", status: "completed" },
        { content: "Tell it", priority: "medium", status: "pending" },
      ],
    };
    for (const edition of ["2026-08", "2026-09"] as const)
      expect(tell([started(tool), step({ name: tool, result: ANSWER })], edition)[2]).toEqual(plan);
    expect(
      tell([started(tool), completed(tool, ANSWER), step({ name: tool, output: `${ANSWER}\n[Hint]` })])[2],
    ).toEqual(plan);
  });

  test.each<[string, unknown, string]>([
    ["an empty list is an empty plan", '{"todos": []}', "+tc-1 tc-1. plan:0"],
    ["no list, no plan", '{"error": "no"}', "+tc-1 tc-1!"],
    ["no text, no plan", LIST, "+tc-1 tc-1."],
    ["no JSON, no plan", "Error executing tool 'todo': no", "+tc-1 tc-1!"],
  ])("%s", (_, result, told) => {
    expect(brief(tell([started("todo"), step({ name: "todo", result })]))).toBe(told);
  });

  test("a step of a call that nobody started tells nothing", () => {
    expect(tell([step({ name: "todo", result: ANSWER })])).toEqual([]);
  });
});

describe("whatever comes", () => {
  const name = fc.oneof(fc.constantFrom("todo", "todo_list", "terminal", "oracle", "__proto__"), fc.jsonValue());
  const args = fc.oneof(
    fc.jsonValue(),
    fc.json(),
    fc.record({ todos: fc.jsonValue(), path: fc.jsonValue(), merge: fc.jsonValue() }),
  );
  const result = fc.oneof(
    fc.jsonValue(),
    fc.json(),
    args.map((value) => JSON.stringify(value)),
    fc.constant(ANSWER),
  );
  const callback: fc.Arbitrary<HermesCallback> = fc.oneof(
    fc.tuple(name, args, fc.jsonValue()).map(([tool, input, preview]) => started(tool, input, preview)),
    fc.tuple(name, result, fc.jsonValue()).map(([tool, value, isError]) => completed(tool, value, isError)),
    fc
      .array(fc.oneof(fc.record({ name, result }), fc.record({ function_name: name, output: result }), fc.jsonValue()))
      .map((tools) => step(...tools)),
    fc.constant(END),
  );

  test("nothing throws, each message is valid, an end belongs to one start and comes once", () => {
    fc.assert(
      fc.property(
        fc.array(callback, { maxLength: 30 }),
        fc.constantFrom("2026-08", "2026-09"),
        (callbacks, edition) => {
          const open = new Set<string>();
          for (const update of tell(callbacks, edition as HermesEdition)) {
            expect(() => JSON.parse(JSON.stringify(update))).not.toThrow();
            if (update.sessionUpdate === "tool_call") open.add(update.toolCallId);
            else if (update.sessionUpdate === "tool_call_update") expect(open.delete(update.toolCallId)).toBe(true);
          }
          if (edition === "2026-09") expect(tell([...callbacks, END]).length).toBeGreaterThanOrEqual(open.size);
        },
      ),
    );
  });

  test("what is nested too deeply is told by its name only", () => {
    const deep: unknown = JSON.parse(`${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`);
    expect(tell([started("oracle", deep), completed("oracle", deep)])).toMatchObject([
      { title: "oracle", locations: [] },
      { status: "completed" },
    ]);
  });
});
