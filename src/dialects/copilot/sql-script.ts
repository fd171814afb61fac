/** Comments and texts in single quotes, whole or left open. The program's own splitting knows no other quotes. */
const HIDDEN = /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:[^']|'')*(?:'|$)/g;

const isComment = (part: string) => !part.startsWith("'");
const blank = (part: string) => " ".repeat(part.length);

/** The statements of a script as they are written. What is only comments is none. */
export function statementsOf(script: string): readonly string[] {
  const visible = script.replace(HIDDEN, (part) => "x".repeat(part.length));
  const ends = [...visible.matchAll(/;/g)].map(({ index }) => index);
  const parts = [...ends, script.length].map((end, at) => script.slice(at === 0 ? 0 : (ends[at - 1] ?? 0) + 1, end));
  return parts.map((part) => part.trim()).filter((part) => withoutComments(part).trim() !== "");
}

function withoutComments(text: string): string {
  return text.replace(HIDDEN, (part) => (isComment(part) ? " " : part));
}

/** The first word of a statement, in capitals: the program tells by it what kind of statement it is. */
export function keywordOf(statement: string): string {
  return withoutComments(statement).trim().split(/\s+/, 1)[0]?.toUpperCase() ?? "";
}

const BLOCKED = /\battach\b|\bload_extension\b|\bvacuum\s+into\b/i;

/** What the program refuses before it looks at anything else, as it is written. */
export function blockedWords(script: string): string | undefined {
  const found = BLOCKED.exec(script.replace(HIDDEN, blank));
  return found ? script.slice(found.index, found.index + found[0].length) : undefined;
}

/** Rows that a table has, by its name. */
export type RowCounts = ReadonlyMap<string, number>;

/** The schema: two tables and an index of each. */
const SCHEMA_ROWS = 4;
const BRANCHES = /\b(?:union|intersect|except)\b/gi;
const NAMED_QUERY = /(\S+)\s*(?:\([^()]*\)\s*)?\bas\s+(?:(?:not\s+)?materialized\s*)?\(/gi;

/**
 * The most rows that a statement can come by, because nothing can interrupt it: each table that it names multiplies
 * them, in all of its parts, and a named query does so as often as it is named.
 */
export function mostWork(statement: string, counts: RowCounts): number {
  const words = statement.replace(HIDDEN, (part) => {
    // A text alone can stand for a table's name.
    const name = /^'(\w+)'$/.exec(part)?.[1];
    return isComment(part) ? " " : ` ${name ?? ""} `;
  });
  const times = (pattern: RegExp, rows: number) => (words.match(pattern)?.length ?? 0) * Math.log(Math.max(2, rows));
  let work = times(BRANCHES, 2) + times(/\bvalues\b/gi, words.split("(").length) + times(/\bsqlite_\w+/gi, SCHEMA_ROWS);
  for (const [name, rows] of counts) work += times(new RegExp(`\\b${name}\\b(?!\\s*\\.)`, "gi"), rows);
  for (const [, name = ""] of /\bwith\b/i.test(words) ? words.matchAll(NAMED_QUERY) : []) work *= usesOf(words, name);
  return Math.exp(work);
}

/** Of a query's name, beside where it gets it. A name that is no plain word could be written in many ways. */
function usesOf(words: string, name: string): number {
  if (!/^\w+$/.test(name)) return Number.POSITIVE_INFINITY;
  return Math.max(1, (words.match(new RegExp(`\\b${name}\\b`, "gi"))?.length ?? 1) - 1);
}
