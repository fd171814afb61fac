import { Argument, Option } from "commander";
import * as z from "zod";

interface Property {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly description?: string;
  readonly default?: unknown;
}

/** The flags of a command, read off its input schema: one source for CLI, HTTP and SDK. */
export function optionsOf(input: z.ZodObject): readonly Option[] {
  const { properties, required } = schemaOf(input);
  return Object.entries(properties).map(([name, property]) => {
    // JSON Schema lists fields with a default as required; for a person they are optional.
    const isNeeded = required.includes(name) && property.default === undefined;
    const description = [property.description ?? "", ...(isNeeded ? ["(required)"] : [])].join(" ").trim();
    const option = new Option(flagOf(kebab(name), property), description);
    if (property.enum) option.choices(property.enum);
    if (property.type === "number" || property.type === "integer") option.argParser(Number);
    // Repeated, not variadic: a variadic flag would swallow the positional words after it.
    if (property.type === "array")
      option.argParser<readonly string[] | undefined>((value, before) => [...(before ?? []), value]);
    // The schema fills in defaults; commander only shows them.
    if (property.default !== undefined && property.type !== "boolean" && property.type !== "array")
      option.default(property.default);
    return option;
  });
}

function schemaOf(input: z.ZodObject) {
  const { properties = {}, required = [] } = z.toJSONSchema(input) as {
    readonly properties?: Readonly<Record<string, Property>>;
    readonly required?: readonly string[];
  };
  return { properties, required };
}

function flagOf(name: string, { type, enum: choices, default: standard }: Property): string {
  if (type === "boolean") return standard === true ? `--no-${name}` : `--${name}`;
  return `--${name} <${choices ? "name" : type === undefined || type === "array" ? "value" : type}>`;
}

/** An input that is told by its place: `FILE`, `[FILE]` when it may be left out, `FILE...` for several. */
export function argumentOf(input: z.ZodObject, name: string): Argument {
  const { properties, required } = schemaOf(input);
  const { type, description = "", default: standard } = properties[name] ?? {};
  const isNeeded = required.includes(name) && standard === undefined;
  const word = type === "array" ? `${name}...` : name;
  return new Argument(isNeeded ? `<${word}>` : `[${word}]`, description);
}

/** `upTo` in a schema is `--up-to` on the command line. */
export function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
