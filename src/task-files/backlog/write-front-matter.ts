import type { FrontValue } from "./front-matter.js";

/** Fields as front matter, between its two lines. */
export function writeFrontMatter(fields: readonly (readonly [string, FrontValue | undefined])[]): string {
  const lines = fields.flatMap(([key, value]) => (value === undefined ? [] : fieldLines(key, value)));
  return ["---", ...lines, "---"].join("\n");
}

function fieldLines(key: string, value: FrontValue): readonly string[] {
  if (value === null) return [`${key}:`];
  if (typeof value !== "object") return [`${key}: ${typeof value === "string" ? scalar(value) : String(value)}`];
  return value.length === 0 ? [`${key}: []`] : [`${key}:`, ...value.map((item) => `  - ${scalar(item)}`)];
}

const PLAIN = /^[A-Za-z](?:[\w .,/()-]*[\w.)])?$/;
const MEANS_ELSE = /^(?:true|false|null|yes|no|on|off|y|n)$/i;
/** What may stand between single quotes; everything else is spelled out between double ones. */
const PRINTABLE =
  /^[\x20-\x7e\u00a1-\u167f\u1681-\u1fff\u2030-\u205e\u2070-\u2fff\u3001-\ud7ff\u{10000}-\u{10ffff}]*$/u;

function scalar(text: string): string {
  if (PLAIN.test(text) && !MEANS_ELSE.test(text)) return text;
  if (PRINTABLE.test(text)) return `'${text.replaceAll("'", "''")}'`;
  return JSON.stringify(text).replace(/[^\x20-\x7e]/g, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
