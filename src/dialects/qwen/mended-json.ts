// Qwen Code's host mends JSON that a model got wrong before a tool sees it. What models usually get wrong: brackets
// that are missing at the end, commas too many or too few, other quotes or none, comments, a fence, Python's words.

const FENCE = "```";
const DEEPEST = 200;
const WORDS: Readonly<Record<string, unknown>> = {
  ...{ true: true, false: false, null: null, undefined: null },
  ...{ True: true, False: false, None: null },
};
const BLANK = /(?:\s|\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\n]*)*/y;
/** Up to what ends it: a word, a number, or a text without quotes. */
const BARE = /[^,:[\]{}"'`\n]+/y;
const ENDS = [",", "]", "}"];
const ESCAPES: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

/** Undefined for a text that is not to be mended. */
export function mendedJson(text: string): unknown {
  const inner = text.trim().replace(/^```[a-z]*/i, "");
  try {
    return new Mender(inner.endsWith(FENCE) ? inner.slice(0, -FENCE.length) : inner).whole();
  } catch (error) {
    if (error instanceof Unmendable) return undefined;
    throw error;
  }
}

class Unmendable extends Error {}

class Mender {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): unknown {
    const value = this.#value();
    for (let sign = this.#next(); sign === "}" || sign === "]"; sign = this.#next()) this.#at += 1;
    if (this.#next() !== "") throw new Unmendable();
    return value;
  }

  /** The next sign behind blanks and comments; empty at the end. */
  #next(): string {
    this.#take(BLANK);
    return this.#text[this.#at] ?? "";
  }

  #take(what: RegExp): string {
    what.lastIndex = this.#at;
    const [found = ""] = what.exec(this.#text) ?? [];
    this.#at += found.length;
    return found;
  }

  #value(): unknown {
    const sign = this.#next();
    if (sign === "" || ENDS.includes(sign)) return null;
    if (sign === "{" || sign === "[") return this.#nested(sign);
    if (isQuote(sign)) return this.#quoted(sign);
    const word = this.#take(BARE).trim();
    if (word === "") throw new Unmendable();
    if (Object.hasOwn(WORDS, word)) return WORDS[word];
    return /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(word) ? Number(word) : word;
  }

  #nested(sign: "{" | "["): unknown {
    this.#depth += 1;
    if (this.#depth > DEEPEST) throw new Unmendable();
    this.#at += 1;
    const value = sign === "{" ? this.#object() : this.#array();
    this.#depth -= 1;
    return value;
  }

  #object(): object {
    const entries: [string, unknown][] = [];
    for (let sign = this.#next(); sign !== "" && sign !== "]"; sign = this.#next()) {
      if (sign === "}" || sign === ",") this.#at += 1;
      if (sign === "}") break;
      if (sign !== ",") entries.push(this.#entry(sign));
    }
    return Object.fromEntries(entries);
  }

  #entry(first: string): [string, unknown] {
    const key = isQuote(first) ? this.#quoted(first) : this.#take(BARE).trim();
    const sign = this.#next();
    if (sign === "") return [key, null];
    if (sign !== ":") throw new Unmendable();
    this.#at += 1;
    return [key, this.#value()];
  }

  #array(): unknown[] {
    const items: unknown[] = [];
    for (let sign = this.#next(); sign !== "" && sign !== "}"; sign = this.#next()) {
      if (sign === "]" || sign === ",") this.#at += 1;
      if (sign === "]") break;
      if (sign !== ",") items.push(this.#value());
    }
    return items;
  }

  /** A text that nobody ended ends with all the rest. */
  #quoted(quote: string): string {
    let read = "";
    for (this.#at += 1; this.#at < this.#text.length; this.#at += 1) {
      const sign = this.#text[this.#at] ?? "";
      if (sign === quote) {
        this.#at += 1;
        return read;
      }
      read += sign === "\\" ? this.#escaped() : sign;
    }
    return read.trimEnd();
  }

  #escaped(): string {
    this.#at += 1;
    const sign = this.#text[this.#at] ?? "";
    if (sign !== "u") return ESCAPES[sign] ?? sign;
    const code = /[\da-f]{4}/iy;
    code.lastIndex = this.#at + 1;
    const [hex] = code.exec(this.#text) ?? [];
    if (hex === undefined) throw new Unmendable();
    this.#at += hex.length;
    return String.fromCharCode(Number.parseInt(hex, 16));
  }
}

function isQuote(sign: string): boolean {
  return sign === '"' || sign === "'" || sign === "`";
}
