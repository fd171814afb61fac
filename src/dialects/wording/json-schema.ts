import { isObject, own } from "../../core/json.js";

/** As much of JSON Schema as tool arguments need. */
export type ArgumentSchema = {
  readonly type: "object" | "array" | "string";
  readonly enum?: readonly string[];
  readonly items?: ArgumentSchema;
  readonly properties?: { readonly [name: string]: ArgumentSchema };
  readonly required?: readonly string[];
};

/** A complaint for each of a million items helps nobody, and would not fit into one text. */
const MOST_VIOLATIONS = 1000;

/** Everything that breaks the schema, each with the place where it is, in the style of Rust's `jsonschema`. */
export function schemaViolations(schema: ArgumentSchema, value: unknown): readonly string[] {
  const found: string[] = [];
  for (const { path, problem } of violations(schema, value, "")) {
    found.push(`at ${path}: ${problem}`);
    if (found.length === MOST_VIOLATIONS) break;
  }
  return found;
}

interface Violation {
  readonly path: string;
  readonly problem: string;
}

/** Keywords and properties in the order of the alphabet, in which the original keeps its schema. */
function* violations(schema: ArgumentSchema, value: unknown, path: string): Generator<Violation> {
  const { enum: options, items, properties = {}, required = [], type } = schema;
  if (options && !options.some((option) => option === value))
    yield { path, problem: `${shown(value)} is not one of ${either(options)}` };
  if (items && Array.isArray(value))
    for (const [index, item] of value.entries()) yield* violations(items, item, `${path}/${index}`);
  if (isObject(value)) {
    for (const name of Object.keys(properties).sort()) {
      const property = properties[name];
      if (property && own(value, name) !== undefined) yield* violations(property, own(value, name), `${path}/${name}`);
    }
    for (const name of required)
      if (own(value, name) === undefined) yield { path, problem: `${shown(name)} is a required property` };
  }
  if (typeOf(value) !== type) yield { path, problem: `${shown(value)} is not of type ${shown(type)}` };
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function either(options: readonly string[]): string {
  const texts = options.map(shown);
  return `${texts.slice(0, -1).join(", ")} or ${texts.at(-1)}`;
}

/** Input that no JSON text could hold, or that is too deep to be printed, is named instead. */
function shown(value: unknown): string {
  try {
    return JSON.stringify(value) ?? typeof value;
  } catch {
    return typeOf(value);
  }
}
