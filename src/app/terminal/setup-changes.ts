import { unifiedDiff } from "../../core/text/line-diff.js";
import { terminalText } from "../../core/text/terminal-text.js";
import { maskPassword } from "../../store/url.js";
import type { Output } from "../command-definition.js";
import type { AgentReport } from "../setup/apply-changes.js";
import type { AgentPlan, Change } from "../setup/planned-changes.js";
import { paintChange } from "./diff-rows.js";
import { paint } from "./paint.js";

/** A row of a diff that is longer says nothing more to an eye. */
const LONGEST_ROW = 400;

interface View {
  readonly output: Output;
  /** Shown as `~`. */
  readonly userFolder: string;
}

/** One row an agent: what it comes to, and in which files. */
export function summaryText(plans: readonly AgentPlan[], view: View): string {
  const rows = plans.filter(({ changes, comesTo }) => changes.length > 0 || comesTo !== undefined);
  const cells = rows.map(({ agent, changes, comesTo }) => ({
    title: agent.title,
    what: changes.length === 0 ? "nothing to change" : (comesTo ?? "our entries removed"),
    files: listed(changes.map(({ config }) => shownPath(config.file, view.userFolder))),
  }));
  const widest = (texts: readonly string[]) => Math.max(0, ...texts.map((text) => text.length)) + 3;
  const widths = [
    Math.max(14, widest(cells.map(({ title }) => title))),
    widest(cells.map(({ what }) => what)),
  ] as const;
  const room = view.output.columns - widths[0] - widths[1];
  const isTooLong = (words: readonly string[]) => words.join(" ").length > room;
  // Beside what it comes to, where there is room for all but our own, which come last; else below it.
  const isBeside =
    !cells.some(({ files }) => files.some((file) => isTooLong([file]))) &&
    !cells.slice(0, -1).some(({ files }) => isTooLong(files));
  const all = cells.flatMap(({ files }) => files);
  const indent = isBeside ? widths[0] + widths[1] : indentFor(all, widths[0], view.output);
  const lines = cells.flatMap(({ title, what, files }) => {
    const start = `${paint(view.output, "bold", title)}${" ".repeat(Math.max(1, widths[0] - title.length))}`;
    const [first = "", ...more] = filled(files, view.output.columns - indent);
    const below = more.map((row) => `${" ".repeat(indent)}${row}`);
    if (isBeside) return [`${start}${what.padEnd(widths[1])}${first}`.trimEnd(), ...below];
    const behind = wrapped(what, view.output, " ".repeat(widths[0])).slice(widths[0]);
    return [`${start}${behind}`, ...(first === "" ? [] : [`${" ".repeat(indent)}${first}`]), ...below];
  });
  return `${lines.join("\n")}\n\n`;
}

function listed(words: readonly string[]): readonly string[] {
  return words.map((word, index) => (index < words.length - 1 ? `${word},` : word));
}

/** Below their heading, unless one of them then does not fit. */
function indentFor(words: readonly string[], indent: number, { columns }: Output): number {
  return words.some((word) => word.length > columns - indent) ? LEAST_INDENT : indent;
}

const LEAST_INDENT = 2;

/** As many words to a row as fit; none is cut: it may be a path, or part of a command. */
function filled(words: readonly string[], columns: number): readonly string[] {
  const rows: string[] = [];
  for (const word of words) {
    const row = rows.at(-1);
    if (row !== undefined && row.length + 1 + word.length <= columns) rows[rows.length - 1] = `${row} ${word}`;
    else rows.push(word);
  }
  return rows;
}

/** Longer rows are hard to read, however wide the window is. */
const WIDEST = 100;

/** A sentence or two; a person's window has an end, a pipe has none. */
export function wrapped(text: string, output: Output, indent = ""): string {
  if (isFitting(`${indent}${text}`, output)) return `${indent}${text}`;
  const rows = filled(text.split(/ +/), Math.min(output.columns, WIDEST) - indent.length);
  return rows.map((row) => `${indent}${row}`).join("\n");
}

/** The same behind a word or two: what does not fit goes on below itself, not below them. */
export function wrappedBehind(head: string, text: string, output: Output): string {
  return `${head}${wrapped(text, output, " ".repeat(head.length)).slice(head.length)}`;
}

/** Sentences in one row, else each begins a row of its own: the command in one of them then stays whole. */
export function oneRowOrMore(texts: readonly string[], output: Output): string {
  const row = texts.join(" ");
  return isFitting(row, output) ? row : texts.map((text) => wrapped(text, output)).join("\n");
}

export function isFitting(text: string, { isTerminal, columns }: Output): boolean {
  return !isTerminal || text.length <= Math.min(columns, WIDEST);
}

/** `~` for the home folder. */
export function shownPath(file: string, userFolder: string): string {
  const isBelow = userFolder !== "" && /^[\\/]/.test(file.slice(userFolder.length)) && file.startsWith(userFolder);
  return terminalText(isBelow ? `~${file.slice(userFolder.length)}` : file);
}

/** A longer change of a file of our own is named only: what happens to the person's files is what matters. */
const SHORT_CHANGE = 20;

/** The exact change of each file. At a question, a long one of our own files is not shown: it would hide the others. */
export function diffText(plans: readonly AgentPlan[], view: View & { readonly isWhole: boolean }): string {
  const changes = plans.flatMap(({ agent, changes: own }) => own.map((change) => ({ title: agent.title, change })));
  const parts = changes.map(({ title, change }) => {
    const { config, after, isOwnFile } = change;
    const diff = unifiedDiff(config.text, after);
    const isLong = isOwnFile && diff.length > SHORT_CHANGE;
    const rows =
      isLong && !view.isWhole ? ["  (--dry-run shows it)"] : diff.map((row) => `  ${paintRow(row, view.output)}`);
    return [`${paint(view.output, "bold", title)}  ${fileText(change, diff, view)}`, ...rows, "", ""].join("\n");
  });
  return parts.join("");
}

/** What the person should know, agent by agent. */
export function noteText(plans: readonly AgentPlan[], output: Output): string {
  const notes = plans.flatMap(({ agent, changes, notes: said }) =>
    changes.length === 0 ? [] : said.map((note) => `${wrapped(noteOf(agent.title, note), output)}\n`),
  );
  return notes.length === 0 ? "" : `${notes.join("")}\n`;
}

/** Most notes name the agent themselves. */
function noteOf(title: string, note: string): string {
  return note.startsWith(`${title} `) || note.startsWith(`${title}'`) ? note : `${title}: ${note}`;
}

function fileText({ config, after }: Change, diff: readonly string[], { userFolder }: View): string {
  const what = config.text === undefined ? " (new)" : after === undefined ? " (removed)" : "";
  const link = config.target === config.file ? "" : ` (a link to ${shownPath(config.target, userFolder)})`;
  const count = (sign: string) => diff.filter((row) => row.startsWith(sign)).length;
  return terminalText(`${shownPath(config.file, userFolder)}${link}${what}  +${count("+")} -${count("-")}`);
}

function paintRow(row: string, output: Output): string {
  const cut = row.length > LONGEST_ROW ? `${row.slice(0, LONGEST_ROW)} ...` : row;
  return paintChange(row, terminalText(maskPassword(cut.replace(/\r$/, ""))), output);
}

export interface Ending {
  readonly said: string;
  /** What the person may want to do now: commands, which are not broken across rows. */
  readonly next: readonly string[];
}

interface Report extends View {
  /** The last words: what was done, or that nothing had to be. */
  readonly ending: Ending;
  /** The notes were read before the question. */
  readonly isAsked: boolean;
}

export function reportText(plans: readonly AgentPlan[], reports: readonly AgentReport[], report: Report): string {
  const rows = plans.flatMap(({ agent, notes, changes, afterwards = [] }) => {
    const said = report.isAsked ? [] : notes.map((text) => noteOf(agent.title, text));
    return [...said, ...(changes.length > 0 ? afterwards : [])];
  });
  const backups = reports.flatMap(({ changed }) => changed.flatMap(({ backup }) => backup ?? []));
  const kept = backups.map((file) => shownPath(file, report.userFolder));
  const texts = rows.map((row) => wrapped(row, report.output));
  return [...backupRows(listed(kept), report.output), ...texts, endingText(report)].map((row) => `${row}\n`).join("");
}

function endingText({ ending: { said, next }, output }: Report): string {
  const commands = next.join("   ");
  const row = [said, commands].filter(Boolean).join(" ");
  if (isFitting(row, output)) return row;
  return [wrapped(said, output), ...(isFitting(commands, output) ? [commands] : next)].join("\n");
}

const BACKUPS = "Backups: ";

function backupRows(files: readonly string[], output: Output): readonly string[] {
  const indent = indentFor(files, BACKUPS.length, output);
  const rows = filled(files, output.columns - indent);
  const heads = indent < BACKUPS.length && rows.length > 0 ? [BACKUPS.trimEnd()] : [];
  return [...heads, ...rows.map((row, at) => `${heads.length + at === 0 ? BACKUPS : " ".repeat(indent)}${row}`)];
}
