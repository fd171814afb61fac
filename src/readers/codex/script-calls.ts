import { textAt } from "../../core/json.js";

/** Scripts of models are short; a longer one is not looked into. */
const SCRIPT_MAX = 64 * 1024;
/** A list is an object with a list of objects. */
const DEEPEST = 6;

// Each alternative ends at its own end or at the end of the text, so that no text makes it look twice.
const TOKEN =
  /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:\\[\s\S]|[^"\\\n])*"?|'(?:\\[\s\S]|[^'\\\n])*'?|`(?:\\[\s\S]|[^`\\])*`?|[\w$]+|\S/g;

/** The words and marks of a JavaScript program, without blanks and comments. */
function tokensOf(source: string): readonly string[] {
  if (source.length > SCRIPT_MAX) return [];
  return (source.match(TOKEN) ?? []).filter((token) => !token.startsWith("//") && !token.startsWith("/*"));
}

/** Names of the tools that a script of code mode uses. */
export function toolsInScript(source: string): readonly string[] {
  const tokens = tokensOf(source);
  return tokens.filter((_, at) => tokens[at - 2] === "tools" && tokens[at - 1] === ".");
}

/** The argument of a script's last `update_plan`. Nothing is run: undefined for one that is not a literal. */
export function planInScript(source: string): unknown {
  if (!source.includes("update_plan")) return undefined;
  const tokens = tokensOf(source);
  const at = tokens.findLastIndex((token, index) => token === "update_plan" && tokens[index + 1] === "(");
  if (at < 0 || tokens[at + 2] !== "{") return undefined;
  const literal = new LiteralReader(tokens, at + 2);
  try {
    const value = literal.value(0);
    return literal.isCallEnd() ? value : undefined;
  } catch (error) {
    if (error instanceof NotLiteral) return undefined;
    throw error;
  }
}

class NotLiteral extends Error {}

const WORDS: Readonly<Record<string, unknown>> = { null: null, undefined: undefined, true: true, false: false };

class LiteralReader {
  readonly #tokens: readonly string[];
  #at: number;

  constructor(tokens: readonly string[], at: number) {
    this.#tokens = tokens;
    this.#at = at;
  }

  value(depth: number): unknown {
    if (depth > DEEPEST) throw new NotLiteral();
    const token = this.#next();
    if (token === "{") return this.#object(depth);
    if (token === "[") return this.#list(depth);
    return Object.hasOwn(WORDS, token) ? WORDS[token] : textOf(token);
  }

  isCallEnd(): boolean {
    this.#skip(",");
    return this.#tokens[this.#at] === ")";
  }

  #object(depth: number): unknown {
    const fields: [string, unknown][] = [];
    while (!this.#skip("}")) {
      const key = this.#next();
      const name = /^[\w$]+$/.test(key) ? key : textOf(key);
      if (!this.#skip(":")) throw new NotLiteral();
      fields.push([name, this.value(depth + 1)]);
      if (!this.#skip(",") && this.#tokens[this.#at] !== "}") throw new NotLiteral();
    }
    return Object.fromEntries(fields);
  }

  #list(depth: number): unknown {
    const values: unknown[] = [];
    while (!this.#skip("]")) {
      values.push(this.value(depth + 1));
      if (!this.#skip(",") && this.#tokens[this.#at] !== "]") throw new NotLiteral();
    }
    return values;
  }

  #next(): string {
    const token = this.#tokens[this.#at];
    if (token === undefined) throw new NotLiteral();
    this.#at += 1;
    return token;
  }

  #skip(token: string): boolean {
    if (this.#tokens[this.#at] !== token) return false;
    this.#at += 1;
    return true;
  }
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", v: "\v", "0": "\0" };

/** What a string in quotes says; a template only where nothing is put into it. */
function textOf(token: string): string {
  const quote = token.slice(0, 1);
  const isWhole = token.length >= 2 && token.endsWith(quote) && `"'\``.includes(quote);
  const body = token.slice(1, -1);
  if (!isWhole || (quote === "`" && /(?<!\\)\$\{/.test(body))) throw new NotLiteral();
  const said = body.replace(
    /\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|\r?\n|([\s\S]))/g,
    (_, braced?: string, unit?: string, byte?: string, letter?: string) => {
      const code = braced ?? unit ?? byte;
      if (code !== undefined) return codePoint(Number.parseInt(code, 16));
      return letter === undefined ? "" : (ESCAPES[letter] ?? letter);
    },
  );
  return textAt(said) ?? "";
}

function codePoint(code: number): string {
  if (code > 0x10ffff) throw new NotLiteral();
  return String.fromCodePoint(code);
}
