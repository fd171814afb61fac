/** SHA-256 of a text's UTF-8 bytes, in hex: whoever calls brings it, core has none. */
export type Sha256 = (text: string) => string;

/** No stack is as deep as JSON can be; nothing that differs only below is told apart. */
const DEEPEST = 500;

/** One text for equal values, whatever the order of keys. What JSON cannot hold has a text as well. */
export function stableText(value: unknown, above: readonly object[] = []): string {
  if (typeof value === "string" || typeof value === "boolean") return JSON.stringify(value);
  if (typeof value === "number") return Number.isFinite(value) ? JSON.stringify(value) : `"${value}"`;
  if (typeof value === "bigint") return `"${value}"`;
  if (value === null || typeof value !== "object") return value === null ? "null" : "undefined";
  if (above.includes(value) || above.length >= DEEPEST) return '"[Circular]"';
  const path = [...above, value];
  if (value instanceof Error) return stableText({ name: value.name, message: value.message, stack: value.stack }, path);
  if (Array.isArray(value)) return `[${value.map((item) => stableText(item, path)).join(",")}]`;
  const fields = value as { readonly [field: string]: unknown };
  const parts = Object.keys(fields)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${stableText(fields[key], path)}`);
  return `{${parts.join(",")}}`;
}

/** The beginning is the tool, so that the same arguments of another one are another call. */
export function callSignature(tool: string, args: unknown, sha256: Sha256): string {
  return `${tool}:${sha256(stableText(args))}`;
}

/** What an error says; that of an object is its stable text. */
export function errorText(error: unknown): string {
  if (error instanceof Error) return error.message || error.name;
  if (typeof error === "string") return error;
  if (typeof error === "number" || typeof error === "boolean" || typeof error === "bigint") return `${error}`;
  return stableText(error);
}

const MISSING_TOOL = [
  /unknown tool[:\s]+["']?([a-z0-9_.-]+)/i,
  /tool\s+["']?([a-z0-9_.-]+)["']?\s+(?:not found|is not available)/i,
];

/** Which tool an error says is not there. */
export function missingTool(error: unknown): string | undefined {
  const text = errorText(error);
  for (const pattern of MISSING_TOOL) {
    const name = pattern.exec(text)?.[1];
    if (name) return name.toLowerCase();
  }
  return undefined;
}
