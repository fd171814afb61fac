import { describe, expect, test } from "vitest";
import { EMPTY_LIST, type TodoList, todosOf } from "../../core/todo/list.js";
import { WHOLE_LIST } from "../../core/todo/policy.js";
import { claude } from "../claude/claude.js";
import { speak } from "../speak.js";
import { applyOps, ohMyPi } from "./oh-my-pi.js";
import { newPhases, type PiPhase, type PiStatus, phasesOf } from "./pi-phases.js";
import type { PiOp } from "./pi-schema.js";

const write = (list: TodoList, ...ops: PiOp[]) =>
  speak(ohMyPi, list, { tool: "todo_write", input: { value: { ops } } });
const init = (...phases: [phase: string, ...items: string[]][]): PiOp => ({
  op: "init",
  list: phases.map(([phase, ...items]) => ({ phase, items })),
});

type Sketch = Readonly<Record<string, readonly [content: string, status: PiStatus, ...notes: string[]][]>>;
const phased = (sketch: Sketch): readonly PiPhase[] =>
  Object.entries(sketch).map(([name, tasks]) => ({
    name,
    tasks: tasks.map(([content, status, ...notes]) => ({ content, status, notes })),
  }));
/** A list as another version may have left it: nothing is put right. */
const listOf = (sketch: Sketch): TodoList =>
  speak({ ...ohMyPi, policy: WHOLE_LIST, parse: () => REPLACE(phased(sketch)) }, EMPTY_LIST, ANY).list;
const ANY = { tool: "", input: { value: null } };
const REPLACE = (phases: readonly PiPhase[]) => ({
  type: "command" as const,
  command: { type: "replace" as const, phases: newPhases(phases) },
  render: () => ({ text: "", isError: false }),
});
const shortly = (list: TodoList) =>
  phasesOf(list).map(
    ({ name, tasks }) => `${name}: ${tasks.map((task) => `${task.content} ${task.status}`).join(", ")}`,
  );

const ONE: Sketch = {
  P: [
    ["a", "in_progress"],
    ["b", "pending"],
  ],
  Q: [["c", "completed"]],
};

describe("errors, in the order of the operations", () => {
  const EMPTY_HINT = "(todo list is empty — was it replaced or not yet created?)";
  const ID_HINT = "Tasks are referenced by content, not by IDs — pass the task's full text from the previous result.";

  test.each<{ ops: PiOp[]; errors: string; on?: Sketch }>([
    { ops: [{ op: "init" }], errors: "Missing list for init operation" },
    { ops: [{ op: "start" }], errors: "Missing task content" },
    { ops: [{ op: "start", task: "" }], errors: "Missing task content" },
    { ops: [{ op: "start", phase: "P" }], errors: "Missing task content" },
    { ops: [{ op: "note", text: "n" }], errors: "Missing task content" },
    { ops: [{ op: "note", task: "a" }], errors: "Missing text for note operation" },
    {
      ops: [{ op: "note", task: "a", text: " \n\u3000\u00a0\ufeff\u2028" }],
      errors: "Missing text for note operation",
    },
    { ops: [{ op: "note", task: "x" }], errors: 'Task "x" not found' },
    { ops: [{ op: "done", task: "A" }], errors: 'Task "A" not found' },
    { ops: [{ op: "drop", task: "x", phase: "P" }], errors: 'Task "x" not found' },
    { ops: [{ op: "rm", task: "x" }], on: {}, errors: `Task "x" not found ${EMPTY_HINT}` },
    { ops: [{ op: "start", task: "x" }], on: { P: [] }, errors: `Task "x" not found ${EMPTY_HINT}` },
    { ops: [{ op: "start", task: "task-12" }], errors: `Task "task-12" not found. ${ID_HINT}` },
    { ops: [{ op: "start", task: "task-12" }], on: {}, errors: `Task "task-12" not found. ${ID_HINT}` },
    { ops: [{ op: "start", task: "task-12x" }], errors: 'Task "task-12x" not found' },
    { ops: [{ op: "start", task: "task-1\n" }], errors: 'Task "task-1\n" not found' },
    { ops: [{ op: "done", phase: "x" }], errors: 'Phase "x" not found' },
    { ops: [{ op: "rm", phase: "x" }], on: {}, errors: 'Phase "x" not found' },
    { ops: [{ op: "append", items: ["x"] }], errors: "Missing phase name for append operation" },
    { ops: [{ op: "append", phase: "", items: ["x"] }], errors: "Missing phase name for append operation" },
    { ops: [{ op: "append", phase: "P" }], errors: "Missing items for append operation" },
    { ops: [{ op: "append", phase: "P", items: ["c"] }], errors: 'Task "c" already exists' },
    {
      ops: [{ op: "note", task: "a" }, { op: "done", task: "x" }, { op: "start" }, { op: "done", phase: "y" }],
      errors: 'Missing text for note operation; Task "x" not found; Missing task content; Phase "y" not found',
    },
  ])("$errors", ({ ops, errors, on = ONE }) => {
    const { answer } = write(listOf(on), ...ops);
    expect(answer.isError).toBe(true);
    expect(`${answer.text}\nRemaining`.split("\nRemaining")[0]).toBe(`Errors: ${errors}`);
  });

  test("a task that is really called task-1 works", () => {
    expect(write(listOf({ P: [["task-1", "pending"]] }), { op: "done", task: "task-1" }).answer.isError).toBe(false);
  });

  test("the tool itself also refuses an empty append, which the host would not let through", () => {
    const direct = { ...ohMyPi, parse: () => applyOps([{ op: "append", phase: "P", items: [] }]) };
    expect(speak(direct, EMPTY_LIST, ANY).answer.text).toBe("Errors: Missing items for append operation");
  });
});

describe("what an operation does", () => {
  test.each<{ name: string; ops: PiOp[]; on?: Sketch; then: string[] }>([
    { name: "a failed init empties the list", ops: [{ op: "init" }], then: [] },
    { name: "an empty init empties the list", ops: [init()], then: [] },
    {
      name: "init takes phases and tasks twice",
      ops: [init(["P", "a", "a"], ["P", "a"])],
      then: ["P: a in_progress, a pending", "P: a pending"],
    },
    {
      name: "start pauses the others, and takes up what was closed",
      ops: [{ op: "start", task: "c" }],
      then: ["P: a pending, b pending", "Q: c in_progress"],
    },
    {
      name: "done closes one",
      ops: [{ op: "done", task: "a" }],
      then: ["P: a completed, b in_progress", "Q: c completed"],
    },
    {
      name: "a task goes before a phase",
      ops: [{ op: "done", task: "b", phase: "Q" }],
      then: ["P: a in_progress, b completed", "Q: c completed"],
    },
    {
      name: "a phase is closed whole",
      ops: [{ op: "drop", phase: "P" }],
      then: ["P: a abandoned, b abandoned", "Q: c completed"],
    },
    {
      name: "no name at all means every task, whatever its status",
      ops: [{ op: "drop", task: "", phase: "" }],
      then: ["P: a abandoned, b abandoned", "Q: c abandoned"],
    },
    { name: "rm takes one task", ops: [{ op: "rm", task: "a" }], then: ["P: b in_progress", "Q: c completed"] },
    {
      name: "rm takes only the first of two",
      on: {
        P: [
          ["a", "completed"],
          ["a", "pending"],
        ],
      },
      ops: [{ op: "rm", task: "a" }],
      then: ["P: a in_progress"],
    },
    { name: "rm leaves the phase", ops: [{ op: "rm", phase: "P" }], then: ["P: ", "Q: c completed"] },
    {
      name: "rm of all leaves all phases, in their order",
      ops: [{ op: "rm" }, { op: "append", phase: "Q", items: ["x"] }],
      then: ["P: ", "Q: x in_progress"],
    },
    {
      name: "a phase can be emptied twice",
      ops: [
        { op: "rm", phase: "Q" },
        { op: "rm", phase: "Q" },
      ],
      then: ["P: a in_progress, b pending", "Q: "],
    },
    {
      name: "append stops at the first text that is there, and keeps what came before",
      ops: [{ op: "append", phase: "Q", items: ["x", "c", "y"] }],
      then: ["P: a in_progress, b pending", "Q: c completed, x pending"],
    },
    {
      name: "append knows its own texts too",
      ops: [{ op: "append", phase: "Q", items: ["x", "x", "y"] }],
      then: ["P: a in_progress, b pending", "Q: c completed, x pending"],
    },
    {
      name: "append opens its phase before it is refused",
      ops: [{ op: "append", phase: "R", items: ["a"] }],
      then: ["P: a in_progress, b pending", "Q: c completed", "R: "],
    },
    {
      name: "what fails stops nothing",
      ops: [
        { op: "done", task: "x" },
        { op: "done", task: "a" },
      ],
      then: ["P: a completed, b in_progress", "Q: c completed"],
    },
  ])("$name", ({ ops, on = ONE, then }) => {
    expect(shortly(write(listOf(on), ...ops).list)).toEqual(then);
  });

  test("a note keeps its beginning and its line breaks, not its end", () => {
    const { list } = write(listOf(ONE), { op: "note", task: "c", text: "  x\r\ny \u00a0\n" });
    expect(phasesOf(list)[1]?.tasks).toEqual([{ content: "c", status: "completed", notes: ["  x\r\ny"] }]);
  });

  test("init loses notes, also of a task that stays", () => {
    const { list } = write(listOf({ P: [["a", "completed", "n"]] }), init(["P", "a"]));
    expect(phasesOf(list)).toEqual([{ name: "P", tasks: [{ content: "a", status: "in_progress" }] }]);
  });
});

describe("after every batch one task is in progress", () => {
  const none: PiOp = { op: "note", task: "?", text: "" };
  test.each<{ name: string; on: Sketch; op?: PiOp; then: string[] }>([
    {
      name: "of several the first one stays, also when all was refused",
      on: {
        P: [
          ["a", "pending"],
          ["b", "in_progress"],
        ],
        Q: [["c", "in_progress"]],
      },
      then: ["P: a pending, b in_progress", "Q: c pending"],
    },
    {
      name: "the first pending one is started, also in an earlier phase",
      on: {
        P: [["a", "pending"]],
        Q: [
          ["b", "in_progress"],
          ["c", "pending"],
        ],
      },
      op: { op: "done", task: "b" },
      then: ["P: a in_progress", "Q: b completed, c pending"],
    },
    {
      name: "an operation that lacks its target counts as well",
      on: { P: [["a", "pending"]] },
      op: { op: "start" },
      then: ["P: a in_progress"],
    },
    { name: "with nothing open nothing is started", on: { P: [["a", "abandoned"]] }, then: ["P: a abandoned"] },
  ])("$name", ({ on, op = none, then }) => {
    expect(shortly(write(listOf(on), op).list)).toEqual(then);
  });
});

describe("summary", () => {
  const line = (list: TodoList, ...ops: PiOp[]) => write(list, ...ops).answer.text;

  test("the whole of it", () => {
    const list = listOf({
      Foundation: [
        ["Scaffold", "completed"],
        ["Wire", "pending", "one", "two\n\nlines"],
      ],
      "": [],
      Auth: [
        ["Port", "pending", "hidden"],
        ["Skip", "abandoned"],
      ],
    });
    expect(line(list, { op: "done", task: "nope" })).toBe(
      [
        'Errors: Task "nope" not found',
        "Remaining items (2):",
        "  - Wire [in_progress] (Foundation)",
        "  - Port [pending] (Auth)",
        'Phase 1/3 "Foundation" — 1/2 tasks complete',
        "  Foundation:",
        "    ✓ Scaffold",
        "    → Wire (+2 notes)",
        "        one",
        "        ---",
        "        two",
        "        ",
        "        lines",
        "  :",
        "  Auth:",
        "    ○ Port (+1 note)",
        "    ✗ Skip",
      ].join("\n"),
    );
  });

  test("with all closed the last phase is named, even an empty one", () => {
    expect(line(listOf({ P: [["a", "pending"]], "Q\nR": [] }), { op: "done" })).toBe(
      'Remaining items: none.\nPhase 2/2 "Q\nR" — 0/0 tasks complete\n  P:\n    ✓ a\n  Q\nR:',
    );
  });

  test.each<{ ops: PiOp[]; text: string }>([
    { ops: [{ op: "rm" }], text: "Todo list cleared." },
    { ops: [{ op: "init" }], text: "Errors: Missing list for init operation" },
    { ops: [{ op: "rm" }, { op: "done" }, { op: "done", phase: "P" }], text: "Todo list cleared." },
  ])("without a task it is $text", ({ ops, text }) => {
    expect(line(listOf(ONE), ...ops)).toBe(text);
  });
});

describe("details", () => {
  test.each<{ name: string; on?: Sketch; ops: PiOp[]; then?: [phase: string, content: string][] }>([
    {
      name: "what was closed by the call",
      ops: [{ op: "done", phase: "P" }],
      then: [
        ["P", "a"],
        ["P", "b"],
      ],
    },
    { name: "not what was closed before", ops: [{ op: "done", task: "c" }] },
    { name: "what had been given up", on: { P: [["a", "abandoned"]] }, ops: [{ op: "done" }], then: [["P", "a"]] },
    { name: "not what was given up", ops: [{ op: "drop" }] },
    {
      name: "not what came with the call",
      ops: [
        { op: "append", phase: "P", items: ["x"] },
        { op: "done", task: "x" },
      ],
    },
    {
      name: "not what was taken up again",
      ops: [
        { op: "done", task: "a" },
        { op: "start", task: "a" },
      ],
    },
    {
      name: "not what is gone",
      ops: [
        { op: "done", task: "a" },
        { op: "rm", task: "a" },
      ],
    },
    { name: "what came back under its names", ops: [init(["P", "a"]), { op: "done" }], then: [["P", "a"]] },
    { name: "not what came back in another phase", ops: [init(["R", "a"]), { op: "done" }] },
    { name: "also with errors", ops: [{ op: "done", task: "a" }, { op: "start" }], then: [["P", "a"]] },
    {
      name: "of two with one name, both by what the last one was",
      on: {
        P: [
          ["a", "completed"],
          ["a", "pending"],
        ],
      },
      ops: [{ op: "done" }],
      then: [
        ["P", "a"],
        ["P", "a"],
      ],
    },
    {
      name: "none, when the last one was closed",
      on: {
        P: [
          ["a", "pending"],
          ["a", "completed"],
        ],
      },
      ops: [{ op: "done" }],
    },
  ])("completedTasks: $name", ({ on = ONE, ops, then }) => {
    const { list, answer } = write(listOf(on), ...ops);
    const completedTasks = then?.map(([phase, content]) => ({ phase, content }));
    const details = { phases: phasesOf(list), storage: "session", ...(completedTasks && { completedTasks }) };
    expect(JSON.stringify(answer.data)).toBe(JSON.stringify(details));
  });

  test("a session without a file is in memory", () => {
    const call = { tool: "todo_write", input: { value: { ops: [{ op: "rm" }] } }, storage: "memory" as const };
    expect(speak(ohMyPi, EMPTY_LIST, call).answer.data).toEqual({ phases: [], storage: "memory" });
  });
});

describe("the dialect", () => {
  test("another tool is not found", () => {
    const { answer } = speak(ohMyPi, EMPTY_LIST, { tool: "todo", input: { value: {} } });
    expect(answer).toEqual({ text: "Tool todo not found", isError: true, data: {} });
  });

  test("a refused call leaves the list alone, an errored batch keeps what it did", () => {
    const list = listOf({ P: [["a", "pending"]] });
    expect(speak(ohMyPi, list, { tool: "todo_write", input: { value: { ops: [] } } }).list).toBe(list);
    expect(todosOf(write(list, { op: "done" }, { op: "start" }).list)).toMatchObject([{ status: "completed" }]);
  });

  test("on a list of another dialect it keeps the numbers", () => {
    const todos = [{ content: "a", status: "pending", activeForm: "A" }];
    const { list } = speak(claude, EMPTY_LIST, { tool: "TodoWrite", input: { value: { todos } } });
    expect(todosOf(write(list, init(["P", "b", "a"])).list)).toMatchObject([
      { number: 2, text: "b", status: "in_progress" },
      { number: 1, text: "a", status: "pending", activeForm: "A" },
    ]);
  });

  test("its definition", () => {
    const [tool] = ohMyPi.tools;
    expect(tool).toMatchObject({ name: "todo_write", title: "Todo Write", traits: { approval: "read", strict: true } });
    expect(tool?.inputSchema).toEqual({
      type: "object",
      description: "apply ordered todo operations",
      required: ["ops"],
      additionalProperties: false,
      properties: {
        ops: {
          type: "array",
          minItems: 1,
          description: "ordered todo operations",
          items: {
            type: "object",
            required: ["op"],
            additionalProperties: false,
            properties: {
              op: {
                type: "string",
                enum: ["init", "start", "done", "rm", "drop", "append", "note"],
                description: "operation to apply",
              },
              list: {
                type: "array",
                description: "phased task list (init)",
                items: {
                  type: "object",
                  required: ["phase", "items"],
                  additionalProperties: false,
                  properties: {
                    phase: { type: "string", description: "phase name" },
                    items: {
                      type: "array",
                      minItems: 1,
                      description: "tasks for this phase",
                      items: { type: "string", description: "task content" },
                    },
                  },
                },
              },
              task: { type: "string", description: "task content" },
              phase: { type: "string", description: "phase name" },
              items: {
                type: "array",
                minItems: 1,
                description: "tasks to append",
                items: { type: "string", description: "task content" },
              },
              text: { type: "string", description: "note text" },
            },
          },
        },
      },
    });
  });
});
