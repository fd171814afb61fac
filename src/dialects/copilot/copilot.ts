import { isObject, type JsonObject } from "../../core/json.js";
import type { ScratchTables } from "../../core/scratch-tables.js";
import type { TodoList } from "../../core/todo/list.js";
import { WHOLE_LIST } from "../../core/todo/policy.js";
import { type Dialect, LIST_TOOL, type Parsed, refuse, type ToolCall } from "../dialect.js";
import { refusedScript, runScript } from "./sql-answer.js";
import { readArguments } from "./sql-arguments.js";
import { depsOf, fillTables, listCommand, rowsOf } from "./sql-rows.js";

const TOOL = "sql";

const GUIDANCE = `Todos are rows of \`todos\` (id, title, description, status); \`todo_deps\` (todo_id, depends_on) says \
what waits for what. Both tables are there: write to them, do not create them.
- An id is a few words that say what it is, in kebab-case; a title says what is being done ("Fixing the login"); a \
description stands by itself.
- pending is not begun; in_progress is being worked on, and set before you begin; done is all of it done; blocked \
cannot go on: its description says why.
- What a todo really needs first is a row in todo_deps, written after both todos; the order of the list says nothing. \
A todo that needs nothing has no row there.
- Ready is what is pending and waits for no todo that is not done: ask for these, and keep states as you work.`;

/** GitHub Copilot CLI: the list is two SQL tables, and the model writes SQL. */
export const copilot: Dialect = {
  name: "copilot",
  summary: "GitHub Copilot CLI sql: the tables todos and todo_deps, read and written in SQL",
  tools: [
    {
      name: TOOL,
      title: "Todo tables",
      description: `Run SQL (SQLite) on the session's tables \`todos\` and \`todo_deps\`.\n${GUIDANCE}`,
      inputSchema: {
        type: "object",
        properties: {
          description: { type: "string", description: "What the query does, in 2 to 5 words" },
          query: { type: "string", description: "SELECT, INSERT, UPDATE or DELETE; several with `;` between them" },
        },
        required: ["description", "query"],
      },
      annotations: LIST_TOOL,
    },
  ],
  // What ran before a statement that fails stays.
  policy: { ...WHOLE_LIST, batch: "partial", scope: "session" },
  vocabulary: {
    editions: "GitHub Copilot CLI 1.0.102",
    writes: "changes",
    statuses: { pending: "pending", in_progress: "in_progress", completed: "done" },
    carries: ["id", "notes"],
    limits:
      "a blocked todo is pending with a note; times of rows are not kept (NULL in later calls), nor an id of NULL, blobs " +
      "or other tables; SQL that needs other tables, recursion, unusual functions or some seconds of work is refused",
  },
  needsTables: true,
  parse,
  show(list) {
    const rows = rowsOf(list);
    const todos = rows.map(({ id, title, description, status }) => ({ id, title, description, status }));
    return { todos, todo_deps: depsOf(rows) };
  },
  guidance: { text: GUIDANCE, place: "description" },
};

function parse({ tool, input, openTables }: ToolCall, list: TodoList): Parsed {
  if (tool !== TOOL) return refuse(`Tool '${tool}' does not exist.`);
  const read = readArguments(input);
  if ("problem" in read) return refuse(read.problem);
  const { value } = read;
  const problem = inputProblem(value);
  if (problem !== undefined) return refuse(`Invalid input: ${problem}`);
  const { query } = value as { readonly query: string };
  const refused = refusedScript(query);
  if (refused) return refused;
  if (!openTables) return refuse("SQL is not to be had here: whoever makes this call has to hand in tables.");
  const tables = openTables();
  try {
    return parseQuery(query, list, tables);
  } finally {
    tables.close();
  }
}

function parseQuery(query: string, list: TodoList, tables: ScratchTables): Parsed {
  const before = rowsOf(list);
  fillTables(tables, before);
  const changes = changedRows(tables);
  const answer = runScript(query, tables);
  tables.settle();
  const isRead = changedRows(tables) === changes;
  const command = isRead ? ({ type: "read" } as const) : listCommand(tables, list, before);
  return {
    type: "command",
    command,
    render: (outcome) => (outcome.ok ? answer : { text: `SQL Error: Error: ${outcome.error.message}`, isError: true }),
  };
}

function changedRows(tables: ScratchTables): unknown {
  return tables.ask("SELECT total_changes() AS changes")[0]?.changes;
}

const FIELDS = ["description", "query"];

function inputProblem(value: unknown): string | undefined {
  if (!isObject(value)) return `Expected JSON object but got ${kindOf(value)}`;
  const problems = FIELDS.flatMap((field) => fieldProblem(field, value) ?? []);
  return problems.length < 2 ? problems[0] : `Multiple validation errors:\n- ${problems.join("\n- ")}`;
}

function fieldProblem(field: string, value: JsonObject): string | undefined {
  const given = Object.hasOwn(value, field) ? value[field] : undefined;
  if (typeof given === "string") return undefined;
  return `"${field}": ${given === undefined ? "Required" : `Expected string, received ${kindOf(given)}`}`;
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
