import type { ScratchRun, ScratchTables } from "../../core/scratch-tables.js";
import { type Answer, type Parsed, refuse } from "../dialect.js";
import { blockedWords, keywordOf, statementsOf } from "./sql-script.js";
import { type Work, workOf } from "./sql-work.js";

/** Rows that one call may come by: some seconds at the worst. */
const MOST_WORK = 1e7;
const MOST_STATEMENTS = 200;

/** Undefined: the statements may run. */
export function refusedScript(query: string): Parsed | undefined {
  if (query.trim() === "") return refuse("Error: Empty query provided.");
  const blocked = blockedWords(query);
  if (blocked !== undefined)
    return refuse(`Error: Blocked SQL statement: "${blocked}" is not allowed for security reasons.`);
  const { length } = statementsOf(query);
  if (length === 0) return refuse("SQL Error: Error: statement has been finalized");
  if (length > MOST_STATEMENTS) return refuse(`Error: At most ${MOST_STATEMENTS} statements are run here in one call.`);
  return undefined;
}

export function runScript(query: string, tables: ScratchTables): Answer {
  const statements = statementsOf(query);
  const done: { readonly keyword: string; readonly text: string }[] = [];
  let room = MOST_WORK;
  for (const statement of statements) {
    const keyword = keywordOf(statement);
    const { most, length } = workAhead(statement, tables);
    room -= most;
    const wants = READERS.includes(keyword) ? "rows" : "changes";
    const ran: ScratchRun = room >= 0 ? tables.run(statement, { wants, length }) : TOO_MUCH;
    if (ran.type === "error") {
      const where = statements.length === 1 ? "" : ` after statement ${done.length + 1} (${keyword})`;
      const before =
        done.length === 0 ? "" : `\n\nCompleted ${done.length} statement(s) before failure:${numbered(done)}`;
      return { text: `SQL Error${where}: ${errorText(ran.error)}${before}`, isError: true };
    }
    done.push({ keyword, text: ran.type === "rows" ? rowsText(ran.rows) : changesText(keyword, ran) });
  }
  const [only] = done;
  const text = done.length === 1 && only ? only.text : `Executed ${done.length} statement(s):${numbered(done)}`;
  return { text, isError: false };
}

const READERS = ["SELECT", "WITH", "EXPLAIN"];

const TOO_MUCH: ScratchRun = {
  type: "error",
  error: "this could take too long here: name fewer tables, or fewer functions of texts, in one statement",
};

const SIZES = `SELECT (SELECT count(*) FROM todos) AS todos, (SELECT count(*) FROM todo_deps) AS todo_deps,
  (SELECT max(max(octet_length(title), octet_length(coalesce(description, '')))) FROM todos) AS longest`;

function workAhead(statement: string, tables: ScratchTables): Work {
  const [{ todos, todo_deps, longest } = {}] = tables.ask(SIZES);
  const counts = new Map(Object.entries({ todos, todo_deps }).map(([table, count]) => [table, Number(count)]));
  return workOf(statement, { counts, longest: Number(longest ?? 0) });
}

const ONLY_HERE = "only SELECT, INSERT, UPDATE and DELETE on todos and todo_deps are run here";

/** As a JavaScript error of the program prints itself. */
function errorText(message: string): string {
  const kind = message.startsWith("Value is too large to be represented") ? "RangeError" : "Error";
  const isOurs =
    /^(?:(?:not authorized|authorization denied)$|access to .* is prohibited$|not authorized to use )/.test(message);
  return `${kind}: ${message}${isOurs ? `: ${ONLY_HERE}` : ""}`;
}

function numbered(done: readonly { readonly keyword: string; readonly text: string }[]): string {
  return done.map(({ keyword, text }, at) => `\n\n${at + 1}. ${keyword}\n${text.replace(/^/gm, "   ")}`).join("");
}

type Ran<Type extends ScratchRun["type"]> = Extract<ScratchRun, { readonly type: Type }>;

function rowsText(rows: Ran<"rows">["rows"]): string {
  const [first] = rows;
  if (!first) return "Query returned 0 rows.";
  const columns = Object.keys(first);
  const lines = [
    columns,
    columns.map(() => "---"),
    ...rows.map((row) => columns.map((column) => cellText(row[column]))),
  ];
  return `${rows.length} row(s) returned:\n\n${lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}`;
}

function cellText(value: unknown): string {
  if (value === null) return "NULL";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function changesText(keyword: string, { changes, lastId }: Ran<"changes">): string {
  switch (keyword) {
    case "INSERT":
      return `${changes} row(s) inserted. Last inserted row ID: ${lastId}.`;
    case "UPDATE":
      return `${changes} row(s) updated.`;
    case "DELETE":
      return `${changes} row(s) deleted.`;
    case "CREATE":
    case "ALTER":
    case "DROP":
      return "Schema operation completed successfully.";
    default:
      return `Query executed successfully. Rows affected: ${changes}.`;
  }
}
