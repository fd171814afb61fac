import { isObject } from "../dialect.js";
import { compareCodePoints } from "./rust-text.js";

/** Compact JSON with the keys of every object in order. An object of ours cannot: it puts keys like "10" first. */
export function alphabeticalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(alphabeticalJson).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? "null";
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  entries.sort(([left], [right]) => compareCodePoints(left, right));
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${alphabeticalJson(inner)}`).join(",")}}`;
}
