// docs/coverage.md: behaviours of other systems, and what shows that we have them.

export interface CoverageRow {
  /** The system: the heading that the row stands under. */
  readonly section: string;
  readonly behaviour: string;
  readonly shownBy: string;
}

/** Rows of all tables that have the two columns; tables of other columns are no coverage. */
export function coverageRows(text: string): readonly CoverageRow[] {
  const rows: CoverageRow[] = [];
  let section = "";
  let isCoverage = false;
  for (const line of text.split("\n")) {
    const [, heading] = /^## (.+)$/.exec(line) ?? [];
    if (heading !== undefined) section = heading;
    if (!line.startsWith("|")) isCoverage = false;
    else if (line === "| behaviour | shown by |") isCoverage = true;
    else if (isCoverage && !/^\|[ -]*-[ -]*\|/.test(line)) rows.push({ section, ...cellsOf(line) });
  }
  return rows;
}

function cellsOf(line: string): { behaviour: string; shownBy: string } {
  const [, behaviour = "", ...rest] = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
  return { behaviour, shownBy: rest.filter((cell) => cell !== "").join(" | ") };
}

/** `test`: a file and a title in it; `case`: a vector file and the name of a case. */
export type Evidence =
  | { readonly type: "test" | "case"; readonly file: string; readonly title: string }
  | { readonly type: "command"; readonly line: string }
  | { readonly type: "not yet" | "not so"; readonly reason: string };

const TITLES = /`([\w./-]+\.(?:test\.ts|json))`: ("[^"]+"(?:, "[^"]+")*)/y;
const COMMAND = /`((?:milepost|npm run) [^`]+)`/y;
const REASON = /^(not yet|not so): (.+)$/;

/** What a cell names, one after the other; undefined where it holds anything else. */
export function evidenceOf(cell: string): readonly Evidence[] | undefined {
  const [, type, reason = ""] = REASON.exec(cell) ?? [];
  if (type === "not yet" || type === "not so") return [{ type, reason }];
  const found: Evidence[] = [];
  for (let at = 0; at < cell.length; ) {
    const next = namedTests(cell, at) ?? namedCommand(cell, at);
    if (next === undefined) return undefined;
    found.push(...next.evidence);
    at = next.end;
    if (at < cell.length && !cell.startsWith("; ", at)) return undefined;
    at += "; ".length;
  }
  return found.length > 0 ? found : undefined;
}

interface Named {
  readonly evidence: readonly Evidence[];
  readonly end: number;
}

function namedTests(cell: string, at: number): Named | undefined {
  TITLES.lastIndex = at;
  const [whole, file = "", titles = ""] = TITLES.exec(cell) ?? [];
  if (whole === undefined) return undefined;
  const type = file.endsWith(".json") ? "case" : "test";
  const evidence = [...titles.matchAll(/"([^"]+)"/g)].map(([, title = ""]) => ({ type, file, title }) as const);
  return { evidence, end: at + whole.length };
}

function namedCommand(cell: string, at: number): Named | undefined {
  COMMAND.lastIndex = at;
  const [whole, line = ""] = COMMAND.exec(cell) ?? [];
  return whole === undefined ? undefined : { evidence: [{ type: "command", line }], end: at + whole.length };
}

/** What the checker asks of the repository. */
export interface Repository {
  /** Undefined where there is no such file. */
  read(file: string): string | undefined;
  isCommand(line: string): boolean;
}

/** What is wrong with the rows, a line each; empty where everything that is named is there. */
export function coverageProblems(rows: readonly CoverageRow[], repository: Repository): readonly string[] {
  const seen = new Set<string>();
  return rows.flatMap((row) => {
    const key = `${row.section}: ${row.behaviour}`;
    const twice = seen.has(key) ? [`${key}: is there twice`] : [];
    seen.add(key);
    return [...twice, ...rowProblems(row, repository).map((problem) => `${key}: ${problem}`)];
  });
}

function rowProblems({ behaviour, shownBy }: CoverageRow, repository: Repository): readonly string[] {
  if (behaviour === "") return ["no behaviour is named"];
  const evidence = evidenceOf(shownBy);
  if (evidence === undefined) return [`names neither a test, a command nor a reason: ${JSON.stringify(shownBy)}`];
  return evidence.flatMap((one) => evidenceProblem(one, repository) ?? []);
}

/** Fewer words than this say nothing. */
const SHORTEST_REASON = 20;

function evidenceProblem(one: Evidence, repository: Repository): string | undefined {
  if ("reason" in one)
    return one.reason.length < SHORTEST_REASON ? `gives no reason: ${JSON.stringify(one.reason)}` : undefined;
  if (one.type === "command") return repository.isCommand(one.line) ? undefined : `no such command: ${one.line}`;
  const text = repository.read(one.file);
  if (text === undefined) return `no such file: ${one.file}`;
  const isThere = one.type === "case" ? hasCase(text, one.title) : hasTitle(text, one.title);
  return isThere ? undefined : `${one.file} has no "${one.title}"`;
}

function hasCase(json: string, name: string): boolean {
  const { cases } = JSON.parse(json) as { readonly cases: readonly { readonly name: string }[] };
  return cases.some((one) => one.name === name);
}

/**
 * The title of a test or a group, or of a row of a table that titles are made of: `name` of an object, the first of a list,
 * the key of a line. A test that is skipped has none.
 */
function hasTitle(source: string, title: string): boolean {
  const literal = `(["'\`])${title.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")}\\1`;
  const opened = `(?:\\b(?<!\\.)(?:test|describe)\\(|\\)\\(|\\bname:|\\[)\\s*${literal}`;
  const keyed = `^\\s*${literal.replace("\\1", "\\2")}: `;
  return new RegExp(`${opened}|${keyed}`, "m").test(source);
}

/** What docs/coverage.md counts: rows of each section by what they name. */
export function coverageCounts(rows: readonly CoverageRow[]): string {
  const sections = [...new Set(rows.map(({ section }) => section))];
  const counted = (section: string | undefined, type: string | undefined) =>
    rows.filter((row) => (section ?? row.section) === row.section && (type ?? kindOf(row)) === kindOf(row)).length;
  const line = (name: string, section?: string) =>
    `| ${name} | ${[undefined, "shown", "not yet", "not so"].map((type) => counted(section, type)).join(" | ")} |`;
  return [
    "| system | behaviours | shown | not yet | not so |",
    "| --- | ---: | ---: | ---: | ---: |",
    ...sections.map((section) => line(section, section)),
    line("all"),
  ].join("\n");
}

function kindOf({ shownBy }: CoverageRow): string {
  const [first] = evidenceOf(shownBy) ?? [];
  if (first === undefined) return "nothing";
  return "reason" in first ? first.type : "shown";
}
