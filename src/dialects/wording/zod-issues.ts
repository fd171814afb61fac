/** Complaints as zod 4 words them, with the keys in its order: several agents print them for their models. */
export type Issue = TypeIssue | ValueIssue | SizeIssue | KeyIssue | UnionIssue;
export type Path = readonly (string | number)[];

interface Complaint<Code extends string> {
  readonly code: Code;
  readonly path: Path;
  readonly message: string;
}
export type TypeIssue = Complaint<"invalid_type"> & { readonly expected: "array" | "object" | "record" | "string" };
type ValueIssue = Complaint<"invalid_value"> & { readonly values: readonly string[] };
type SizeIssue = { readonly origin: Origin; readonly inclusive: true } & (
  | (Complaint<"too_small"> & { readonly minimum: number })
  | (Complaint<"too_big"> & { readonly maximum: number })
);
type KeyIssue = Complaint<"unrecognized_keys"> & { readonly keys: readonly string[] };
/** `errors`: what each of the options has to say. */
type UnionIssue = Complaint<"invalid_union"> & { readonly errors: readonly (readonly Issue[])[] };

type Origin = "string" | "array" | "unknown";

/** `received` is one of the two kinds below. */
export function typeIssue(expected: TypeIssue["expected"], path: Path, received: string): TypeIssue {
  return { expected, code: "invalid_type", path, message: `Invalid input: expected ${expected}, received ${received}` };
}

export function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isNaN(value) ? "NaN" : typeof value;
}

/** Newer versions name a number that is not finite; older ones call it a number. */
export function exactKindOf(value: unknown): string {
  return typeof value === "number" && !Number.isFinite(value) ? String(value) : kindOf(value);
}

export function optionIssues(value: unknown, path: Path, values: readonly string[]): readonly Issue[] {
  if (values.some((option) => option === value)) return [];
  const options = values.map((option) => `"${option}"`).join("|");
  const message =
    values.length === 1 ? `Invalid input: expected ${options}` : `Invalid option: expected one of ${options}`;
  return [{ code: "invalid_value", values, path, message }];
}

/** One of several sets of options, each of which says for itself what it would have taken. */
export function unionIssues(value: unknown, path: Path, unions: readonly (readonly string[])[]): readonly Issue[] {
  const errors = unions.map((values) => optionIssues(value, [], values));
  const isTaken = errors.some((issues) => issues.length === 0);
  return isTaken ? [] : [{ code: "invalid_union", errors, path, message: "Invalid input" }];
}

interface Size {
  readonly minimum?: number;
  readonly maximum?: number;
  /** The schema's own words instead of zod's. */
  readonly whenSmall?: string;
}

/** zod's length checks run on whatever has a length, also after the type was found wrong. */
export function sizeIssues(value: unknown, path: Path, { minimum, maximum, whenSmall }: Size): readonly Issue[] {
  const length = lengthOf(value);
  if (length === undefined) return [];
  const origin = typeof value === "string" ? "string" : Array.isArray(value) ? "array" : "unknown";
  const issues: Issue[] = [];
  if (minimum !== undefined && !(length >= minimum)) {
    const message = whenSmall ?? `Too small: expected ${sizeText(origin, `>=${minimum}`)}`;
    issues.push({ origin, code: "too_small", minimum, inclusive: true, path, message });
  }
  if (maximum !== undefined && !(length <= maximum)) {
    const message = `Too big: expected ${sizeText(origin, `<=${maximum}`)}`;
    issues.push({ origin, code: "too_big", maximum, inclusive: true, path, message });
  }
  return issues;
}

const UNITS: Readonly<Record<Origin, string | undefined>> = {
  string: "characters",
  array: "items",
  unknown: undefined,
};

function sizeText(origin: Origin, size: string): string {
  const unit = UNITS[origin];
  return unit === undefined ? `${origin} to be ${size}` : `${origin} to have ${size} ${unit}`;
}

function lengthOf(value: unknown): number | undefined {
  if (value === null || value === undefined) return undefined;
  const { length } = value as { readonly length?: unknown };
  return length === undefined ? undefined : asNumber(length);
}

/** JavaScript's own conversion, except that nothing nested or odd can throw or overflow. */
function asNumber(value: unknown): number {
  if (!Array.isArray(value)) return typeof value === "object" && value !== null ? Number.NaN : Number(value);
  let inner: unknown = value;
  while (Array.isArray(inner) && inner.length === 1) inner = inner[0];
  if (Array.isArray(inner)) return inner.length === 0 ? 0 : Number.NaN;
  return typeof inner === "boolean" ? Number.NaN : asNumber(inner ?? 0);
}
