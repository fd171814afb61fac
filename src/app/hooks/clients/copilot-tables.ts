import { statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { redact } from "../../../core/secrets/redact.js";
import type { TodoList } from "../../../core/todo/list.js";
import { copilot } from "../../../dialects/copilot/copilot.js";
import { rowsOf } from "../../../dialects/copilot/sql-rows.js";
import { speak } from "../../../dialects/speak.js";
import { type ForeignTables, readForeignTables } from "../../../store/foreign-tables.js";
import { scratchTables } from "../../../store/sqlite/memory-tables.js";
import { sessionStream } from "../../../store/stream.js";
import type { CallRequest } from "../../calls/call-request.js";
import type { HookStore } from "../../session/hook-store.js";
import { AGENT_FOLDERS } from "../../setup/agents/agent-folders.js";
import { LISTS } from "../../views.js";
import type { HookInput } from "../hook-input.js";

// Its SQL is mirrored as it is: what a person has changed in the list meanwhile stays. What asks columns or tables of
// the model's own our two tables refuse. Then its own file says what is there now.

type Text = string | null;

interface KeptTables {
  readonly todos: readonly Texts<(typeof TODO)[number]>[];
  readonly deps: readonly Texts<(typeof DEP)[number]>[];
}

const TODO = ["id", "title", "description", "status"] as const;
const DEP = ["todo_id", "depends_on"] as const;

/** The call, or one that makes the list as the program's own tables are. */
export async function listAsKept(
  call: CallRequest,
  store: HookStore,
  { session, environment }: HookInput,
): Promise<CallRequest> {
  const list = await store.view(LISTS, sessionStream(session));
  const input = { value: call.input };
  const tried = speak(copilot, list, { tool: call.tool, input, openTables: await scratchTables() });
  if (!tried.answer.isError) return call;
  const home = AGENT_FOLDERS.copilot(environment, environment.HOME || homedir());
  const kept = await keptTables(join(home, "session-state", session, "session.db"));
  const query = kept && scriptFor(list, kept);
  return query === undefined ? call : { ...call, input: { description: "", query } };
}

/** A hook has little time. */
const LARGEST_FILE = 16 * 1024 * 1024;

async function keptTables(file: string): Promise<KeptTables | undefined> {
  try {
    if (statSync(file).size > LARGEST_FILE) return undefined;
    // The program does not wait for a lock.
    return await readForeignTables(file, readKept, { locks: "none" });
  } catch {
    return undefined;
  }
}

function readKept(tables: ForeignTables): KeptTables {
  return { todos: textsIn(tables, "todos", TODO), deps: textsIn(tables, "todo_deps", DEP) };
}

type Texts<Column extends string> = Readonly<Record<Column, Text>>;

function textsIn<Column extends string>(tables: ForeignTables, table: string, wanted: readonly Column[]) {
  const there = tables.columns(table);
  const columns = wanted.filter((column) => there.includes(column));
  const rows = columns.length === 0 ? [] : tables.rows({ table, columns: ["rowid", ...columns], order: "rowid" });
  return rows.map((row) => Object.fromEntries(wanted.map((name) => [name, textOf(row[name])])) as Texts<Column>);
}

function textOf(value: unknown): Text {
  return value === null || value === undefined ? null : redact(String(value)).toWellFormed();
}

/** Characters of a description, from all down to its beginning; and of the script. */
const CUTS = [Number.POSITIVE_INFINITY, 200, 0];
const LONGEST_SCRIPT = 150_000;

/** Todos that others have made have no id of a writer, and stay. */
function scriptFor(list: TodoList, { todos, deps }: KeptTables): string | undefined {
  const rows = rowsOf(list);
  const ids = new Set(todos.map(({ id }) => id));
  const gone = rows.filter(({ id, from }) => from.key !== undefined && !ids.has(id)).map(({ id }) => id);
  const unnamed = rows.filter(({ id, from }) => from.key === undefined && !ids.has(id));
  const known = todos.map((row) => {
    const at = row.id === null ? unnamed.findIndex(({ title }) => title === row.title) : -1;
    const [same] = at < 0 ? [] : unnamed.splice(at, 1);
    return { ...row, id: row.id ?? same?.id ?? null };
  });
  for (const length of CUTS) {
    const short = known.map((row) => ({ ...row, description: row.description?.slice(0, length) || null }));
    const script = [
      "DELETE FROM todo_deps",
      ...(gone.length > 0 ? [`DELETE FROM todos WHERE id IN (${gone.map(quoted).join(", ")})`] : []),
      ...rowsInto("todos", TODO, short.map(withWords)).map((insert) => insert + UPSERT),
      ...rowsInto("todo_deps", DEP, deps.filter(isWhole(ids))),
    ].join(";\n");
    if (script.length <= LONGEST_SCRIPT) return script;
  }
  return undefined;
}

const UPSERT = ` ON CONFLICT (id) DO UPDATE SET ${TODO.slice(1)
  .map((column) => `${column} = excluded.${column}`)
  .join(", ")}`;

const isWhole = (ids: ReadonlySet<Text>) => (dep: KeptTables["deps"][number]) =>
  ids.has(dep.todo_id) && ids.has(dep.depends_on);

const STATUSES = ["pending", "in_progress", "done", "blocked"];

/** A table that was made anew may have other words. */
function withWords(row: KeptTables["todos"][number]) {
  const status = row.status === "completed" ? "done" : row.status;
  return { ...row, title: row.title ?? row.id ?? "", status: STATUSES.includes(status ?? "") ? status : "pending" };
}

function rowsInto<Row extends object>(table: string, columns: readonly (keyof Row & string)[], rows: readonly Row[]) {
  const values = rows.map((row) => `(${columns.map((column) => quoted(row[column])).join(", ")})`);
  return values.length === 0 ? [] : [`INSERT INTO ${table} (${columns.join(", ")}) VALUES ${values.join(",\n")}`];
}

/** SQL ends at a NUL. */
function quoted(value: unknown): string {
  return value === null ? "NULL" : `'${String(value).replaceAll("\0", "").replaceAll("'", "''")}'`;
}
