/**
 * A text, number or flag as text; undefined for everything else. JSON may hold an object whose `toString` is no function:
 * `String(value)` and `${value}` throw on it, and on a list around it. So what came from outside is cast by this only.
 */
export function scalarText(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? `${value}` : undefined;
}
