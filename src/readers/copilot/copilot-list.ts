import type { ScratchTables } from "../../core/scratch-tables.js";
import { redact } from "../../core/secrets/redact.js";
import { isFinished } from "../../core/session/finished/finished-list.js";
import type { TodoList } from "../../core/todo/list.js";
import { copilot } from "../../dialects/copilot/copilot.js";
import { keywordOf, statementsOf } from "../../dialects/copilot/sql-script.js";
import { speak } from "../../dialects/speak.js";
import type { WrittenList } from "../whole-list.js";

/** The tool that keeps the list. */
export const LIST_TOOL = "sql";

/** Longer ones are not run by any of our tables either. */
const QUERY_MAX = 200_000;
const WRITES = /\b(?:insert|update|delete|replace)\b/i;
const TABLES = /\b(?:todos|todo_deps)\b/i;

/** The query of a call that may write the list; undefined for one that cannot, or is too long to be held. */
export function writingQuery(query: unknown): string | undefined {
  if (typeof query !== "string" || query.length > QUERY_MAX) return undefined;
  return WRITES.test(query) && TABLES.test(query) ? redact(query).toWellFormed() : undefined;
}

/** `before`, after a query that the agent itself has run. */
export function runQuery(before: TodoList, query: string, openTables: () => ScratchTables): WrittenList | undefined {
  let list = before;
  let isWritten = false;
  for (const part of partsOf(query)) {
    const spoken = speak(copilot, list, {
      tool: LIST_TOOL,
      input: { value: { description: "", query: part } },
      openTables,
    });
    list = spoken.list;
    isWritten ||= spoken.isWrite;
  }
  if (!isWritten) return undefined;
  return isFinished(list) && !isFinished(before) ? { list, finished: list } : { list };
}

const TRANSACTION = ["BEGIN", "COMMIT", "END", "ROLLBACK", "SAVEPOINT", "RELEASE"];

/** The agent may have tables of its own in the same script: ours hold the list alone, and would stop there. */
export function partsOf(query: string): readonly string[] {
  const isBoundary = (statement: string) => TRANSACTION.includes(keywordOf(statement));
  const ours = statementsOf(query).filter(
    (statement) => isBoundary(statement) || (WRITES.test(statement) && TABLES.test(statement)),
  );
  return ours.some(isBoundary) ? [ours.join(";\n")] : ours;
}

const REFUSED = /^SQL Error after statement (\d{1,6})\b/;

/** The statements that have run before the one that was refused: it stops there. */
export function ranBefore(query: string, problem: string): string {
  const [, refused = "1"] = REFUSED.exec(problem) ?? [];
  return statementsOf(query)
    .slice(0, Number(refused) - 1)
    .join(";\n");
}
