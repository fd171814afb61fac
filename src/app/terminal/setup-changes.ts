import { counted } from "../../core/text/length.js";
import { terminalText } from "../../core/text/terminal-text.js";
import { maskPassword } from "../../store/url.js";
import type { Output } from "../command-definition.js";
import type { AgentReport } from "../setup/apply-changes.js";
import type { AgentPlan, Change } from "../setup/planned-changes.js";
import { unifiedDiff } from "./line-diff.js";
import { paint } from "./paint.js";

/** A row of a diff that is longer says nothing more to an eye. */
const LONGEST_ROW = 400;

/** The exact change, before it is made; and in the end, where the eye is, what it comes to. */
export function planText(plans: readonly AgentPlan[], output: Output, { withNotes }: { withNotes: boolean }): string {
  const parts = plans.flatMap(({ agent, changes }) =>
    changes.map((change) => `${paint(output, "bold", agent.title)}  ${changeText(change, output)}\n`),
  );
  const notes = plans.flatMap(({ agent, changes, notes: said }) =>
    changes.length === 0 ? [] : said.map((note) => `${agent.title}: ${note}`),
  );
  const ending = withNotes && notes.length > 0 ? `${notes.join("\n")}\n\n` : "";
  return `${parts.map((part) => `${part}\n`).join("")}${ending}`;
}

function changeText({ config, after }: Change, output: Output): string {
  const what = config.text === undefined ? " (new)" : after === undefined ? " (removed)" : "";
  const link = config.target === config.file ? "" : ` (a link to ${config.target})`;
  const diff = unifiedDiff(config.text, after);
  const count = (sign: string) => diff.filter((row) => row.startsWith(sign)).length;
  const rows = diff.map((row) => `  ${paintRow(row, output)}`);
  return [terminalText(`${config.file}${link}${what}  +${count("+")} -${count("-")}`), ...rows].join("\n");
}

function paintRow(row: string, output: Output): string {
  const cut = row.length > LONGEST_ROW ? `${row.slice(0, LONGEST_ROW)} ...` : row;
  const text = terminalText(maskPassword(cut.replace(/\r$/, "")));
  if (row.startsWith("+")) return paint(output, "green", text);
  if (row.startsWith("-")) return paint(output, "red", text);
  return row.startsWith("@@") ? paint(output, "cyan", text) : text;
}

export function reportText(
  plans: readonly AgentPlan[],
  reports: readonly AgentReport[],
  { output, dryRun, withNotes }: { output: Output; dryRun: boolean; withNotes: boolean },
): string {
  const rows = reports.flatMap(({ changed, notes }, index) => [
    `${paint(output, "bold", plans[index]?.agent.title ?? "")}: ${summary(changed.length, dryRun)}`,
    ...(dryRun
      ? []
      : changed.map(({ file, backup }) => `  ${file}${backup === undefined ? "" : `, before: ${backup}`}`)),
    ...(withNotes ? notes.map((note) => `  - ${note}`) : []),
  ]);
  return rows.map((row) => `${row}\n`).join("");
}

function summary(count: number, isDryRun: boolean): string {
  if (count === 0) return "nothing to change";
  return `${counted(count, "file")} ${isDryRun ? "would change" : "changed"}`;
}
