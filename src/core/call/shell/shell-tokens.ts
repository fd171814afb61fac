// Words and signs of a command line, without comments and here-documents.

/** `isPlain`: what it says is what the command gets: no variable, no substitution, no pattern. */
export interface ShellWord {
  readonly text: string;
  readonly isPlain: boolean;
}

export type ShellToken =
  | { readonly type: "word"; readonly word: ShellWord; readonly isQuoted: boolean }
  | { readonly type: "sign"; readonly sign: string }
  | { readonly type: "output"; readonly file: ShellWord };

export function shellTokens(text: string): readonly ShellToken[] {
  return new Scanner(text).tokens();
}

/** Two signs that belong together come before one of them. */
const SIGNS = ["&&", "||", "|&", ";;", "|", ";", "&", "(", ")", "\n"];

class Scanner {
  readonly #text: string;
  #at = 0;
  readonly #tokens: ShellToken[] = [];
  /** Ends of here-documents whose text begins on the next line. */
  #documents: string[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  tokens(): readonly ShellToken[] {
    while (this.#at < this.#text.length) this.#next();
    return this.#tokens;
  }

  #next(): void {
    const sign = this.#text[this.#at] ?? "";
    if (sign === " " || sign === "\t" || sign === "\r") this.#at += 1;
    else if (sign === "#") this.#skipTo("\n");
    else if (sign === "\\" && this.#text[this.#at + 1] === "\n") this.#at += 2;
    else if (!this.#redirection()) this.#signOrWord();
  }

  #signOrWord(): void {
    const found = SIGNS.find((known) => this.#text.startsWith(known, this.#at));
    if (found === undefined) {
      const from = this.#at;
      const { word, isQuoted } = this.#word();
      if (this.#at > from) this.#tokens.push({ type: "word", word, isQuoted });
      else this.#at += 1;
      return;
    }
    this.#at += found.length;
    this.#tokens.push({ type: "sign", sign: found });
    if (found === "\n") this.#skipDocuments();
  }

  #skipTo(end: string): void {
    const found = this.#text.indexOf(end, this.#at);
    this.#at = found < 0 ? this.#text.length : found;
  }

  /** `2>&1` and what is read are passed over; a file that is written is kept. */
  #redirection(): boolean {
    REDIRECTION.lastIndex = this.#at;
    const [whole, sign = ""] = REDIRECTION.exec(this.#text) ?? [];
    if (whole === undefined) return false;
    this.#at += whole.length;
    if (sign === ">&" || sign === "<&") {
      this.#word();
      return true;
    }
    while (this.#text[this.#at] === " " || this.#text[this.#at] === "\t") this.#at += 1;
    const { word } = this.#word();
    if (sign.startsWith("<<") && sign !== "<<<") this.#documents.push(word.text);
    else if (sign.includes(">")) this.#tokens.push({ type: "output", file: word });
    return true;
  }

  #skipDocuments(): void {
    for (const end of this.#documents) {
      while (this.#at < this.#text.length) {
        const lineEnd = this.#text.indexOf("\n", this.#at);
        const to = lineEnd < 0 ? this.#text.length : lineEnd;
        const line = this.#text.slice(this.#at, to).trim();
        this.#at = to + 1;
        if (line === end) break;
      }
    }
    this.#documents = [];
  }

  #word(): { readonly word: ShellWord; readonly isQuoted: boolean } {
    let text = "";
    let isPlain = true;
    let isQuoted = false;
    while (this.#at < this.#text.length) {
      const sign = this.#text[this.#at] ?? "";
      if (" \t\r\n|&;()<>".includes(sign)) break;
      const part = sign === "'" || sign === '"' ? this.#quoted(sign) : this.#bare(sign);
      isQuoted ||= sign === "'" || sign === '"';
      isPlain &&= part.isPlain;
      text += part.text;
    }
    return { word: { text, isPlain }, isQuoted };
  }

  #bare(sign: string): ShellWord {
    if (sign === "\\") {
      const text = this.#text[this.#at + 1] ?? "";
      this.#at += 2;
      return { text: text === "\n" ? "" : text, isPlain: true };
    }
    if (sign === "$" || sign === "`") return this.#substitution(sign);
    BARE.lastIndex = this.#at;
    const text = BARE.exec(this.#text)?.[0] ?? sign;
    this.#at += text.length;
    return { text, isPlain: !/[*?[{]/.test(text) };
  }

  #quoted(quote: string): ShellWord {
    const from = this.#at + 1;
    let at = from;
    while (at < this.#text.length && this.#text[at] !== quote) at += quote === '"' && this.#text[at] === "\\" ? 2 : 1;
    this.#at = Math.min(at, this.#text.length) + 1;
    const text = this.#text.slice(from, at);
    if (quote === "'") return { text, isPlain: true };
    return { text: text.replace(/\\(["\\$`])/g, "$1"), isPlain: !/[$`]/.test(text) };
  }

  /** A variable by its name; what a command would print is passed over. */
  #substitution(sign: string): ShellWord {
    if (sign === "`") {
      this.#at += 1;
      this.#skipTo("`");
      this.#at += 1;
      return { text: "`", isPlain: false };
    }
    if (this.#text[this.#at + 1] === "(") {
      this.#skipParentheses();
      return { text: "$()", isPlain: false };
    }
    VARIABLE.lastIndex = this.#at;
    const text = VARIABLE.exec(this.#text)?.[0] ?? "$";
    this.#at += text.length;
    return { text, isPlain: false };
  }

  #skipParentheses(): void {
    let depth = 0;
    for (this.#at += 1; this.#at < this.#text.length; this.#at += 1) {
      const sign = this.#text[this.#at];
      if (sign === "(") depth += 1;
      if (sign === ")") depth -= 1;
      if (sign === "'" || sign === '"') this.#at = Math.max(this.#at, this.#closing(sign));
      if (depth === 0) break;
    }
    this.#at += 1;
  }

  #closing(quote: string): number {
    const end = this.#text.indexOf(quote, this.#at + 1);
    return end < 0 ? this.#at : end;
  }
}

const REDIRECTION = /\d{0,2}(<<<|<<-|<<|<&|>&|&>>|&>|>>|>\||<>|>|<)/y;
const BARE = /[^\s|&;()<>'"\\$`]+/y;
const VARIABLE = /\$(?:\{[^}]{0,100}\}|\w{1,60}|[?#@*!$-])?/y;
