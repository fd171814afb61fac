import { redact } from "../../core/secrets/redact.js";
import { keywordOf, statementsOf } from "../../dialects/copilot/sql-script.js";

/** The tool that keeps the list. */
export const LIST_TOOL = "sql";

/** Longer ones are not run by any of our tables either. */
const QUERY_MAX = 200_000;
const WRITES = /\b(?:insert|update|delete|replace|drop)\b/i;
const CHANGES = /\b(?:insert|update|delete|replace|create|alter|drop)\b/i;
const TABLES = /\b(?:todos|todo_deps)\b/i;

/** The query of a call that may write the list; undefined for one that cannot, or is too long to be held. */
export function writingQuery(query: unknown): string | undefined {
  return typeof query === "string" && WRITES.test(query) && TABLES.test(query) ? changingQuery(query) : undefined;
}

/** The query of a call that may write any table: what it writes may be asked when the list is written. */
export function changingQuery(query: unknown): string | undefined {
  if (typeof query !== "string" || query.length > QUERY_MAX || !CHANGES.test(query)) return undefined;
  return redact(query).toWellFormed();
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
