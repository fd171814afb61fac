import type { ScratchTables } from "../../core/scratch-tables.js";
import type { NewPhase, NewTodo, TodoCommand } from "../../core/todo/command.js";
import type { Todo, TodoList, TodoStatus } from "../../core/todo/list.js";
import { BLOCKED, isBlockNote } from "../block-note.js";

/** A row of the table `todos`; its times are not kept. */
interface TodoRow {
  readonly id: string;
  readonly title: string;
  readonly description: string | null;
  readonly status: RowStatus;
}

type RowStatus = "pending" | "in_progress" | "done" | "blocked";

export interface TodoDep {
  readonly todo_id: string;
  readonly depends_on: string;
}

interface ListedRow extends TodoRow {
  readonly from: Todo;
  readonly dependsOn: readonly string[];
}

/** As the program itself makes them: its answers show these words. */
const SCHEMA = {
  todos: `CREATE TABLE todos (
        id TEXT PRIMARY KEY,
        title TEXT NOT NULL,
        description TEXT,
        status TEXT DEFAULT 'pending' CHECK(status IN ('pending', 'in_progress', 'done', 'blocked')),
        created_at TEXT DEFAULT (datetime('now')),
        updated_at TEXT DEFAULT (datetime('now'))
    )`,
  todo_deps: `CREATE TABLE todo_deps (
        todo_id TEXT NOT NULL,
        depends_on TEXT NOT NULL,
        PRIMARY KEY (todo_id, depends_on),
        FOREIGN KEY (todo_id) REFERENCES todos(id),
        FOREIGN KEY (depends_on) REFERENCES todos(id)
    )`,
} as const;

// What core has no field for is a note, so that other dialects and views show it: "blocked" and
// "depends on: ID". The other notes are the description, a paragraph each; one that looks like such a word has
// "description: " before it.
const DEPENDS_ON = "depends on: ";
const DESCRIPTION = "description: ";
const PARAGRAPH = "\n\n";

const isPlain = (note: string) => !isBlockNote(note) && !note.startsWith(DEPENDS_ON);

/** The todos that it has a word for, each with an id: that of its last writer, or its number. */
export function rowsOf(list: TodoList): readonly ListedRow[] {
  const byId = new Map<string, Todo>();
  for (const todo of list.phases.flatMap(({ todos }) => todos))
    if (todo.status !== "cancelled") byId.set(freeId(todo, byId), todo);
  return [...byId].map(([id, todo]) => rowOf(todo, id, byId));
}

/** Two todos of another dialect may have one id. */
function freeId({ key, number }: Todo, taken: ReadonlyMap<string, Todo>): string {
  let id = key ?? String(number);
  for (let more = number; taken.has(id); more += 1) id = `todo-${more}`;
  return id;
}

function rowOf(from: Todo, id: string, byId: ReadonlyMap<string, Todo>): ListedRow {
  const { text: title, notes } = from;
  const plain = notes.filter(isPlain).map(withoutMark);
  const description = plain.length === 0 ? null : plain.join(PARAGRAPH);
  const waits = notes.filter((note) => note.startsWith(DEPENDS_ON)).map((note) => note.slice(DEPENDS_ON.length));
  const dependsOn = [...new Set(waits)].filter((other) => byId.has(other));
  return { id, title, description, status: statusOf(from), from, dependsOn };
}

function withoutMark(note: string): string {
  return note.startsWith(DESCRIPTION) ? note.slice(DESCRIPTION.length) : note;
}

function statusOf({ status, notes }: Todo): RowStatus {
  if (status === "in_progress") return status;
  if (status === "completed") return "done";
  return notes.some(isBlockNote) ? BLOCKED : "pending";
}

export function depsOf(rows: readonly ListedRow[]): readonly TodoDep[] {
  return rows.flatMap(({ id, dependsOn }) => dependsOn.map((other) => ({ todo_id: id, depends_on: other })));
}

/** The connection of the program is new with each call: `changes()` and `last_insert_rowid()` begin at 0. */
const BEGIN_AGAIN = [
  "INSERT INTO todos (rowid, id, title) VALUES (0, NULL, '')",
  "DELETE FROM todos WHERE rowid = 0",
  "DELETE FROM todos WHERE 0",
];

/** The tables that are not there. */
export function missingTables(tables: ScratchTables): readonly (keyof typeof SCHEMA)[] {
  const names = tables.ask("SELECT lower(name) AS name FROM sqlite_master").map(({ name }) => name);
  return (["todos", "todo_deps"] as const).filter((table) => !names.includes(table));
}

/** Where another one has come by that name meanwhile, it stays. */
export function makeTables(tables: ScratchTables, names: readonly (keyof typeof SCHEMA)[], made: Made): void {
  const missing = missingTables(tables);
  for (const name of names) if (missing.includes(name)) tables.ask(made(SCHEMA[name]));
}

/** How a table is made, as it is to be made. */
type Made = (sql: string) => string;

const ADD_TODO = `INSERT INTO todos (rowid, id, title, description, status, created_at, updated_at)
  VALUES (?, ?, ?, ?, ?, NULL, NULL)`;

export function fillTables(tables: ScratchTables, rows: readonly ListedRow[], made: Made = (sql) => sql): void {
  makeTables(tables, ["todos", "todo_deps"], made);
  for (const { from, id, title, description, status } of rows)
    tables.ask(ADD_TODO, from.number, id, title, description, status);
  for (const { todo_id, depends_on } of depsOf(rows))
    tables.ask("INSERT INTO todo_deps VALUES (?, ?)", todo_id, depends_on);
  for (const statement of BEGIN_AGAIN) tables.ask(statement);
}

/** What the tables hold now, as a write of the list that they were filled from. */
export function listCommand(tables: ScratchTables, list: TodoList, before: readonly ListedRow[]): TodoCommand {
  const known = new Map(before.map((row) => [row.id, row]));
  const waits = new Map<string, string[]>();
  for (const { todo_id: id, depends_on: other } of readDeps(tables)) waits.set(id, [...(waits.get(id) ?? []), other]);
  const kept = new Map<number, NewTodo>();
  const added: NewTodo[] = [];
  const rows = readTodos(tables);
  const unnamed = before.filter(({ id, from }) => from.key === undefined && !rows.some((row) => row.id === id));
  for (const row of rows) {
    const { id } = row;
    const dependsOn = waits.get(id ?? "") ?? [];
    const old = id === null ? takeTitled(unnamed, row.title) : known.get(id);
    if (old) kept.set(old.from.number, changedTodo({ ...row, dependsOn }, old, known));
    else added.push({ ...newTodo({ ...row, dependsOn }), ...(id !== null && { key: id }) });
  }
  const { explanation } = list;
  const phases = phasesWith(list, kept, added);
  return { type: "replace", phases, ...(explanation !== undefined && { explanation }) };
}

/** A row without an id is known by its title alone. */
function takeTitled(rows: ListedRow[], title: string): ListedRow | undefined {
  const at = rows.findIndex((row) => row.title === title);
  return at < 0 ? undefined : rows.splice(at, 1)[0];
}

interface ReadRow {
  readonly id: string | null;
  readonly title: string;
  readonly description: string | null;
  readonly status: RowStatus | null;
}

type TextRow = Readonly<Record<"id" | "title" | "description" | "status", string | null>>;

function readTodos(tables: ScratchTables): readonly ReadRow[] {
  const rows = readTexts<TextRow>(tables, "todos", ["id", "title", "description", "status"]);
  return rows.map((row) => ({ ...row, title: row.title ?? row.id ?? "", status: statusWord(row.status) }));
}

/** Another table of that name may have words of its own. */
function statusWord(status: string | null): RowStatus | null {
  const word = status?.toLowerCase() ?? "";
  if (word === "completed") return "done";
  return Object.hasOwn(STATUSES, word) ? (word as RowStatus) : null;
}

function readDeps(tables: ScratchTables): readonly TodoDep[] {
  const rows = readTexts<TodoDep>(tables, "todo_deps", ["todo_id", "depends_on"]);
  return rows.filter((row) => row.todo_id !== null && row.depends_on !== null);
}

/** In the order in which they were written. A table that was made anew may lack columns, or not be there. */
function readTexts<Row>(tables: ScratchTables, table: string, wanted: readonly string[]): readonly Row[] {
  const there = tables
    .ask("SELECT lower(name) AS name FROM pragma_table_info(?, 'main')", table)
    .map(({ name }) => name);
  if (there.length === 0) return [];
  const texts = wanted.map((name) => `${there.includes(name) ? `CAST(${name} AS TEXT)` : "NULL"} AS ${name}`);
  const rows = `SELECT ${texts.join(", ")} FROM main.${table}`;
  try {
    return tables.ask(`${rows} ORDER BY rowid`) as readonly object[] as readonly Row[];
  } catch {
    return tables.ask(rows) as readonly object[] as readonly Row[];
  }
}

type WaitingRow = ReadRow & { readonly dependsOn: readonly string[] };

function newTodo({ title: text, description, status, dependsOn }: WaitingRow): NewTodo {
  const word = status ?? "pending";
  const notes = [...paragraphs(description), ...(word === BLOCKED ? [BLOCKED] : []), ...dependsOn.map(dependencyNote)];
  return { text, status: STATUSES[word], notes };
}

/** Notes are written only where what they say has changed: others may have them in another order. */
function changedTodo(row: WaitingRow, old: ListedRow, known: ReadonlyMap<string, ListedRow>): NewTodo {
  const { number, notes } = old.from;
  const isSame = row.description === old.description && row.status === old.status && isAlike(row, old);
  if (isSame) return { text: row.title, number };
  const plain = row.description === old.description ? notes.filter(isPlain) : paragraphs(row.description);
  // What a todo waits for that has no row is not for these tables to say.
  const unseen = notes.filter((note) => note.startsWith(DEPENDS_ON) && !known.has(note.slice(DEPENDS_ON.length)));
  const block = row.status === BLOCKED ? [notes.find(isBlockNote) ?? BLOCKED] : [];
  return {
    text: row.title,
    status: STATUSES[row.status ?? "pending"],
    number,
    notes: [...plain, ...block, ...unseen, ...row.dependsOn.map(dependencyNote)],
  };
}

function isAlike({ dependsOn }: WaitingRow, old: ListedRow): boolean {
  return dependsOn.length === old.dependsOn.length && dependsOn.every((other) => old.dependsOn.includes(other));
}

const dependencyNote = (other: string) => DEPENDS_ON + other;

const STATUSES: Readonly<Record<RowStatus, TodoStatus>> = {
  pending: "pending",
  in_progress: "in_progress",
  done: "completed",
  blocked: "pending",
};

function paragraphs(description: string | null): readonly string[] {
  const parts = description === null ? [] : description.split(PARAGRAPH);
  return parts.map((part) => (isPlain(part) && !part.startsWith(DESCRIPTION) ? part : DESCRIPTION + part));
}

/** New todos come last; cancelled ones, which have no row, stay where they are. */
function phasesWith(
  list: TodoList,
  kept: ReadonlyMap<number, NewTodo>,
  added: readonly NewTodo[],
): readonly NewPhase[] {
  const phases = list.phases.map(
    ({ name, todos }): NewPhase => ({
      name,
      todos: todos.flatMap(({ number, text, status }) => {
        const todo = status === "cancelled" ? { text, number } : kept.get(number);
        return todo ?? [];
      }),
    }),
  );
  const last = phases.at(-1) ?? { name: "", todos: [] };
  const all = [...phases.slice(0, -1), { ...last, todos: [...last.todos, ...added] }];
  return all.some(({ todos }) => todos.length > 0) ? all : [];
}
