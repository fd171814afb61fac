import { strip } from "./python-text.js";
import { DEEPEST, type PythonValue } from "./python-value.js";

/** `json.loads(text)`: keeps whole numbers apart from floats. Undefined for no JSON, and where Python gives up. */
export function loads(text: string): PythonValue | undefined {
  return read(text, (reader) => {
    const value = reader.value(0);
    return reader.isAtEnd() ? value : undefined;
  });
}

/** The same, but anything may follow the value. */
export function loadsFirst(text: string): PythonValue | undefined {
  return read(strip(text), (reader) => reader.value(0));
}

function read(text: string, how: (reader: Reader) => PythonValue | undefined): PythonValue | undefined {
  try {
    return how(new Reader(text));
  } catch (error) {
    if (error === NO_JSON) return undefined;
    throw error;
  }
}

const NO_JSON = Symbol("no JSON");

const WORDS: Readonly<Record<string, { readonly word: string; readonly value: PythonValue }>> = {
  n: { word: "null", value: null },
  t: { word: "true", value: true },
  f: { word: "false", value: false },
  N: { word: "NaN", value: Number.NaN },
  I: { word: "Infinity", value: Number.POSITIVE_INFINITY },
};

const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/y;
const MOST_DIGITS = 4300;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  isAtEnd(): boolean {
    return this.#next() === "";
  }

  value(depth: number): PythonValue {
    const first = this.#next();
    if (first === '"') return this.#string();
    if (first === "{") return this.#dict(depth + 1);
    if (first === "[") return this.#list(depth + 1);
    const known = WORDS[first];
    if (known && this.#takes(known.word)) return known.value;
    return this.#takes("-Infinity") ? Number.NEGATIVE_INFINITY : this.#number();
  }

  /** The next character that is no white space; it stays. */
  #next(): string {
    while (" \t\n\r".includes(this.#text[this.#at] ?? "none")) this.#at += 1;
    return this.#text.charAt(this.#at);
  }

  #takes(word: string): boolean {
    if (!this.#text.startsWith(word, this.#at)) return false;
    this.#at += word.length;
    return true;
  }

  #number(): bigint | number {
    NUMBER.lastIndex = this.#at;
    const [digits, fraction, exponent] = NUMBER.exec(this.#text) ?? [];
    if (digits === undefined) throw NO_JSON;
    this.#at += digits.length;
    if (fraction !== undefined || exponent !== undefined) return Number(digits);
    const count = digits.replace("-", "").length;
    if (count > MOST_DIGITS) throw NO_JSON;
    return BigInt(digits);
  }

  #string(): string {
    const start = this.#at;
    for (let at = start + 1; at < this.#text.length; at += 1) {
      const code = this.#text.charCodeAt(at);
      if (code === BACKSLASH) at += 1;
      else if (code < 0x20) break;
      else if (code === QUOTE) {
        this.#at = at + 1;
        return literal(this.#text.slice(start, this.#at));
      }
    }
    throw NO_JSON;
  }

  #list(depth: number): readonly PythonValue[] {
    if (depth > DEEPEST) throw NO_JSON;
    this.#at += 1;
    const items: PythonValue[] = [];
    if (this.#next() === "]") this.#at += 1;
    else
      for (let mark = ","; mark === ","; mark = this.#mark("]")) {
        items.push(this.value(depth));
      }
    return items;
  }

  #dict(depth: number): ReadonlyMap<string, PythonValue> {
    if (depth > DEEPEST) throw NO_JSON;
    this.#at += 1;
    const entries = new Map<string, PythonValue>();
    if (this.#next() === "}") this.#at += 1;
    else
      for (let mark = ","; mark === ","; mark = this.#mark("}")) {
        if (this.#next() !== '"') throw NO_JSON;
        const key = this.#string();
        if (this.#next() !== ":") throw NO_JSON;
        this.#at += 1;
        entries.set(key, this.value(depth));
      }
    return entries;
  }

  /** A comma, or the end. */
  #mark(end: string): string {
    const mark = this.#next();
    if (mark !== "," && mark !== end) throw NO_JSON;
    this.#at += 1;
    return mark;
  }
}

function literal(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    throw NO_JSON;
  }
}

/** `json.dumps(value, ensure_ascii=False)` of plain texts, whole numbers, lists and objects. */
export function dumps(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(dumps).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}: ${dumps(item)}`).join(", ")}}`;
}
