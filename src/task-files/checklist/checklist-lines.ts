/** How an item begins: `- [ ]`, `* [x]`, `1. [>]`. Brackets around a letter or digit other than x are references. */
const BOX = "(?:[-*+]|\\d{1,9}[.)])[ \\t]+\\[(?:[xX]|[^\\]\\p{L}\\p{N}])\\](?:[ \\t]|$)";
const ITEM = new RegExp(`^[ \\t]*${BOX}`, "u");
const PARTS = /^[ \t]*([-*+]|(\d{1,9})[.)])[ \t]+\[(.)\](.*)$/su;

export interface BoxedLine {
  /** Columns from the margin of the item to its text: what is said below it is indented so far. */
  readonly inset: number;
  /** Of an ordered list. */
  readonly number: string | undefined;
  readonly mark: string;
  readonly text: string;
}

export function hasItem(text: string): boolean {
  return new RegExp(`^[ \\t]*${BOX}`, "mu").test(text);
}

export function readBox(line: string): BoxedLine | undefined {
  // The line may be megabytes long; its beginning tells.
  if (!ITEM.test(line)) return undefined;
  const [, marker = "", number, mark = "", text = ""] = PARTS.exec(line) ?? [];
  return { inset: marker.length + 1, number, mark, text: text.trim() };
}

const LOOKS_LIKE = new RegExp(`^([ \\t]*)(\\\\*)(?:${BOX}|\`\`\`|~~~)`, "u");

/** A line of a description that would be read as an item, or as a code block without end, is escaped. */
export function escapeLine(line: string): string {
  const [, blank] = LOOKS_LIKE.exec(line) ?? [];
  return blank === undefined ? line : `${blank}\\${line.slice(blank.length)}`;
}

export function unescapeLine(line: string): string {
  const [, blank = "", slashes] = LOOKS_LIKE.exec(line) ?? [];
  return slashes ? blank + line.slice(blank.length + 1) : line;
}

/** A subject has one line, whatever it was. */
export function oneLine(text: string): string {
  const lines = text.split(/[\r\n]+/).map((line) => line.trim());
  return lines.filter((line) => line !== "").join(" ");
}

const SECTION = "section:";

/** A longer one is no name for anything. */
const HEADING_MAX = 200;

/** Items under a heading bear it as a label. */
export function sectionLabel(line: string): string | undefined {
  if (!/^#{1,6}[ \t]/.test(line)) return undefined;
  const title = line.slice(line.search(/[ \t]/)).trim();
  let end = title.length;
  while (end > 0 && title[end - 1] === "#") end -= 1;
  const isClosing = end < title.length && (end === 0 || /\s/.test(title[end - 1] ?? ""));
  const name = (isClosing ? title.slice(0, end) : title).trim().slice(0, HEADING_MAX).trim().toWellFormed();
  return name === "" ? "" : SECTION + name;
}

/** The heading that a label stands for; undefined for one that is only a label. */
export function headingOf(label: string | undefined): string | undefined {
  if (!label?.startsWith(SECTION)) return undefined;
  const heading = `## ${label.slice(SECTION.length)}`;
  return !/[\r\n]/.test(heading) && sectionLabel(heading) === label ? heading : undefined;
}
