import { describe, expect, test } from "vitest";
import { EMPTY_LIST, type TodoList, todosOf } from "../../core/todo/list.js";
import { scratchTables } from "../../store/sqlite/memory-tables.js";
import type { SavedTables } from "./saved-tables.js";
import { replay } from "./sql-replay.js";

const openTables = await scratchTables();
const DAY = Date.UTC(2026, 10, 16);

/** One query a minute; what is kept goes through JSON between them. */
function replayed(...queries: readonly string[]) {
  let [list, saved]: [TodoList, SavedTables | undefined] = [EMPTY_LIST, undefined];
  for (const [minute, query] of queries.entries()) {
    const after = replay(list, { saved, query, at: DAY + minute * 60_000, openTables });
    saved = after.saved && JSON.parse(JSON.stringify(after.saved));
    list = after.written?.list ?? list;
  }
  return { list, saved };
}

const after = (...queries: readonly string[]) =>
  todosOf(replayed(...queries).list).map(({ text, status }) => `${text} ${status}`);

const ADD = "INSERT INTO todos (id, title) VALUES ('a', 'A'), ('b', 'B')";
const doneWhere = (where: string) => `UPDATE todos SET status = 'done' WHERE ${where}`;
const A_DONE = ["A completed", "B pending"];

// Each was tried with the real program, whose tables say the same then.
describe("a list of which other tables know", () => {
  test.each<[string, readonly string[], readonly string[]]>([
    [
      "a column of its own",
      [
        ADD,
        "ALTER TABLE todos ADD COLUMN rank INT DEFAULT 2",
        "UPDATE todos SET rank = 1 WHERE id = 'a'",
        doneWhere("rank = 1"),
      ],
      A_DONE,
    ],
    [
      "another table is asked",
      [ADD, "CREATE TABLE x (t); INSERT INTO x VALUES ('a')", doneWhere("id IN (SELECT t FROM x)")],
      A_DONE,
    ],
    [
      "todos out of another table",
      [
        "CREATE TABLE x (n INTEGER PRIMARY KEY, t)",
        "INSERT INTO x (t) VALUES ('A'), ('B')",
        "INSERT INTO todos (id, title) SELECT n, t FROM x",
        doneWhere("id = '1'"),
      ],
      A_DONE,
    ],
    [
      "another table in one transaction",
      ["CREATE TABLE x (t)", `BEGIN; ${ADD}; INSERT INTO x SELECT id FROM todos; ${doneWhere("id = 'a'")}; COMMIT`],
      A_DONE,
    ],
    [
      "rows out of JSON are todos",
      [`INSERT INTO todos (id, title) SELECT lower(value), value FROM json_each('["A","B"]')`, doneWhere("id = 'a'")],
      A_DONE,
    ],
    [
      "a view, a temporary table",
      [
        ADD,
        "CREATE VIEW v AS SELECT 'a' AS id",
        `CREATE TEMP TABLE t AS SELECT * FROM v; ${doneWhere("id IN (SELECT id FROM t)")}`,
      ],
      A_DONE,
    ],
    [
      "its own index decides what is new",
      [
        ADD,
        "CREATE UNIQUE INDEX u ON todos (title)",
        "INSERT OR IGNORE INTO todos (id, title) VALUES ('c', 'A')",
        doneWhere("id = 'a'"),
      ],
      A_DONE,
    ],
    [
      "what refers to nothing",
      [ADD, "INSERT INTO todo_deps VALUES ('b', 'a')", "PRAGMA foreign_keys = OFF; DELETE FROM todos WHERE id = 'a'"],
      ["B pending"],
    ],
    [
      "made anew with words of its own",
      [
        ADD,
        "DROP TABLE todos; CREATE TABLE todos (id INTEGER PRIMARY KEY, title, status)",
        "INSERT INTO todos (title, status) VALUES ('A', 'completed'), ('B', 'later')",
      ],
      A_DONE,
    ],
    [
      "dropped, it is there again after the next call",
      [ADD, "DROP TABLE todos", "SELECT * FROM todos", `${ADD}; ${doneWhere("id = 'a'")}`],
      A_DONE,
    ],
    [
      "when it was written",
      [
        ADD,
        "UPDATE todos SET updated_at = datetime('now') WHERE id = 'b'",
        doneWhere("updated_at < datetime('now', '-90 seconds')"),
      ],
      A_DONE,
    ],
    [
      "bytes, and no id",
      [
        "INSERT INTO todos (id, title) VALUES (NULL, X'41'), ('b', 'B')",
        doneWhere("rowid = 1"),
        "UPDATE todos SET description = 'x'",
      ],
      A_DONE,
    ],
  ])("%s", (_name, queries, todos) => {
    expect(after(...queries)).toEqual(todos);
  });

  test("a todo without an id is the same one in the next call", () => {
    const { list } = replayed(
      "INSERT INTO todos (title) VALUES ('A'), ('A')",
      "UPDATE todos SET status = 'done' WHERE rowid = 2",
    );
    expect(todosOf(list).map(({ number, status }) => [number, status])).toEqual([
      [1, "pending"],
      [2, "completed"],
    ]);
  });
});

describe("what is kept has an end", () => {
  const rows = (table: string, count: number, text: string) =>
    `INSERT INTO ${table} VALUES ${Array(count).fill(`('${text}')`).join(", ")}`;

  test("another table that has no room is left out, and the list goes on", () => {
    const { saved, list } = replayed(
      ADD,
      "CREATE TABLE x (t); CREATE INDEX i ON x (t)",
      rows("x", 180, "x".repeat(1000)),
      rows("x", 180, "x".repeat(1000)),
      doneWhere("id = 'a'"),
    );
    expect(saved?.map(({ name }) => name)).toEqual(["todos", "todo_deps"]);
    expect(todosOf(list)).toHaveLength(2);
  });

  test("a list that has none is kept as a list alone", () => {
    const { saved, list } = replayed(
      ADD,
      ...Array(3).fill(`UPDATE todos SET description = coalesce(description, '') || '${"x".repeat(100_000)}'`),
      doneWhere("id = 'a'"),
    );
    expect(saved).toBeUndefined();
    expect(todosOf(list)[0]?.status).toBe("completed");
  });
});

describe("what reaches outside, or takes too long, is passed over", () => {
  const LOAD = `INSERT INTO x VALUES ${Array(1000).fill("('t')").join(", ")}`;

  test.each<[string, string]>([
    ["another file", "ATTACH '/tmp/x' AS x"],
    ["a file to write", "VACUUM INTO '/tmp/x'"],
    ["a setting", "PRAGMA temp_store_directory = '/tmp'"],
    ["the schema itself", "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = ''"],
    ["a table of another kind", "CREATE VIRTUAL TABLE f USING fts5(a)"],
    [
      "without an end",
      "CREATE TABLE y AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c",
    ],
    ["tables that are joined", `CREATE TABLE x (t); ${LOAD}; CREATE TABLE y AS SELECT 1 FROM x a, x b, x c`],
    ["temporary ones", `CREATE TEMP TABLE x (t); ${LOAD}; CREATE TABLE y AS SELECT 1 FROM x a, x b, x c`],
    [
      "views of them",
      `CREATE TABLE x (t); ${LOAD}; CREATE VIEW v AS SELECT 1 FROM x a, x b; CREATE TABLE y AS SELECT 1 FROM v, x`,
    ],
    [
      "rows out of JSON",
      `CREATE TABLE y AS SELECT 1 FROM json_each('[${"1,".repeat(5000)}1]') a, json_each(a.json) b, json_each(b.json)`,
    ],
    [
      "rows out of nothing",
      "CREATE TABLE y AS SELECT 1 FROM pragma_function_list a, pragma_function_list b, dbstat, dbstat c",
    ],
    [
      "the schema, with itself",
      `CREATE TABLE y AS SELECT 1 FROM ${Array.from({ length: 14 }, (_, at) => `sqlite_master m${at}`).join(", ")}`,
    ],
    [
      "a check that is made for each row",
      `CREATE TABLE x (t CHECK (instr(replace('${"a".repeat(900)}', 'a', '${"a".repeat(1000)}'), t || 'b') = 0)); ${LOAD}`,
    ],
    ["tables without number", Array.from({ length: 5000 }, (_, at) => `CREATE TABLE x${at} (a)`).join(";")],
  ])("%s", (_name, query) => {
    const began = Date.now();
    expect(after(ADD, `${query}; ${doneWhere("id = 'a'")}`, doneWhere("id = 'a'"))).toEqual(A_DONE);
    expect(Date.now() - began).toBeLessThan(5000);
  });
});
