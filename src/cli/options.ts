import { Option } from "commander";
import * as z from "zod";

interface Property {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly description?: string;
  readonly default?: unknown;
}

/** The flags of a command, read off its input schema: one source for CLI, HTTP and SDK. */
export function optionsOf(input: z.ZodObject): readonly Option[] {
  const { properties = {} } = z.toJSONSchema(input) as { readonly properties?: Readonly<Record<string, Property>> };
  return Object.entries(properties).map(([name, property]) => {
    const value = property.type === "boolean" ? "" : ` <${property.enum ? "name" : (property.type ?? "value")}>`;
    const option = new Option(`--${kebab(name)}${value}`, property.description ?? "");
    if (property.enum) option.choices(property.enum);
    // The schema fills in defaults; commander only shows them.
    if (property.default !== undefined && property.type !== "boolean") option.default(property.default);
    return option;
  });
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
