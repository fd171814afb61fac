import { Literals } from "./literals.js";
import { type Separator, separatorAt } from "./name-separator.js";
import { endOfValue, isLineEnd, readValue, type Value } from "./named-value.js";
import { each, type Rule, type Secret } from "./rule.js";
import { LAST_WORDS, type NameKind, nameKind } from "./secret-names.js";
import { isCode, isNumber, isPath, isPlaceholder, isRandom } from "./secret-values.js";
import { shapeAt } from "./token-shapes.js";

let made: Literals<undefined> | undefined;

function lastWords(): Literals<undefined> {
  made ??= new Literals(LAST_WORDS.map((word) => [word, undefined] as const));
  return made;
}

/** `password=...`, `"apiKey": "..."`, `--token ...`, `DB_PASSWORD: ...`: a name, a sign between, and a value. */
export const NAMED_SECRETS: Rule = {
  literals: LAST_WORDS,
  secrets(text) {
    let places = 0;
    const find = (_: string, from: number) =>
      lastWords().find(text, from, (at, __, end) => {
        const after = behindNumber(text, end);
        // Nothing is ever named by `token]`, and that is how our own marks end.
        if (text.charCodeAt(after) === CLOSING) return undefined;
        places += 1;
        if (places > MOST_PLACES) return { start: at, end: text.length, label: "the rest, too dense to look through" };
        return secretNamed(text, at, after, from);
      });
    return each(find)(text);
  },
};

const CLOSING = 0x5d;
/** More such words in one text were made to cost time: a megabyte of log has some thousand. */
const MOST_PLACES = 40_000;

/** `PASSWORD2`, `token_1`. */
function behindNumber(text: string, end: number): number {
  let at = text[end] === "_" || text[end] === "-" ? end + 1 : end;
  const start = at;
  while (at < start + 3 && isDigit(text.charCodeAt(at))) at += 1;
  return at === start ? end : at;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

const LONGEST_NAME = 64;

function secretNamed(text: string, end: number, after: number, from: number): Secret | undefined {
  if (isNamePart(text.charCodeAt(after)) && text[after] !== ".") return undefined;
  const start = nameStart(text, end, from);
  const separator = separatorAt(text, start, after);
  if (!separator) return undefined;
  const kind = nameKind(text.slice(start, after));
  if (kind === undefined) return undefined;
  const value = readValue(text, separator);
  if (!value || !isSecret(text, { kind, separator, value, start })) return undefined;
  return { start: value.start, end: endOfValue(text, value), label: shapeAt(text, value.start) ?? kind };
}

/** Names are made of letters, digits, `_`, `-`, `.` and `$`; a space may stand in `api key`. */
function nameStart(text: string, end: number, from: number): number {
  let start = end;
  const least = Math.max(from, end - LONGEST_NAME);
  while (start > least && isNamePart(text.charCodeAt(start - 1))) start -= 1;
  return start;
}

function isNamePart(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    isDigit(code) ||
    code === 0x5f ||
    code === 0x2d ||
    code === 0x2e
  );
}

interface Named {
  readonly kind: NameKind;
  readonly separator: Separator;
  readonly value: Value;
  readonly start: number;
}

/** How sure a value is depends on how it was written: `x=v` and quotes are data, `x: v` may be a sentence. */
function isSecret(text: string, { kind, separator, value, start }: Named): boolean {
  const { look, isQuoted } = value;
  if (look === "" || isPlaceholder(look) || isOfParser(text, start)) return false;
  if (kind !== "password" && isNumber(look)) return false;
  // PWD is the folder.
  if (isPath(look) && (kind !== "password" || /pwd$/i.test(text.slice(start, separator.name)))) return false;
  if (kind === "credentials" && !isRandom(look, 8)) return false;
  if (isQuoted) return separator.type !== "words" || isRandom(look, 6);
  if (isCode(look)) return false;
  switch (separator.type) {
    case "equals":
      return kind === "password" || look.length >= 3;
    case "flag":
      // docker build --secret id=npm,src=.npmrc
      return !PROSE.has(look.toLowerCase()) && !/^(?:id|type|name|source|src)=/.test(look);
    case "assignment":
      return isRandom(look, 3);
    case "colon":
      return isRandom(look, 6) || (isLineEnd(text, value) && isRandom(look, 3)) || isConfigLine(text, start, value);
    case "words":
      return isRandom(look, 6);
  }
}

/** SQLite and JSON tell so where they stopped reading: what they name is a part of what was written. */
function isOfParser(text: string, start: number): boolean {
  return /\b(?:unrecognized|unexpected) $/i.test(text.slice(Math.max(0, start - 16), start));
}

/** Of an option, not its value: "use the --password flag". */
const PROSE = new Set(
  "flag flags option options argument arguments parameter is are was to and or for in with the from when on if as must instead not should can so a an that which by of at it its does then has have only also".split(
    " ",
  ),
);

/** A line of its own between other lines, as in YAML: then also a plain word is a password. */
function isConfigLine(text: string, start: number, value: Value): boolean {
  if (!isLineEnd(text, value)) return false;
  const lineStart = text.lastIndexOf("\n", start) + 1;
  if (start - lineStart > 40 || !/^[\s-]*["']?$/.test(text.slice(lineStart, start))) return false;
  const isAlone = lineStart === 0 && text.indexOf("\n", start) < 0;
  return !isAlone;
}
