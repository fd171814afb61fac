import { describe, expect, test } from "vitest";
import { EMPTY_LIST, type TodoList, todosOf } from "../../core/todo/list.js";
import { scratchTables } from "../../store/sqlite/memory-tables.js";
import { milepost } from "../milepost/todo-tool.js";
import { speak } from "../speak.js";
import { copilot } from "./copilot.js";
import { mostWork, statementsOf } from "./sql-script.js";

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

  test("as many statements as there are", () => {
    expect(sql("SELECT 1;".repeat(201)).answer.isError).toBe(true);
    expect(sql("SELECT 1;".repeat(200)).answer.isError).toBe(false);
  });

  test("what is usual has room: 200 todos, and which of them are ready", () => {
    const ready = `SELECT t.id FROM todos t WHERE t.status = 'pending' AND NOT EXISTS (SELECT 1 FROM todo_deps d
      JOIN todos dep ON d.depends_on = dep.id WHERE d.todo_id = t.id AND dep.status != 'done')`;
    const counts = new Map([
      ["todos", 200],
      ["todo_deps", 100],
    ]);
    expect(mostWork(ready, counts)).toBeLessThan(1e7);
    expect(mostWork("UPDATE todos SET description = 'todos and todos, todos' WHERE id = 'x'", counts)).toBeLessThan(
      1e3,
    );
  });
});

test.each([
  ["", []],
  ["a;'b;'';c'; \"d;e\"", ["a", "'b;'';c'", '"d', 'e"']],
  ["-- x;\na; /* b; */ c", ["-- x;\na", "/* b; */ c"]],
  ["/* open; a", []],
])("statements of %j", (script, statements) => {
  expect(statementsOf(script)).toEqual(statements);
});
