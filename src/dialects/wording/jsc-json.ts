/** What JavaScriptCore (Bun) says of a text that is no JSON; undefined where it parses. Depth costs no stack. */
export function jscComplaint(text: string): string | undefined {
  const parser = new Parser(text);
  const problem = parser.run();
  return problem === undefined ? undefined : (parser.lexical ?? problem).toWellFormed();
}

type Token =
  | { readonly type: "string" | "literal" | "end" | "error" }
  | { readonly type: "mark" | "identifier"; readonly text: string };

const LITERAL: Token = { type: "literal" };
const ERROR: Token = { type: "error" };
const BLANKS = /[ \t\r\n]*/y;
const WORD = /[\w$]+/y;
const KEYWORD = /true|false|null/y;
const MARKS = "[](){},:;.=";
const WHOLE = /-?(?:0|[1-9]\d*)/y;
const UNPARSED = "Unable to parse JSON string";

class Parser {
  /** What is wrong with the last token: said rather than what was wrong with its place. */
  lexical: string | undefined;
  readonly #text: string;
  #at = 0;
  /** Brackets that are open. */
  readonly #open: ("]" | "}")[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  run(): string | undefined {
    for (let token = this.#next(); ; ) {
      const problem = this.#value(token);
      if (problem !== undefined) return problem;
      const after = this.#afterValue();
      if ("problem" in after) return after.problem;
      token = after.token;
    }
  }

  /** Up to where the first value that holds no other has ended. */
  #value(first: Token): string | undefined {
    for (let token = first; ; ) {
      if (token.type === "string" || token.type === "literal") return undefined;
      const isArray = isMark(token, "[");
      if (!isArray && !isMark(token, "{")) return unexpected(token);
      this.#open.push(isArray ? "]" : "}");
      token = this.#next();
      if (isMark(token, this.#open.at(-1))) {
        this.#open.pop();
        return undefined;
      }
      if (isArray) continue;
      if (token.type !== "string") return "Expected '}'";
      const problem = this.#colon();
      if (problem !== undefined) return problem;
      token = this.#next();
    }
  }

  /** The first token of the next value, or how it ends. */
  #afterValue(): { readonly token: Token } | { readonly problem: string | undefined } {
    for (;;) {
      const token = this.#next();
      const close = this.#open.at(-1);
      if (close === undefined) return { problem: token.type === "end" ? undefined : UNPARSED };
      if (isMark(token, ",")) return close === "]" ? this.#nextItem() : this.#nextMember();
      if (!isMark(token, close)) return { problem: `Expected '${close}'` };
      this.#open.pop();
    }
  }

  #nextItem(): { readonly token: Token } | { readonly problem: string } {
    const token = this.#next();
    return isMark(token, "]") ? { problem: "Unexpected comma at the end of array expression" } : { token };
  }

  #nextMember(): { readonly token: Token } | { readonly problem: string } {
    if (this.#next().type !== "string") return { problem: "Property name must be a string literal" };
    const problem = this.#colon();
    return problem === undefined ? { token: this.#next() } : { problem };
  }

  #colon(): string | undefined {
    return isMark(this.#next(), ":") ? undefined : "Expected ':' before value in object property definition";
  }

  #next(): Token {
    this.#take(BLANKS);
    const sign = this.#text.charAt(this.#at);
    if (sign === "") return { type: "end" };
    if (sign === '"') return this.#string();
    if (/[-\d]/.test(sign)) return this.#number();
    if (this.#take(KEYWORD) !== undefined) return LITERAL;
    const word = this.#take(WORD);
    if (word !== undefined) return { type: "identifier", text: word };
    if (sign === "'") return this.#error("Single quotes (') are not allowed in JSON");
    if (!MARKS.includes(sign)) return this.#error(`Unrecognized token '${sign}'`);
    this.#at += 1;
    return { type: "mark", text: sign };
  }

  #string(): Token {
    for (let at = this.#at + 1; ; at += 1) {
      const sign = this.#text.charAt(at);
      if (sign < " ") return this.#error("Unterminated string");
      if (sign === '"') {
        this.#at = at + 1;
        return { type: "string" };
      }
      if (sign !== "\\") continue;
      const problem = escapeProblem(this.#text.slice(at, at + ESCAPE));
      if (problem !== undefined) return this.#error(problem);
      at += 1;
    }
  }

  #number(): Token {
    if (this.#take(WHOLE) === undefined) return this.#error("Invalid number");
    if (this.#text.charAt(this.#at) === ".") {
      if (this.#take(/\.\d+/y) === undefined) return this.#error("Invalid digits after decimal point");
    }
    this.#take(/[eE][+-]?\d+/y);
    return LITERAL;
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.#text) ?? [];
    this.#at += found?.length ?? 0;
    return found;
  }

  #error(message: string): Token {
    this.lexical = message;
    return ERROR;
  }
}

/** Backslash, u and four digits. */
const ESCAPE = 6;

function escapeProblem(sent: string): string | undefined {
  const sign = sent.charAt(1);
  if (sign === "u") {
    if (sent.length < ESCAPE) return "\\u must be followed by 4 hex digits";
    return /^.u[\da-f]{4}$/is.test(sent) ? undefined : `"${sent}" is not a valid unicode escape`;
  }
  return '"\\/bfnrt'.includes(sign) ? undefined : `Invalid escape character ${sign}`;
}

function isMark(token: Token, mark: string | undefined): boolean {
  return token.type === "mark" && token.text === mark;
}

function unexpected(token: Token): string {
  if (token.type === "end") return "Unexpected EOF";
  if (token.type === "identifier") return `Unexpected identifier "${token.text}"`;
  return token.type === "mark" ? `Unexpected token '${token.text}'` : UNPARSED;
}
