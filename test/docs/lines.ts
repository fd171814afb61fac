import { readFileSync } from "node:fs";

/** What a dialect is made of, shown with Codex's: files of its own, and rows in tables. */
const OWN: readonly (readonly [string, string])[] = [
  ["src/dialects/codex/codex.ts", "the dialect: definition, policy, words, `parse`, `show`"],
  ["src/dialects/codex/plan-arguments.ts", "its original's complaints about arguments, to the character"],
  ["src/dialects/wording/serde-reader.ts", "the JSON parser whose words these are"],
  ["src/dialects/codex/codex.test.ts", "what vectors do not show"],
];
const ROWS: readonly (readonly [string, string])[] = [
  ["src/dialects/registry.ts", "the import and the row"],
  ["test/conform/subjects.ts", "who plays its vectors"],
  ["src/dialects/cross.property.test.ts", "how a list is written and read in it"],
  ["test/dialect-processes.test.ts", "two calls, each in a process of its own"],
];

/** What CONTRIBUTING.md shows: the lines that a dialect takes. */
export function linesTable(): string {
  const own = OWN.map(([file, what]) => [file, textOf(file).split("\n").length - 1, what] as const);
  const rows = ROWS.map(([file, what]) => [file, mentions(textOf(file)), what] as const);
  const cells = [...own, ...rows].map(([file, lines, what]) => `| \`${file}\` | ${lines} | ${what} |`);
  return ["| file | lines | what |", "| --- | ---: | --- |", ...cells].join("\n");
}

function textOf(file: string): string {
  return readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
}

/** Lines of code; a comment that names it is none. */
function mentions(text: string): number {
  return text.split("\n").filter((line) => /codex/.test(line) && !/^\s*(?:\/\/|\*|\/\*)/.test(line)).length;
}
