// A line as bash gives it to whoever completes: text up to the cursor, with quotes and backslashes as they were typed.

export interface LineWords {
  /** Without quotes; the last one is the word that is being typed, and may be empty. */
  readonly words: readonly string[];
  /**
   * The beginning of the last word that bash keeps as it is: bash completes only what follows the last of its word
   * breaks, such as `=` and `:`.
   */
  readonly kept: string;
}

interface Typed {
  readonly words: string[];
  /** Undefined between words. */
  word: string | undefined;
  kept: string;
  quote: '"' | "'" | undefined;
}

/** Nothing is expanded: a variable stays what was typed. */
export function splitLine(line: string, breaks: string): LineWords {
  const typed: Typed = { words: [], word: undefined, kept: "", quote: undefined };
  for (let at = 0; at < line.length; at += 1) {
    const sign = line[at] ?? "";
    const next = line[at + 1] ?? "";
    if (typed.quote !== undefined) at += quoted(typed, sign, next);
    else if (sign === "\\") {
      add(typed, next);
      at += 1;
    } else if (sign === '"' || sign === "'") {
      add(typed, "");
      typed.quote = sign;
    } else if (/\s/.test(sign)) endWord(typed);
    else {
      const word = add(typed, sign);
      if (breaks.includes(sign)) typed.kept = word;
    }
  }
  return { words: [...typed.words, typed.word ?? ""], kept: typed.kept };
}

/** One sign between quotes. Returns how many more were taken. */
function quoted(typed: Typed, sign: string, next: string): number {
  if (sign === typed.quote) {
    typed.quote = undefined;
    return 0;
  }
  const isEscape = typed.quote === '"' && sign === "\\" && '"\\$`'.includes(next);
  add(typed, isEscape ? next : sign);
  return isEscape ? 1 : 0;
}

function add(typed: Typed, text: string): string {
  typed.word = `${typed.word ?? ""}${text}`;
  return typed.word;
}

function endWord(typed: Typed): void {
  if (typed.word !== undefined) typed.words.push(typed.word);
  typed.word = undefined;
  typed.kept = "";
}
