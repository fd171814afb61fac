import { isObject } from "../../../core/json.js";
import { firstUnits } from "../../../core/text/utf16.js";

const VALUE_MAX = 100;

/** `read: path: /a, line: 3`. A name alone stays as it is; with arguments nothing may break the line. */
export function toolTitle(name: unknown, args: unknown): unknown {
  const base = name ?? "tool";
  // Text and lists have keys, too: their positions.
  const entries = isObject(args) || Array.isArray(args) || typeof args === "string" ? Object.entries(args) : [];
  if (entries.length === 0) return base;
  const parts = entries.map(([key, value]) => `${key}: ${shortValue(value)}`);
  return escapeControls(`${nameText(base)}: ${parts.join(", ")}`);
}

function shortValue(value: unknown): string {
  const text = valueText(value);
  return text.length > VALUE_MAX ? `${firstUnits(text, VALUE_MAX)}...` : text;
}

/** As JSON, but for text. What JSON cannot hold (a host may bring it) must not lose the call. */
function valueText(value: unknown): string {
  if (typeof value === "string") return value;
  return attempt(() => JSON.stringify(value)) ?? typeof value;
}

/** A name that is no text: foreign JSON can hold a `toString` that throws. */
function nameText(name: unknown): string {
  return attempt(() => `${name}`) ?? typeof name;
}

function attempt(make: () => string | undefined): string | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  "\0": "\\0",
  "\r": "\\r",
  "\n": "\\n",
  "\t": "\\t",
  "\v": "\\v",
  "\f": "\\f",
  "\u2028": "\\u2028",
  "\u2029": "\\u2029",
};

function escapeControls(text: string): string {
  return text.replace(
    /[\p{Cc}\u2028\u2029]/gu,
    (sign) => ESCAPES[sign] ?? `\\x${sign.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );
}

/** The first part that a name has, in this order: `search_and_read` is a read. */
const KINDS = [
  ["read", "read"],
  ["write", "edit"],
  ["edit", "edit"],
  ["delete", "delete"],
  ["remove", "delete"],
  ["move", "move"],
  ["rename", "move"],
  ["search", "search"],
  ["find", "search"],
  ["exec", "execute"],
  ["run", "execute"],
  ["bash", "execute"],
  ["fetch", "fetch"],
  ["http", "fetch"],
] as const;

export type OpenclawToolKind = (typeof KINDS)[number][1] | "other";

export function openclawToolKind(name: unknown): OpenclawToolKind {
  const word = typeof name === "string" ? name.toLowerCase() : "";
  return KINDS.find(([part]) => word.includes(part))?.[1] ?? "other";
}
