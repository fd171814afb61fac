import { cliDocument } from "./cli-document.js";
import { COVERAGE, coverageTable } from "./coverage.js";
import { detectorsTable } from "./detectors-table.js";
import { dialectsTable } from "./dialects.js";
import { linesTable } from "./lines.js";
import { settingsTable } from "./settings-table.js";

const BEGIN = "<!-- made by npm run docs -->";
const END = "<!-- end -->";

/** Documents that hold a table made from the code. */
export const MADE: Readonly<Record<string, () => string | Promise<string>>> = {
  "docs/cli.md": cliDocument,
  [COVERAGE]: coverageTable,
  "docs/detectors.md": detectorsTable,
  "docs/dialects.md": dialectsTable,
  "docs/settings.md": settingsTable,
  "CONTRIBUTING.md": linesTable,
};

/** The text with its table made anew; everything around it stays. */
export function withTable(text: string, table: string): string {
  const begin = text.indexOf(BEGIN);
  const end = text.indexOf(END);
  if (begin < 0 || end < begin) throw new Error(`It needs a line ${BEGIN} and after it a line ${END}`);
  return `${text.slice(0, begin)}${BEGIN}\n\n${table}\n\n${text.slice(end)}`;
}
