import { readFileSync } from "node:fs";

/** Hostile input, and what must become of it. */
export interface Attack {
  readonly id: string;
  readonly surface: string;
  readonly input: string;
  readonly expectation: string;
}

/** All entries of one surface or more. */
export function attacksOn(...surfaces: readonly string[]): readonly Attack[] {
  const all: readonly Attack[] = JSON.parse(readFileSync(new URL("attacks.json", import.meta.url), "utf8"));
  return all.filter(({ surface }) => surfaces.includes(surface));
}

/** Those of these entries that a test file beside this one names in a test. */
export function testedIn(file: string, ids: readonly string[]): readonly string[] {
  const names = [...readFileSync(new URL(file, import.meta.url), "utf8").matchAll(/test\(\s*["`]([a-z0-9-]+): /g)];
  return ids.filter((id) => names.some(([, name]) => name === id));
}

/** `gen:` and `jsonl:` inputs are JavaScript expressions of our own test data. */
export function evaluate(input: string): unknown {
  const [, kind, expression] = /^(gen|jsonl):([\s\S]*)$/.exec(input) ?? [];
  return kind ? new Function("Buffer", `return (${expression})`)(Buffer) : input;
}
