// What a line of markdown begins. No pattern here can be made to backtrack: a plan is long, and may be hostile.

export interface Fence {
  readonly sign: "`" | "~";
  readonly length: number;
  /** What stands behind it: most often the language. */
  readonly info: string;
}

export function fenceIn(line: string): Fence | undefined {
  const found = /^ {0,3}(`{3,}|~{3,})/.exec(line);
  const run = found?.[1];
  if (!found || !run) return undefined;
  const info = line.slice(found[0].length).trim();
  const sign = run.startsWith("~") ? "~" : "`";
  // Three backticks with others behind them are code within a line.
  return sign === "`" && info.includes("`") ? undefined : { sign, length: run.length, info };
}

export function closesFence(line: string, { sign, length }: Fence): boolean {
  const end = fenceIn(line);
  return end !== undefined && end.sign === sign && end.length >= length && end.info === "";
}

export function headingIn(line: string): { readonly level: number; readonly text: string } | undefined {
  const found = /^ {0,3}(#{1,6})(?: |$)/.exec(line);
  if (!found?.[1]) return undefined;
  return { level: found[1].length, text: withoutClosingMarks(line.slice(found[0].length).trim()) };
}

/** `Steps ##` is a heading `Steps`; `C#` stays. */
function withoutClosingMarks(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === "#") end -= 1;
  return end === 0 || text[end - 1] === " " ? text.slice(0, end).trimEnd() : text;
}

/** Level of the heading that this line makes of the one above it. */
export function underlineIn(line: string): 1 | 2 | undefined {
  const marks = line.trim();
  if (isIndented(line) || marks === "") return undefined;
  if (consistsOf(marks, "=")) return 1;
  return consistsOf(marks, "-") ? 2 : undefined;
}

export function isRule(line: string): boolean {
  if (isIndented(line)) return false;
  const marks = line.replaceAll(" ", "");
  return marks.length >= 3 && ["-", "*", "_"].some((sign) => consistsOf(marks, sign));
}

function consistsOf(text: string, sign: string): boolean {
  return text === sign.repeat(text.length);
}

export interface ItemStart {
  readonly indent: number;
  /** As it is written: `-`, `1.`, `2)`. */
  readonly marker: string;
  readonly isOrdered: boolean;
  /** Where its text begins; lines below that are indented so far are part of it. */
  readonly offset: number;
}

export function itemIn(line: string): ItemStart | undefined {
  const found = /^( {0,3})([-+*]|[0-9]{1,9}[.)])(?: |$)/.exec(line);
  const [, blanks = "", marker = ""] = found ?? [];
  if (!found || isRule(line)) return undefined;
  const start = blanks.length + marker.length;
  const gap = indentOf(line.slice(start));
  // A gap of five is one blank, and then code.
  const offset = start + (gap >= 1 && gap <= 4 ? gap : 1);
  return { indent: blanks.length, marker, isOrdered: marker.length > 1, offset };
}

export function isQuote(line: string): boolean {
  return /^ {0,3}>/.test(line);
}

/** A tag, a comment or the like; an address in angle brackets is text. */
export function isHtml(line: string): boolean {
  return /^ {0,3}<[a-z/!?]/i.test(line) && !/^ {0,3}<[a-z][a-z0-9+.-]{1,30}:/i.test(line);
}

/** The row of a table between its head and its body. */
export function isTableRule(line: string): boolean {
  return line.includes("|") && line.includes("-") && /^[|: -]+$/.test(line);
}

export function isIndented(line: string): boolean {
  return line.startsWith("    ");
}

export function indentOf(line: string): number {
  let indent = 0;
  while (line[indent] === " ") indent += 1;
  return indent;
}

/** Whether a line ends the paragraph above it. Of numbers only 1 does: a year may stand at the start of a line. */
export function endsParagraph(line: string): boolean {
  const item = itemIn(line);
  const isItem = item !== undefined && (!item.isOrdered || /^1[.)]$/.test(item.marker)) && line.trim() !== item.marker;
  return isItem || isRule(line) || isQuote(line) || isHtml(line) || !!fenceIn(line) || !!headingIn(line);
}
