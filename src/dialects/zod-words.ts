/** What zod 4 says about a wrong value. Agents hand its words to their models, so they are words of dialects too. */

export function typeText(expected: string, value: unknown): string {
  return `Invalid input: expected ${expected}, received ${kindOf(value)}`;
}

export function optionText(options: readonly string[]): string {
  return `Invalid option: expected one of ${options.map((option) => `"${option}"`).join("|")}`;
}

const UNITS = { string: "characters", array: "items" } as const;

/** For "at least one", the only least length that our originals have. */
export function tooShortText(value: unknown): string {
  const origin = originOf(value);
  return origin === "unknown"
    ? "Too small: expected unknown to be >=1"
    : `Too small: expected ${origin} to have >=1 ${UNITS[origin]}`;
}

export function originOf(value: unknown): "string" | "array" | "unknown" {
  if (typeof value === "string") return "string";
  return Array.isArray(value) ? "array" : "unknown";
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value === "number" && !Number.isFinite(value) ? String(value) : typeof value;
}

/** zod's length check runs on whatever has a length, also after the type was found wrong. */
export function isTooShort(value: unknown): boolean {
  if (value === null || value === undefined) return false;
  const { length } = value as { readonly length?: unknown };
  if (length === undefined) return false;
  return !(asNumber(length) >= 1);
}

/** JavaScript's own conversion, except that nothing nested or odd can throw or overflow. */
function asNumber(value: unknown): number {
  if (!Array.isArray(value)) return typeof value === "object" && value !== null ? Number.NaN : Number(value);
  let inner: unknown = value;
  while (Array.isArray(inner) && inner.length === 1) inner = inner[0];
  if (Array.isArray(inner)) return inner.length === 0 ? 0 : Number.NaN;
  return typeof inner === "boolean" ? Number.NaN : asNumber(inner ?? 0);
}
