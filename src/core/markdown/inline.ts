// Marks within a paragraph. Every character is looked at a bounded number of times, whatever the text is.

export type TextStyle = "bold" | "italic" | "underline" | "strike" | "code";

export interface Piece {
  readonly text: string;
  /** A mark says a style, as `**` does: who can show the style leaves it out. An address is where a link leads. */
  readonly kind: "text" | "mark" | "address";
  readonly styles: readonly TextStyle[];
}

/** A run of `*`, `_` or `~`, which may be a mark. */
interface Run {
  readonly name: string;
  readonly canOpen: boolean;
  readonly canClose: boolean;
  role?: "opens" | "closes";
}

interface Token {
  text: string;
  readonly kind: Piece["kind"];
  readonly run?: Run;
  readonly isCode?: boolean;
}

const STYLES: Readonly<Record<string, readonly TextStyle[]>> = {
  "*": ["italic"],
  "**": ["bold"],
  "***": ["bold", "italic"],
  _: ["italic"],
  __: ["bold"],
  ___: ["bold", "italic"],
  "~~": ["strike"],
};

/** The text without marks, and without the addresses of links, in one line. */
export function plainWords(text: string): string {
  const words = inlinePieces(text).filter(({ kind }) => kind === "text");
  return words
    .map((piece) => piece.text)
    .join("")
    .replace(/\s+/g, " ")
    .trim();
}

export function inlinePieces(text: string): readonly Piece[] {
  const tokens = tokensOf(text);
  pairRuns(tokens.flatMap(({ run }) => run ?? []));
  const open: string[] = [];
  let styles: readonly TextStyle[] = [];
  return tokens.flatMap(({ text: words, kind, run, isCode }): Piece[] => {
    if (run?.role === "opens") open.push(run.name);
    else if (run?.role === "closes") open.pop();
    if (run?.role) styles = open.flatMap((name) => STYLES[name] ?? []);
    if (words === "") return [];
    return [{ text: words, kind: run?.role ? "mark" : kind, styles: isCode ? [...styles, "code"] : styles }];
  });
}

/** One of each name is open at most, so there is never much to look through. */
function pairRuns(runs: readonly Run[]): void {
  const open: Run[] = [];
  for (const run of runs) {
    const at = open.findIndex(({ name }) => name === run.name);
    const opener = open[at];
    if (opener && run.canClose) {
      opener.role = "opens";
      run.role = "closes";
      // Those opened since were never closed: they stay text.
      open.length = at;
    } else if (!opener && run.canOpen) open.push(run);
  }
}

interface Scan {
  readonly text: string;
  readonly tokens: Token[];
  /** Opening brackets, of links and images. */
  readonly brackets: Token[];
  readonly backticks: BacktickRuns;
  /** The next place of each, as far as it is known: looked for again only when it is passed. */
  blank: number;
  bracketEnd: number;
}

function tokensOf(text: string): readonly Token[] {
  const scan: Scan = { text, tokens: [], brackets: [], backticks: backtickRuns(text), blank: -1, bracketEnd: -1 };
  const special = /[\\`*_~[\]!]/g;
  let at = 0;
  for (let found = special.exec(text); found; found = special.exec(text)) {
    if (found.index > at) addText(scan, text.slice(at, found.index));
    at = found.index + takeMark(scan, found.index);
    special.lastIndex = at;
  }
  if (at < text.length) addText(scan, text.slice(at));
  return scan.tokens;
}

function addText({ tokens }: Scan, text: string): void {
  tokens.push({ text, kind: "text" });
}

/** How many characters it took. */
function takeMark(scan: Scan, at: number): number {
  const { text, brackets, tokens } = scan;
  const sign = text[at] ?? "";
  if (sign === "`") return takeCode(scan, at);
  if (sign === "]") return takeBracketEnd(scan, at);
  if (sign === "*" || sign === "_" || sign === "~") return takeRun(scan, at, sign);
  if (sign === "\\") {
    const isEscape = /^[!-/:-@[-`{-~]$/.test(text[at + 1] ?? "");
    addText(scan, isEscape ? (text[at + 1] ?? "") : sign);
    return isEscape ? 2 : 1;
  }
  const bracket: Token = { text: sign === "!" && text[at + 1] === "[" ? "![" : sign, kind: "text" };
  tokens.push(bracket);
  if (bracket.text !== "!") brackets.push(bracket);
  return bracket.text.length;
}

function takeRun({ text, tokens }: Scan, at: number, sign: string): number {
  let end = at;
  while (text[end] === sign) end += 1;
  const name = text.slice(at, end);
  const [before, after] = [text[at - 1] ?? " ", text[end] ?? " "];
  const isOpening = !isBlank(after) && (!isSign(after) || isBlank(before) || isSign(before));
  const isClosing = !isBlank(before) && (!isSign(before) || isBlank(after) || isSign(after));
  // Underscores within a word belong to it: snake_case_name.
  const canOpen = isOpening && (sign !== "_" || !isClosing || isSign(before));
  const canClose = isClosing && (sign !== "_" || !isOpening || isSign(after));
  tokens.push({ text: name, kind: "text", ...(name in STYLES ? { run: { name, canOpen, canClose } } : {}) });
  return name.length;
}

function isBlank(sign: string): boolean {
  return /\s/.test(sign);
}

function isSign(sign: string): boolean {
  return /[\p{P}\p{S}]/u.test(sign);
}

/** Where runs of each length stand, and which of them come next. */
type BacktickRuns = Map<number, { readonly places: number[]; next: number }>;

function backtickRuns(text: string): BacktickRuns {
  const runs: BacktickRuns = new Map();
  for (const { 0: run, index } of text.matchAll(/`+/g)) {
    const known = runs.get(run.length);
    if (known) known.places.push(index);
    else runs.set(run.length, { places: [index], next: 0 });
  }
  return runs;
}

function takeCode(scan: Scan, at: number): number {
  const { text, tokens, backticks } = scan;
  let start = at;
  while (text[start] === "`") start += 1;
  const marks = text.slice(at, start);
  const runs = backticks.get(marks.length);
  while (runs && (runs.places[runs.next] ?? text.length) < start) runs.next += 1;
  const end = runs?.places[runs.next];
  if (end === undefined) {
    addText(scan, marks);
    return marks.length;
  }
  const mark: Token = { text: marks, kind: "mark", isCode: true };
  tokens.push(mark, { text: text.slice(start, end), kind: "text", isCode: true }, mark);
  return end + marks.length - at;
}

/** `[text](address)` is shown as `text (address)`: the address whole, and never behind the text. */
function takeBracketEnd(scan: Scan, at: number): number {
  const { text, tokens, brackets } = scan;
  const opener = brackets.pop();
  const end = opener && text[at + 1] === "(" ? addressEnd(scan, at + 2) : undefined;
  if (!opener || end === undefined) {
    addText(scan, "]");
    return 1;
  }
  const isImage = opener.text === "![";
  const isEmpty = tokens.at(-1) === opener;
  opener.text = isImage ? (isEmpty ? "[image" : "[image: ") : "";
  if (isImage) addText(scan, "]");
  tokens.push({ text: `${isEmpty && !isImage ? "" : " "}(${text.slice(at + 2, end)})`, kind: "address" });
  return end + 1 - at;
}

/** Where the address ends that begins here; undefined where it is none. A title may stand behind it, in quotes. */
function addressEnd(scan: Scan, start: number): number | undefined {
  const { text } = scan;
  if (scan.bracketEnd < start) scan.bracketEnd = placeOf(text.indexOf(")", start));
  if (scan.blank < start) scan.blank = placeOf(blankAfter(text, start));
  if (scan.bracketEnd === start || scan.bracketEnd >= text.length) return undefined;
  const isWhole = scan.bracketEnd < scan.blank;
  const hasTitle = scan.blank > start && /["'(]/.test(text[scan.blank + 1] ?? "");
  return isWhole || hasTitle ? scan.bracketEnd : undefined;
}

function blankAfter(text: string, start: number): number {
  const blank = /\s/g;
  blank.lastIndex = start;
  return blank.exec(text)?.index ?? -1;
}

/** What is nowhere is behind everything. */
function placeOf(index: number): number {
  return index < 0 ? Number.POSITIVE_INFINITY : index;
}
