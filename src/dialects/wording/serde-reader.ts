/**
 * Codex reads tool arguments with Rust's serde_json, in one typed pass, and the model reads the parser's own
 * words. This is that reading: same order of discovery, same messages, same positions (counted in bytes).
 */
export class SerdeError extends Error {
  /** Absent until the enclosing container is left: serde names the place where it stopped, not where it started. */
  position: string | undefined;

  constructor(message: string, position?: string) {
    super(message);
    this.position = position;
  }
}

const ENCODER = new TextEncoder();
const DECODER = new TextDecoder("utf-8", { ignoreBOM: true });

const QUOTE = 0x22;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const BACKSLASH = 0x5c;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPEN_LIST = 0x5b;
export const CLOSE_LIST = 0x5d;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;

const WORDS: Readonly<Record<number, { readonly rest: string; readonly shown: string }>> = {
  110: { rest: "ull", shown: "null" },
  116: { rest: "rue", shown: "boolean `true`" },
  102: { rest: "alse", shown: "boolean `false`" },
};

const ESCAPES: Readonly<Record<string, number>> = {
  '"': 0x22,
  "\\": 0x5c,
  "/": 0x2f,
  b: 0x08,
  f: 0x0c,
  n: 0x0a,
  r: 0x0d,
  t: 0x09,
};

export class SerdeReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(text: string) {
    this.#bytes = ENCODER.encode(text);
  }

  /** An error about what was just read. */
  error(message: string): SerdeError {
    return new SerdeError(message, this.position());
  }

  /** An error about the next byte. */
  errorAhead(message: string): SerdeError {
    return new SerdeError(message, this.#positionOf(Math.min(this.#bytes.length, this.#at + 1)));
  }

  position(): string {
    return this.#positionOf(this.#at);
  }

  #positionOf(count: number): string {
    let line = 1;
    let start = 0;
    for (let newline = this.#bytes.indexOf(0x0a); newline >= 0 && newline < count; ) {
      line += 1;
      start = newline + 1;
      newline = this.#bytes.indexOf(0x0a, start);
    }
    return ` at line ${line} column ${count - start}`;
  }

  skip(): void {
    this.#at += 1;
  }

  /** The next byte that is not white space; undefined at the end. */
  next(): number | undefined {
    for (;;) {
      const byte = this.#bytes[this.#at];
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x09 && byte !== 0x0d) return byte;
      this.#at += 1;
    }
  }

  /** The first byte of a value that must be there. */
  nextValue(): number {
    const byte = this.next();
    if (byte === undefined) throw this.errorAhead("EOF while parsing a value");
    return byte;
  }

  string(expected: string): string {
    if (this.nextValue() !== QUOTE) throw this.wrongType(expected);
    this.skip();
    return this.#stringBody();
  }

  isString(): boolean {
    return this.next() === QUOTE;
  }

  isNull(): boolean {
    if (this.next() !== 0x6e) return false;
    this.skip();
    this.#word("ull");
    return true;
  }

  /** `invalid type: X, expected Y`; the value is read as far as serde reads it, so its own errors come first. */
  wrongType(expected: string): SerdeError {
    const found = this.#describe();
    if (found === undefined) return this.errorAhead("expected value");
    return this.error(`invalid type: ${found}, expected ${expected}`);
  }

  #describe(): string | undefined {
    const byte = this.#bytes[this.#at] ?? 0;
    const word = WORDS[byte];
    if (word) {
      this.skip();
      this.#word(word.rest);
      return word.shown;
    }
    if (byte === QUOTE) {
      this.skip();
      return `string ${rustDebug(this.#stringBody())}`;
    }
    if (byte === MINUS || isDigit(byte)) return this.#number();
    if (byte === OPEN_LIST) return "sequence";
    return byte === OPEN_OBJECT ? "map" : undefined;
  }

  #word(rest: string): void {
    for (const letter of rest) {
      if (this.#take("EOF while parsing a value") !== letter.charCodeAt(0)) throw this.error("expected ident");
    }
  }

  #take(atEnd: string): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw this.error(atEnd);
    this.#at += 1;
    return byte;
  }

  #number(): string {
    const start = this.#at;
    if (this.#bytes[this.#at] === MINUS) this.skip();
    const first = this.#take("EOF while parsing a value");
    if (!isDigit(first)) throw this.error("invalid number");
    if (first === ZERO && isDigit(this.#bytes[this.#at])) throw this.errorAhead("invalid number");
    this.#digits();
    const isWhole = ![this.#fraction(), this.#exponent()].includes(true);
    const text = DECODER.decode(this.#bytes.subarray(start, this.#at));
    return isWhole && isMachineInteger(BigInt(text)) ? `integer \`${BigInt(text)}\`` : "number";
  }

  #digits(): void {
    while (isDigit(this.#bytes[this.#at])) this.#at += 1;
  }

  #fraction(): boolean {
    if (this.#bytes[this.#at] !== DOT) return false;
    this.skip();
    const digit = this.#bytes[this.#at];
    if (!isDigit(digit)) throw this.errorAhead(digit === undefined ? "EOF while parsing a value" : "invalid number");
    this.#digits();
    return true;
  }

  #exponent(): boolean {
    const mark = this.#bytes[this.#at];
    if (mark !== 0x65 && mark !== 0x45) return false;
    this.skip();
    const sign = this.#bytes[this.#at];
    if (sign === 0x2b || sign === MINUS) this.skip();
    if (!isDigit(this.#take("EOF while parsing a value"))) throw this.error("invalid number");
    this.#digits();
    return true;
  }

  /** What follows an opening quote, decoded. */
  #stringBody(): string {
    let text = "";
    let start = this.#at;
    for (;;) {
      const byte = this.#take("EOF while parsing a string");
      if (byte === QUOTE) return text + DECODER.decode(this.#bytes.subarray(start, this.#at - 1));
      if (byte < 0x20) throw this.error("control character (\\u0000-\\u001F) found while parsing a string");
      if (byte !== BACKSLASH) continue;
      text += DECODER.decode(this.#bytes.subarray(start, this.#at - 1)) + this.#escape();
      start = this.#at;
    }
  }

  #escape(): string {
    const letter = String.fromCharCode(this.#take("EOF while parsing a string"));
    const plain = ESCAPES[letter];
    if (plain !== undefined) return String.fromCharCode(plain);
    if (letter !== "u") throw this.error("invalid escape");
    const unit = this.#hex();
    if (unit < 0xd800 || unit > 0xdfff) return String.fromCharCode(unit);
    if (unit > 0xdbff) throw this.error("lone leading surrogate in hex escape");
    for (const expected of [BACKSLASH, 0x75]) {
      if (this.#take("EOF while parsing a string") !== expected) throw this.error("unexpected end of hex escape");
    }
    const trail = this.#hex();
    if (trail < 0xdc00 || trail > 0xdfff) throw this.error("lone leading surrogate in hex escape");
    return String.fromCharCode(unit, trail);
  }

  #hex(): number {
    if (this.#bytes.length - this.#at < 4) {
      this.#at = this.#bytes.length;
      throw this.error("EOF while parsing a string");
    }
    const digits = DECODER.decode(this.#bytes.subarray(this.#at, this.#at + 4));
    this.#at += 4;
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw this.error("invalid escape");
    return Number.parseInt(digits, 16);
  }
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= NINE;
}

function isMachineInteger(value: bigint): boolean {
  return value < 0n ? value >= -(2n ** 63n) : value < 2n ** 64n;
}

const NAMED: Readonly<Record<string, string>> = {
  "\0": "\\0",
  "\t": "\\t",
  "\r": "\\r",
  "\n": "\\n",
  '"': '\\"',
  "\\": "\\\\",
};
const UNPRINTABLE = /[\p{Grapheme_Extend}\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Zs}]/u;

/** A string as Rust's `{:?}` prints it. */
function rustDebug(text: string): string {
  const shown = Array.from(text, (character) => {
    const named = NAMED[character];
    if (named !== undefined || character === " ") return named ?? character;
    return UNPRINTABLE.test(character) ? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}` : character;
  });
  return `"${shown.join("")}"`;
}
