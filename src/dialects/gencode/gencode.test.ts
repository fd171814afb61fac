import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { sized } from "../../../test/sizes.js";
import { foldWords, stringWidth } from "../../app/terminal/text-width.js";
import { REMINDER_SETTINGS } from "../../core/session/reminders.js";
import { NEW_SESSION } from "../../core/session/session.js";
import { EMPTY_LIST, type TodoList, todosOf } from "../../core/todo/list.js";
import { milepost } from "../milepost/todo-tool.js";
import { speak } from "../speak.js";
import { marked, plain } from "../styled-line.js";
import { WORK_STATUSES } from "../work-status.js";
import { gencode } from "./gencode.js";
import { findGencodeIssues } from "./gencode-input.js";
import { gencodeNode } from "./gencode-node.js";
import { GENCODE_REMINDERS } from "./gencode-reminders.js";

const call = (value: unknown) => ({ tool: "TodoWrite", input: { value } });
const node = (todos: unknown, list: TodoList = EMPTY_LIST) => speak(gencodeNode, list, call({ todos }));
const proposed = (todos: unknown, list: TodoList = EMPTY_LIST) => speak(gencode, list, call({ todos }));
const item = (content: string, status = "pending", activeForm = `Doing ${content}`) => ({
  content,
  status,
  activeForm,
});
const many = (count: number) => Array.from({ length: count }, (_, index) => item(`c${index}`));
const fromOthers = () => {
  const added = speak(milepost, EMPTY_LIST, { tool: "todo", input: { value: { add: ["a", "b", "c"] } } });
  return speak(milepost, added.list, { tool: "todo", input: { value: { drop: 2 } } }).list;
};

describe("gencode/node-0.5", () => {
  test.each<[string, object[], string]>([
    ["nothing", [], "0 completed, 0 in progress, 0 pending\n\nTodo list is empty."],
    [
      "each status",
      [item("a", "completed"), item("b", "in_progress"), item("c")],
      "1 completed, 1 in progress, 1 pending\n\n1. [x] a\n2. [>] Doing b\n3. [ ] c",
    ],
    ["a finished list", [item("a", "completed")], "1 completed, 0 in progress, 0 pending\n\n1. [x] a"],
    ["blank texts", [item(" ", "in_progress", "\n")], "0 completed, 1 in progress, 0 pending\n\n1. [>] \n"],
  ])("takes %s, and keeps it", (_name, todos, text) => {
    const { answer, list } = node(todos);
    expect(answer).toEqual({ text: `Todos updated: ${text}`, isError: false });
    expect(todosOf(list)).toHaveLength(todos.length);
  });

  test("has no limit", () => {
    expect(node(many(1000).concat(item("x".repeat(10_000)))).answer.isError).toBe(false);
  });

  test.each([2, 3])("refuses %i in progress, and keeps what was there", (count) => {
    const { list } = node([item("kept")]);
    const refused = node(Array(count).fill(item("a", "in_progress")), list);
    expect(refused.answer).toEqual({
      text: `Only one task should be in_progress at a time. Found ${count} tasks in progress.`,
      isError: true,
    });
    expect(refused.list).toBe(list);
  });

  test.each<[string, (string | undefined)[], string[]]>([
    ["none is sent", [undefined, undefined], ["todo-1", "todo-2"]],
    ["an empty one is sent", ["", "x"], ["todo-1", "x"]],
    ["two are equal", ["x", "x"], ["x", "x"]],
    ["one looks like the next place", ["todo-2", undefined], ["todo-2", "todo-2"]],
  ])("ids: %s", (_name, sent, kept) => {
    const { list } = node(sent.map((id, index) => ({ ...item(`c${index}`), ...(id === undefined ? {} : { id }) })));
    expect(gencodeNode.show(list)).toEqual(kept.map((id, index) => ({ ...item(`c${index}`), id })));
  });

  test("an id that is no longer sent is gone; one made from the place does not follow a todo", () => {
    const { list } = node([{ ...item("a"), id: "x" }, item("b")]);
    const turned = node([item("b"), item("a")], list).list;
    expect(gencodeNode.show(turned)).toEqual([
      { ...item("b"), id: "todo-1" },
      { ...item("a"), id: "todo-2" },
    ]);
    expect(todosOf(turned).map(({ number }) => number)).toEqual([2, 1]);
  });

  test("prints the whole issue list, as zod does", () => {
    expect(node([{ ...item("a"), id: 1 }]).answer.text).toBe(
      `Invalid input: ${JSON.stringify([{ expected: "string", code: "invalid_type", path: ["todos", 0, "id"], message: "Invalid input: expected string, received number" }], null, 2)}`,
    );
  });

  test("a number too large for JSON's reader is still a number to its zod; a text that is no JSON is a text", () => {
    const asked = (text: string) => speak(gencodeNode, EMPTY_LIST, { tool: "TodoWrite", input: { text } }).answer.text;
    expect(asked('{"todos":1e999}')).toContain("expected array, received number");
    expect(asked('{"todos":')).toContain("expected object, received string");
  });

  test.each<[string, object[], string[]]>([
    ["nothing for no list", [], []],
    ["one todo in the header alone", [item("a")], ["", "  Tasks 0/1"]],
    ["what is being done in the header", [item("a", "in_progress")], ["", "  ▸ Doing a (0/1)"]],
    [
      "rows for more",
      [item("a", "completed"), item("b", "in_progress"), item("c")],
      ["", "  ▸ Doing b (1/3)", "   ✓ a", "   ▸ b", "   ○ c"],
    ],
    ["a finished list", [item("a", "completed"), item("b", "completed")], ["", "  Tasks 2/2", "   ✓ a", "   ✓ b"]],
  ])("draws %s", (_name, todos, rows) => {
    expect(gencodeNode.panel?.(node(todos).list).map(plain)).toEqual(rows);
  });

  test("in colours", () => {
    const { list } = node([item("a", "completed"), item("b", "in_progress"), item("c")]);
    expect(gencodeNode.panel?.(list).map(marked)).toEqual([
      "",
      "  <warning>▸</warning> Doing b <muted>(1/3)</muted>",
      "   <dim><success>✓</success> <s>a</s></dim>",
      "   <warning>▸</warning> b",
      "   <muted>○</muted> c",
    ]);
  });

  test("a list that others wrote: no cancelled todo, and the text where there is no active form", () => {
    expect(gencodeNode.show(fromOthers())).toEqual([
      { ...item("a", "in_progress", "a"), id: "todo-1" },
      { ...item("c", "pending", "c"), id: "todo-2" },
    ]);
    expect(gencodeNode.panel?.(fromOthers()).map(plain)).toEqual(["", "  ▸ a (0/2)", "   ▸ a", "   ○ c"]);
  });
});

describe("gencode, as proposed", () => {
  test.each<[string, object[], string]>([
    ["nothing", [], "No todos."],
    [
      "each status",
      [item("a", "completed"), item("b", "in_progress"), item("c")],
      "[x] a\n[>] b <- Doing b\n[ ] c\n\n(1/3 completed)",
    ],
    ["a finished list", [item("a", "completed")], "[x] a\n\n(1/1 completed)"],
  ])("takes %s, and keeps it", (_name, todos, text) => {
    const { answer, list } = proposed(todos);
    expect(answer).toEqual({ text, isError: false });
    expect(gencode.show(list)).toEqual(todos);
  });

  test("two in progress are refused, and what was there stays", () => {
    const { list } = proposed([item("kept")]);
    const refused = proposed([item("a", "in_progress"), item("b", "in_progress")], list);
    expect(refused.answer).toEqual({ text: "Only one task can be in_progress at a time", isError: true });
    expect(refused.list).toBe(list);
  });

  const long = (where: string) => ({
    path: ["todos", 0, where],
    message: "Too big: expected string to have <=500 characters",
  });
  test.each<[string, unknown, object | undefined]>([
    ["20 todos", many(20), undefined],
    ["21 todos", many(21), { path: ["todos"], message: "Too big: expected array to have <=20 items" }],
    ["500 characters", [item("x".repeat(500), "pending", "y".repeat(500))], undefined],
    ["501 characters", [item("x".repeat(501), "pending", "y")], long("content")],
    ["501 in the active form", [item("x", "pending", "y".repeat(501))], long("activeForm")],
    ["250 emoji, two units each", [item("😀".repeat(250), "pending", "y")], undefined],
    ["251 emoji", [item("😀".repeat(251), "pending", "y")], long("content")],
    ["an id, which it does not know", [{ ...item("a"), id: 7 }], undefined],
  ])("limits: %s", (_name, todos, issue) => {
    const { text, isError } = proposed(todos).answer;
    expect(isError).toBe(issue !== undefined);
    if (issue) expect(JSON.parse(text.replace("Invalid input: ", ""))).toEqual([expect.objectContaining(issue)]);
  });

  test("what is wrong with the items comes before their number", () => {
    const issues = findGencodeIssues({ todos: [...many(20), 1] }, { hasId: false, mostTodos: 20 });
    expect(issues.map(({ code }) => code)).toEqual(["invalid_type", "too_big"]);
  });

  test("draws a frame with the share that is done", () => {
    const done = item("Fix failing tests", "completed");
    const active = item("Update documentation", "in_progress", "Updating documentation");
    const { list } = proposed([done, active, item("Run final build verification")]);
    expect(gencode.panel?.(list).map(plain)).toEqual([
      "┌─ Tasks ────────────────────────────────────┐",
      "│ ✓ Fix failing tests                        │",
      "│ ▶ Updating documentation                   │",
      "│ ○ Run final build verification             │",
      "│                                            │",
      "│ Progress: 1/3 (33%)                        │",
      "└────────────────────────────────────────────┘",
    ]);
  });

  const drawn = (todos: object[], columns?: number) => {
    const screen = { columns, width: stringWidth, wrap: foldWords };
    return (gencode.panel?.(proposed(todos).list, { screen }) ?? []).map(plain);
  };
  const widths = (rows: readonly string[]) => new Set(rows.map(stringWidth));

  test("where nothing is cut, a long todo makes the frame wider", () => {
    const rows = drawn([item("x".repeat(60)), item("a")]);
    expect(widths(rows)).toEqual(new Set([64 + 2]));
    expect(gencode.panel?.(EMPTY_LIST)).toEqual([]);
  });

  test.each([16, 24, 46, 80, 200])("the frame takes all of %i columns", (columns) => {
    expect(widths(drawn([item("a"), item("漢字 👍"), item("words ".repeat(30).trim())], columns))).toEqual(
      new Set([columns]),
    );
  });

  test("what does not fit goes on in the next row, with nothing left out", () => {
    expect(
      drawn([item("Look at every module", "completed"), item("b", "in_progress", "漢字漢字漢字漢字漢字漢")], 24),
    ).toEqual([
      "┌─ Tasks ──────────────┐",
      "│ ✓ Look at every      │",
      "│   module             │",
      "│ ▶ 漢字漢字漢字漢字漢 │",
      "│   字漢               │",
      "│                      │",
      "│ Progress: 1/2 (50%)  │",
      "└──────────────────────┘",
    ]);
  });

  test("a terminal that is too narrow for any frame gets the narrowest one", () => {
    expect(widths(drawn([item("a")], 3))).toEqual(new Set([16]));
  });

  test.each<[done: number, total: number, percent: number]>([
    [0, 3, 0],
    [1, 3, 33],
    [2, 3, 67],
    [1, 8, 13],
    [7, 8, 88],
    [3, 3, 100],
  ])("%i of %i are %i percent: it is rounded, not cut", (done, total, percent) => {
    const todos = Array.from({ length: total }, (_, at) => item(`t${at}`, at < done ? "completed" : "pending"));
    expect(drawn(todos).at(-2)).toContain(`Progress: ${done}/${total} (${percent}%)`);
  });

  test("a list that others wrote", () => {
    expect(gencode.show(fromOthers())).toEqual([item("a", "in_progress", "a"), item("c", "pending", "c")]);
  });

  test("its reminders are its own, to the character", () => {
    const said = (kind: "unused" | "stale" | "stop") => GENCODE_REMINDERS.text(kind, NEW_SESSION, EMPTY_LIST);
    expect(said("unused")).toBe("<reminder>Use TodoWrite for multi-step tasks.</reminder>");
    expect(said("stale")).toBe("<reminder>10+ turns without todo update. Please update todos.</reminder>");
    expect(said("stop")).toBeUndefined();
    expect(REMINDER_SETTINGS.staleAfter).toBe(10);
  });
});

describe("both", () => {
  test.each([gencode, gencodeNode])("$name: any mode, one list for all agents of a session, one tool", (dialect) => {
    expect(speak(dialect, EMPTY_LIST, { ...call({ todos: [] }), mode: "plan" }).answer.isError).toBe(false);
    expect(dialect.policy.scope).toBe("session");
    expect(speak(dialect, EMPTY_LIST, { ...call({}), tool: "TodoRead" }).answer).toEqual({
      text: "Unknown tool: TodoRead",
      isError: true,
    });
  });

  // The zod that is installed is newer: it names odd numbers, counts code points, and stops at a list that is too long.
  test("the issue list is zod's own, whatever the items are", () => {
    const value = fc.oneof(
      fc.constantFrom("", "x", null, 0, true, [], "pending", "done"),
      fc.jsonValue({ maxDepth: 2 }),
    );
    const fields = { content: value, status: value, activeForm: value, id: value };
    const todos = fc.oneof(fc.array(fc.oneof(fc.record(fields, { requiredKeys: [] }), value), { maxLength: 3 }), value);
    const short = todos.filter((sent) => !Array.isArray(sent) || sent.length <= 3);
    const input = fc.oneof(fc.record({ todos: short }, { requiredKeys: [] }), value);
    fc.assert(
      fc.property(input, fc.boolean(), (sent, hasId) => {
        const text = z.string().min(1).max(4);
        const known = { content: text, status: z.enum(WORK_STATUSES), activeForm: text };
        const one = hasId ? z.object({ ...known, id: z.string().optional() }) : z.object(known);
        const schema = z.object({ todos: z.array(one).max(3) });
        const issues = findGencodeIssues(sent, { hasId, mostTodos: 3, mostCharacters: 4 });
        expect(issues).toEqual(schema.safeParse(sent).error?.issues ?? []);
      }),
      { numRuns: sized(500, 10_000) },
    );
  });

  test("a million wrong items are answered in a text of bounded size", () => {
    for (const dialect of [gencode, gencodeNode]) {
      const { text } = speak(dialect, EMPTY_LIST, call({ todos: Array(1_000_000).fill(1) })).answer;
      expect(text.length).toBeLessThan(3_000_000);
    }
  });
});
