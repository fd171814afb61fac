/** A JSON value as Python holds it: whole numbers are bigint, all other numbers are floats. */
export type PythonValue = null | boolean | string | bigint | number | readonly PythonValue[] | PythonDict | TooDeep;
export type PythonDict = ReadonlyMap<string, PythonValue>;

/** What is nested deeper than Python can walk. Nobody minds until somebody asks for its text. */
const TOO_DEEP = Symbol("too deep");
type TooDeep = typeof TOO_DEEP;

/** Python gives up at 1,000 calls, some of which are its program's own. */
export const DEEPEST = 950;

/** An exception inside a Python program: its message is what the model reads. */
export class PythonError extends Error {}

/** JavaScript writes from here on as Python writes a float, so a number this large was hardly written as digits. */
const LARGEST_WHOLE = 1e21;

/** From JSON that was parsed already: it no longer tells 2.0 from 2. What JSON has no word for is None. */
export function fromJson(value: unknown, depth = 0): PythonValue {
  if (typeof value === "number")
    return Number.isInteger(value) && Math.abs(value) < LARGEST_WHOLE ? BigInt(value) : value;
  if (typeof value === "string" || typeof value === "boolean" || typeof value === "bigint") return value;
  if (typeof value !== "object" || value === null) return null;
  if (depth >= DEEPEST) return TOO_DEEP;
  if (Array.isArray(value)) return Array.from(value, (item) => fromJson(item, depth + 1));
  const known = Object.entries(value).filter(([, item]) => item !== undefined);
  return new Map(known.map(([key, item]) => [key, fromJson(item, depth + 1)]));
}

export function isDict(value: PythonValue | undefined): value is PythonDict {
  return value instanceof Map;
}

export function isList(value: PythonValue | undefined): value is readonly PythonValue[] {
  return Array.isArray(value);
}

/** What Python's `if` makes of it. */
export function isTrue(value: PythonValue | undefined): value is PythonValue {
  if (value === undefined || value === null) return false;
  if (isList(value)) return value.length > 0;
  if (isDict(value)) return value.size > 0;
  // A NaN is true to Python.
  return typeof value === "number" ? value !== 0 : Boolean(value);
}

/** The name of its type. */
export function typeName(value: PythonValue): string {
  if (value === null) return "NoneType";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "string") return "str";
  if (typeof value === "bigint") return "int";
  if (typeof value === "number") return "float";
  return isDict(value) ? "dict" : "list";
}
