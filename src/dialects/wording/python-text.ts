import { isDict, isList, PythonError, type PythonValue } from "./python-value.js";

/** `str(value)`. */
export function strOf(value: PythonValue): string {
  return typeof value === "string" ? value : reprOf(value);
}

function reprOf(value: PythonValue): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "string") return quoted(value);
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "number") return floatText(value);
  if (isList(value)) return `[${value.map(reprOf).join(", ")}]`;
  if (isDict(value)) return `{${[...value].map(([key, item]) => `${quoted(key)}: ${reprOf(item)}`).join(", ")}}`;
  throw new PythonError("maximum recursion depth exceeded while getting the repr of an object");
}

/** Both languages print the shortest digits that give the same float, but not in the same form. */
function floatText(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  if (value === 0) return Object.is(value, -0) ? "-0.0" : "0.0";
  const [, sign = "", first = "", rest = "", power = "0"] =
    /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(value.toExponential()) ?? [];
  const exponent = Number(power);
  if (exponent < -4 || exponent >= 16) return `${sign}${first}${rest && `.${rest}`}e${powerText(exponent)}`;
  const digits = first + rest;
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  return `${sign}${whole}.${digits.slice(exponent + 1) || "0"}`;
}

function powerText(exponent: number): string {
  return (exponent < 0 ? "-" : "+") + String(Math.abs(exponent)).padStart(2, "0");
}

const NAMED: Readonly<Record<string, string>> = { "\t": "\\t", "\n": "\\n", "\r": "\\r", "\\": "\\\\" };
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Zs}]/u;

/** `repr(text)`. */
function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const shown = Array.from(text, (character) => {
    if (character === quote) return `\\${quote}`;
    const named = NAMED[character];
    if (named !== undefined || character === " ") return named ?? character;
    return UNPRINTABLE.test(character) ? escaped(character.codePointAt(0) ?? 0) : character;
  });
  return quote + shown.join("") + quote;
}

function escaped(code: number): string {
  const hex = code.toString(16);
  if (code < 0x100) return `\\x${hex.padStart(2, "0")}`;
  return code < 0x10000 ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
}

/** What Python takes for white space: unlike JavaScript U+001C to U+001F and U+0085, and not U+FEFF. */
const SPACES = new Set("\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000");
for (let code = 0x2000; code <= 0x200a; code += 1) SPACES.add(String.fromCharCode(code));

/** `text.strip()`. */
export function strip(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && SPACES.has(text.charAt(start))) start += 1;
  while (end > start && SPACES.has(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}
