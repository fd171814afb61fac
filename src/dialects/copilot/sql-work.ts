import { HIDDEN, isComment } from "./sql-script.js";

// How much a statement may have to do, at the most: nothing can interrupt it once it runs. It is told by the tables,
// parts and functions that it names.

/** Rows that a table has, by its name. */
type RowCounts = ReadonlyMap<string, number>;

export interface Work {
  /** A row that is looked at is one; longer texts in it cost more. */
  readonly most: number;
  /** No text may become longer meanwhile. */
  readonly length: number;
}

/** What a statement meets. */
export interface TableSizes {
  readonly counts: RowCounts;
  /** Bytes of the longest text. */
  readonly longest: number;
  /** How the tables are made, where they are not ours: what they check and compute is done for each row. */
  readonly schema?: string;
  /** Rows of tables that refer to others, where these are not ours. */
  readonly referring?: number;
}

export function workOf(statement: string, { counts, longest, schema = "", referring }: TableSizes): Work {
  const tokens = tokensOf(statement);
  const literals = (`${statement}\n${schema}`.match(HIDDEN) ?? []).map((part) => (isComment(part) ? 0 : part.length));
  const { perRow, length } = textWork([...tokens, ...tokensOf(schema)], Math.max(16, longest, ...literals));
  const isAsked = tokens.includes("delete") || tokens.includes("replace") || isReferredSet(tokens, referring);
  // A row that goes away, or gets another id, is looked for in each that may refer to it: no index helps there.
  const references = referring ?? counts.get("todo_deps") ?? 0;
  const looked = isAsked ? (Math.max(0, ...counts.values()) * references) / 3 : 0;
  const rows = rowsOf(grouped(tokens), counts);
  // A window that leaves a row out goes through all of its rows again for each one.
  const windows = tokens.includes("exclude") ? rows : 1;
  return { most: rows * windows * perRow + looked, length };
}

/** In tables that are not ours, whatever is set may be what others refer to. */
function isReferredSet(tokens: readonly string[], referring: number | undefined): boolean {
  const from = tokens.indexOf("set");
  if (from < 0 || referring !== undefined) return from >= 0;
  const where = tokens.indexOf("where", from);
  return tokens.slice(from, where < 0 ? undefined : where).includes("id");
}

type Group = readonly (string | Group)[];

const TOKEN = /[A-Za-z_]\w*|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|\|\||\S/g;

/** In small letters; names without what they are quoted with. A text alone can stand for a table's name. */
function tokensOf(statement: string): readonly string[] {
  const words = statement.replace(HIDDEN, (part) => {
    const name = /^'(\w+)'$/.exec(part)?.[1];
    return isComment(part) ? " " : ` ${name ?? "0"} `;
  });
  return (words.match(TOKEN) ?? []).map((token) => token.replace(/^["`[]|["`\]]$/g, "").toLowerCase());
}

function grouped(tokens: readonly string[]): Group {
  const open: (string | Group)[][] = [[]];
  for (const token of tokens) {
    const inner = token === ")" && open.length > 1 ? open.pop() : undefined;
    const last = open.at(-1);
    if (inner) last?.push(inner);
    else if (token === "(") open.push([]);
    else last?.push(token);
  }
  // What is left open is refused by the database.
  return open.flat();
}

const BRANCHES: readonly unknown[] = ["union", "intersect", "except"];

/** Parts that stand beside each other are added, tables that are joined are multiplied. */
function rowsOf(group: Group, before: RowCounts): number {
  const { counts, rest } = withNamed(group, before);
  const ends = rest.flatMap((token, at) => (BRANCHES.includes(token) ? [at] : []));
  const branches = [...ends, rest.length].map((end, at) => rest.slice(at === 0 ? 0 : (ends[at - 1] ?? 0) + 1, end));
  return branches.reduce((sum, branch) => sum + branchRows(branch, counts), 0);
}

const CLAUSES = ["from", "join", "on", "where", "group", "having", "order", "limit", "set", "select", "values"];

function branchRows(branch: Group, counts: RowCounts): number {
  let [rows, inner, tuples, clause] = [1, 0, 0, ""];
  for (const [at, token] of branch.entries()) {
    if (typeof token !== "string") {
      const found = rowsOf(token, counts);
      if (clause === "values") tuples += 1;
      // What stands among the tables is one; anywhere else it may be asked again for each row.
      if (clause === "from" || clause === "join") rows *= Math.max(1, found);
      else if (found > 1) inner += found;
    } else if (CLAUSES.includes(token)) clause = token;
    // Where rows are added, those that are there cost nothing.
    else if (branch[at - 1] === "into") continue;
    else if (token === "," && clause === "on") clause = "from";
    else if (branch[at + 1] !== ".") rows *= Math.max(1, tableRows(token, counts));
  }
  return rows * Math.max(1, tuples) * (1 + inner);
}

/** The schema: two tables and an index of each. */
const SCHEMA_ROWS = 4;

function tableRows(token: string, counts: RowCounts): number {
  return counts.get(token) ?? (token.startsWith("sqlite_") ? SCHEMA_ROWS : 1);
}

interface Named {
  readonly counts: RowCounts;
  /** What follows the named queries. */
  readonly rest: Group;
}

/** `WITH name (columns) AS (query), ...`: each is a table from then on. */
function withNamed(group: Group, before: RowCounts): Named {
  if (group[0] !== "with") return { counts: before, rest: group };
  const counts = new Map(before);
  let at = group[1] === "recursive" ? 2 : 1;
  for (;;) {
    const name = group[at];
    const query = group.findIndex((token, place) => place > at && token === "as");
    const body = group.findIndex((token, place) => place > query && typeof token !== "string");
    const inside = group[body];
    if (typeof name !== "string" || query < 0 || inside === undefined || typeof inside === "string") break;
    counts.set(name, rowsOf(inside, counts));
    at = body + 1;
    if (group[at] !== ",") break;
    at += 1;
  }
  return { counts, rest: group.slice(at) };
}

/** They make a text out of several, or a longer one. */
const GROWTH = /^(?:replace|group_concat|string_agg|char|hex|quote|concat|concat_ws|json\w*)$/;
/** They go through a text once. */
const READS = /^(?:lower|upper|length|octet_length|substr|substring|unicode)$/;
const LONGEST_TEXT = 1_000_000;
/** Where texts are searched, which takes as long as one of them times the other. */
const LONGEST_SEARCHED = 20_000;

/** What a row costs because of its texts: a multiple of looking at it, which takes some 0.3 microseconds (measured). */
function textWork(all: readonly string[], longest: number): { readonly perRow: number; readonly length: number } {
  // `INSERT OR REPLACE`, `REPLACE INTO`: no function.
  const tokens = all.filter((token, at) => token !== "replace" || (all[at - 1] !== "or" && all[at + 1] !== "into"));
  const count = (is: (token: string, at: number) => boolean) => tokens.filter(is).length;
  const joins = count((token) => token === "||");
  const growths = count((token) => GROWTH.test(token));
  const searches = count((token) => token === "instr" || token === "replace");
  const patterns = count((token) => token === "like" || token === "glob");
  const trims = count((token, at) => /^[lr]?trim$/.test(token) && hasTwo(tokens, at + 1));
  const replaces = count((token) => token === "replace");
  // One `replace` alone searches a text that is as long as it came.
  const isMadeToSearch = growths > 0 && searches + patterns + trims > (growths === replaces ? 1 : 0);
  const length = isMadeToSearch ? Math.max(LONGEST_SEARCHED, 2 * longest) : LONGEST_TEXT;
  const made = growths > 0 ? length : Math.min(length, longest * (joins + 1));
  const searched = isMadeToSearch ? made : longest * (joins + 1);
  const reads = joins + growths + searches + trims + count((token) => READS.test(token));
  const cost = (made * reads) / 1000 + (searched * patterns) / 60;
  return { perRow: 1 + cost + (searched ** 2 * searches) / 12_000 + (searched ** 2 * trims) / 120, length };
}

/** Whether the function whose parenthesis opens there gets more than one value: `trim` alone takes off blanks. */
function hasTwo(tokens: readonly string[], from: number): boolean {
  let depth = 0;
  for (const token of tokens.slice(from)) {
    if (token === "(") depth += 1;
    if (token === ")") depth -= 1;
    if (depth === 0) return false;
    if (token === "," && depth === 1) return true;
  }
  return true;
}
