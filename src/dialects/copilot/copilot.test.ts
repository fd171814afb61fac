import { describe, expect, test } from "vitest";
import { EMPTY_LIST, type TodoList, todosOf } from "../../core/todo/list.js";
import { scratchTables } from "../../store/sqlite/memory-tables.js";
import type { ToolInput } from "../dialect.js";
import { milepost } from "../milepost/todo-tool.js";
import { speak } from "../speak.js";
import { copilot } from "./copilot.js";
import { statementsOf } from "./sql-script.js";
import { workOf } from "./sql-work.js";

const openTables = await scratchTables();

const sql = (query: string, list: TodoList = EMPTY_LIST) =>
  speak(copilot, list, { tool: "sql", input: { value: { description: "d", query } }, openTables });
const add = "INSERT INTO todos (id, title, description) VALUES ('a', 'A', 'first\n\nsecond'), ('b', 'B', 'blocked')";
const notesOf = (list: TodoList) => todosOf(list).map(({ notes }) => notes);

test("without tables it refuses; with them the list has ids, notes and states", () => {
  const input = { value: { description: "d", query: "SELECT 1" } };
  expect(speak(copilot, EMPTY_LIST, { tool: "sql", input }).answer).toMatchObject({ isError: true });
  const { list } = sql(`${add}; INSERT INTO todo_deps VALUES ('a', 'b'); UPDATE todos SET status = 'blocked'`);
  expect(todosOf(list)).toMatchObject([
    { key: "a", text: "A", status: "pending", notes: ["first", "second", "blocked", "depends on: b"] },
    { key: "b", text: "B", status: "pending", notes: ["description: blocked", "blocked"] },
  ]);
  expect(copilot.show(list)).toEqual({
    todos: [
      { id: "a", title: "A", description: "first\n\nsecond", status: "blocked" },
      { id: "b", title: "B", description: "blocked", status: "blocked" },
    ],
    todo_deps: [{ todo_id: "a", depends_on: "b" }],
  });
  expect(notesOf(sql("UPDATE todos SET status = 'done'; DELETE FROM todo_deps", list).list)).toEqual([
    ["first", "second"],
    ["description: blocked"],
  ]);
});

test("a list of another dialect: numbers are ids, cancelled todos stay, notes that did not change stay in their order", () => {
  const todo = (list: TodoList, value: object) => speak(milepost, list, { tool: "todo", input: { value } }).list;
  const made = [{ add: ["A", "B", "C"] }, { note: "#1 blocked: no word yet" }, { note: "#1 why" }, { drop: 2 }];
  const list = made.reduce<TodoList>(todo, EMPTY_LIST);
  expect(copilot.show(list)).toMatchObject({ todos: [{ id: "1", description: "why" }, { id: "3" }] });
  const after = sql("UPDATE todos SET title = 'A!' WHERE id = '1'; DELETE FROM todos WHERE id = '3'", list).list;
  expect(todosOf(after).map(({ number, text, status }) => [number, text, status])).toEqual([
    [1, "A!", "in_progress"],
    [2, "B", "cancelled"],
  ]);
  expect(notesOf(after)[0]).toEqual(["blocked: no word yet", "why"]);
  expect(after.phases[0]?.todos[0]).not.toHaveProperty("key");
});

test.each([
  ["{x", "Expected property name or '}' in JSON at position 1 (line 1 column 2)"],
  ['{"a":1,\n"b":2,}', "Expected double-quoted property name in JSON at position 14 (line 2 column 7)"],
  ["[1,", "Unexpected end of JSON input"],
  ['""', "Unexpected end of JSON input"],
  ['"{\\"a\\":1,}"', "Expected double-quoted property name in JSON at position 7 (line 1 column 8)"],
  [String.raw`{"a":"\udc00"}`, "lone leading surrogate in hex escape at line 1 column 12"],
  [String.raw`{"a":"\ud83d\u0041"}`, "lone leading surrogate in hex escape at line 1 column 18"],
  [String.raw`{"é":"\ud83dx"}`, "unexpected end of hex escape at line 1 column 14"],
  ['{"é":0,\n"\\ud83d\\n": nope}', "unexpected end of hex escape at line 2 column 9"],
  [String.raw`{"a":x, "q":"\ud800"}`, `Unexpected token 'x', "{"a":x, "q":"\\u"... is not valid JSON`],
  ['{"a":-1e999, x}', "number out of range at line 1 column 11"],
  [`{"a":${"[".repeat(127)}`, "recursion limit exceeded at line 1 column 132"],
])("arguments that are no JSON, in every Node's words: %j", (text, said) => {
  const { answer } = speak(copilot, EMPTY_LIST, { tool: "sql", input: { text } });
  expect(answer).toMatchObject({ isError: true, text: expect.stringMatching(/^The arguments for .* not valid JSON/) });
  expect(answer.text.endsWith(`JSON parse error: ${said}`)).toBe(true);
});

test.each([
  ["", '"description": Required'],
  ["null", "got null"],
  ['"[]"', "got array"],
  [JSON.stringify(JSON.stringify({ description: 5, query: String.raw`\ud800` })), "received number"],
  [`{"a":${"[".repeat(126)}${"]".repeat(126)}}`, '"description": Required'],
])("arguments that are JSON: %j", (text, said) => {
  expect(speak(copilot, EMPTY_LIST, { tool: "sql", input: { text } }).answer.text).toContain(said);
});

test("arguments of any length and depth are read", () => {
  const long = JSON.stringify({ description: 5, query: "\n".repeat(4_000_000) });
  const asked = (input: ToolInput) => speak(copilot, EMPTY_LIST, { tool: "sql", input }).answer.text;
  expect(asked({ text: long })).toContain("received number");
  expect(asked({ value: JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`) })).toContain("recursion limit");
});

test("arguments as a text in place of an object are read once more", () => {
  const value = JSON.stringify({ description: "d", query: add });
  const { list } = speak(copilot, EMPTY_LIST, { tool: "sql", input: { value }, openTables });
  expect(todosOf(list)).toHaveLength(2);
});

test("reading is no write; what ran before a mistake is one", () => {
  const { list } = sql(add);
  expect(sql("SELECT * FROM todos; WITH x AS (SELECT 1) SELECT * FROM x", list)).toMatchObject({ isWrite: false });
  expect(sql("DELETE FROM todos WHERE id = 'b'; nonsense", list)).toMatchObject({
    answer: { isError: true },
    isWrite: true,
    list: { phases: [{ todos: [{ key: "a" }] }] },
  });
});

const growing =
  "WITH a AS (SELECT * FROM todos), b AS (SELECT 1 FROM a, a), c AS (SELECT 1 FROM b, b) SELECT 1 FROM c, c, c";
const MANY = `INSERT INTO todos (id, title) VALUES ${Array.from({ length: 300 }, (_, at) => `('t${at}', 'T')`).join(",")}`;

describe("what reaches further than the two tables, or takes too long", () => {
  const { list } = sql(MANY);

  test.each([
    "ATTACH ':memory:' AS x",
    "PRAGMA writable_schema = 1",
    "PRAGMA temp_store_directory = '/tmp'",
    "PRAGMA foreign_keys = OFF",
    "PRAGMA query_only(1)",
    "pragma /* */ Database_list",
    "PRAGMA optimize",
    "CREATE TABLE other (a)",
    "CREATE TEMP TABLE todos (a)",
    "CREATE VIEW v AS SELECT 1",
    "CREATE TRIGGER tr AFTER INSERT ON todos BEGIN SELECT 1 END",
    "CREATE VIRTUAL TABLE ft USING fts5(a)",
    "ALTER TABLE todos ADD COLUMN x",
    "DROP TABLE todo_deps",
    "VACUUM",
    "REINDEX",
    "ANALYZE",
    "SELECT randomblob(10)",
    "SELECT printf('%.1000000c', 'x')",
    "SELECT zeroblob(1000000000)",
    "SELECT * FROM json_each('[1]')",
    "SELECT * FROM pragma_database_list",
    "SELECT * FROM temp.sqlite_master, dbstat",
    "UPDATE sqlite_master SET sql = ''",
    "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c",
    "SELECT 1 FROM todos, todos b, 'todos' c, [todos] d, \"todos\" e",
    "SELECT 1 FROM (VALUES (1), (2), (3), (4)) a, (VALUES (1), (2), (3), (4)), (VALUES (1), (2), (3), (4)), todos, todos",
    growing,
    `SELECT '${"x".repeat(250_000)}'`,
    `SELECT ${"1 + ".repeat(500)}1`,
    "SELECT replace(replace(replace('aaaaaaaaaaaa', 'a', title), 'T', title), 'x', 'y'), 1 FROM todos a, todos b",
  ])("%#: refused", (query) => {
    const { answer, isWrite } = sql(query, list);
    expect(answer).toMatchObject({ isError: true });
    expect(isWrite).toBe(false);
  });

  test.each([
    "PRAGMA table_info(todos)",
    "pragma foreign_key_list('todo_deps');",
    "PRAGMA foreign_keys",
    "PRAGMA foreign_keys = ON",
    "PRAGMA table_list",
  ])("looking at how the tables are made reaches nowhere: %s", (query) =>
    expect(sql(query).answer.text).toBe("Query executed successfully. Rows affected: 0."),
  );

  test("as many statements as there are", () => {
    expect(sql("SELECT 1;".repeat(201)).answer.isError).toBe(true);
    expect(sql("SELECT 1;".repeat(200)).answer.isError).toBe(false);
  });

  test("what is usual has room: 200 todos, and which of them are ready", () => {
    const ready = `SELECT t.id FROM todos t WHERE t.status = 'pending' AND NOT EXISTS (SELECT 1 FROM todo_deps d
      JOIN todos dep ON d.depends_on = dep.id WHERE d.todo_id = t.id AND dep.status != 'done')`;
    expect(workFor(ready)).toBeLessThan(1e7);
    expect(workFor("UPDATE todos SET description = 'todos and todos, todos' WHERE id = 'x'")).toBeLessThan(1e3);
  });

  const counts = ["pending", "in_progress", "done", "blocked"].map(
    (status) => `SELECT '${status}' AS status, count(*) AS n FROM todos WHERE status = '${status}'`,
  );
  test.each<[string, string]>([
    ["sums beside each other", `SELECT ${Array(6).fill("(SELECT count(*) FROM todos)").join(", ")}`],
    ["sums below each other", counts.join(" UNION ALL ")],
    ["a named query", "WITH n(id) AS (SELECT id FROM todos WHERE status = 'done') SELECT count(*) FROM n"],
    ["two of them", "WITH a AS (SELECT id FROM todos), b AS (SELECT todo_id FROM todo_deps) SELECT * FROM a, b"],
    [
      "named rows that are added",
      "WITH v(id, title) AS (VALUES ('x', 'X'), ('y', 'Y')) INSERT INTO todos (id, title) SELECT id, title FROM v",
    ],
    ["many rows that are added", `INSERT INTO todos (id, title) VALUES ${Array(150).fill("('x', 'X')").join(", ")}`],
    ["words looked for", "SELECT * FROM todos WHERE title LIKE '%a%' OR instr(lower(description), 'b') > 0"],
    ["words changed", "UPDATE todos SET title = trim(replace(title, 'foo', 'bar')) WHERE title LIKE '%foo%'"],
    ["rows that go away", "DELETE FROM todos WHERE status = 'done'"],
    ["one replaced row", "INSERT OR REPLACE INTO todos (id, title) VALUES ('a', 'A')"],
    ["all titles in a line", "SELECT group_concat(title, ', ') FROM todos"],
  ])("so have %s", (_name, statement) => {
    expect(workFor(statement)).toBeLessThan(1e7);
  });

  test.each<[string, string]>([
    ["four tables", "SELECT 1 FROM todos, todos b, todos c, todos d"],
    ["a table in each row of another", "SELECT (SELECT count(*) FROM todos, todos b, todos c) FROM todos"],
    ["a named query that is joined", "WITH n(i) AS (SELECT 1 FROM todos, todos b) SELECT 1 FROM n, n AS m"],
    ["queries among the tables", "SELECT 1 FROM (SELECT 1 FROM todos, todos b), (SELECT 1 FROM todos, todos b) c"],
    ["the same in quotes", 'WITH "n" AS (SELECT 1 FROM "todos", [todos] b) SELECT 1 FROM `n`, n AS m'],
    [
      "texts that grow and are searched",
      `SELECT sum(instr(replace('${"a".repeat(900)}', 'a', '${"a".repeat(1000)}'), a.id)) FROM todos a, todos b`,
    ],
    ["the same by other means", "SELECT sum(instr(group_concat(a.title), char(1) || b.title)) FROM todos a, todos b"],
    [
      "a long line that is searched",
      "SELECT 1 FROM todos a WHERE instr((SELECT group_concat(b.title) FROM todos b), title)",
    ],
    ["letters taken off", `SELECT trim(hex(title), '${"a".repeat(5000)}') FROM todos`],
  ])("%s have none", (_name, statement) => {
    expect(workFor(statement)).toBeGreaterThan(1e7);
  });

  test("nor have long lists, where each row is looked for in all others", () => {
    const counts = new Map([
      ["todos", 10_000],
      ["todo_deps", 10_000],
    ]);
    const most = (statement: string) => workOf(statement, { counts, longest: 200 }).most;
    expect(most("DELETE FROM todos")).toBeGreaterThan(1e7);
    expect(most("UPDATE todos SET id = id || 'x'")).toBeGreaterThan(1e7);
    expect(most("UPDATE todos SET status = 'done' WHERE id = 'x'")).toBeLessThan(1e5);
    expect(most("SELECT sum(1) OVER (ORDER BY id) FROM todos")).toBeLessThan(1e5);
    expect(most("SELECT sum(1) OVER (ROWS 9 PRECEDING EXCLUDE CURRENT ROW) FROM todos")).toBeGreaterThan(1e7);
  });

  test("what takes long is refused at once", () => {
    const query = `SELECT sum(instr(replace('${"a".repeat(900)}', 'a', '${"a".repeat(1000)}'), replace('${"a".repeat(
      400,
    )}', 'a', '${"a".repeat(1000)}') || b.id)) FROM todos a, todos b`;
    expect(sql(query, list).answer.text).toMatch(
      /^SQL Error: Error: (?:this could take too long|string or blob too big)/,
    );
  });
});

function workFor(statement: string): number {
  const counts = new Map([
    ["todos", 200],
    ["todo_deps", 100],
  ]);
  return workOf(statement, { counts, longest: 200 }).most;
}

test.each([
  ["", []],
  ["a;'b;'';c'; \"d;e\"", ["a", "'b;'';c'", '"d', 'e"']],
  ["-- x;\na; /* b; */ c", ["-- x;\na", "/* b; */ c"]],
  ["/* open; a", []],
])("statements of %j", (script, statements) => {
  expect(statementsOf(script)).toEqual(statements);
});
