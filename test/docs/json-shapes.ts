import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isObject, type JsonObject, parseJson } from "../../src/core/json.js";
import type { Listed } from "./all-commands.js";
import { World } from "./sample-worlds.js";
import { enterFor, plainWords, runTyped } from "./typed-line.js";

// What `--json` prints, as the keys of what it really printed: nobody has to keep this true.

/** Objects that many commands print, by the word for them. */
type Known = Readonly<Record<string, readonly string[]>>;

export interface Shapes {
  readonly objects: Readonly<Record<string, string>>;
  /** By the name of the command, as markdown; undefined where it prints nothing as JSON. */
  readonly printed: ReadonlyMap<string, string | undefined>;
}

/** Which line tells it, where that is not the first example. */
const LINES: Readonly<Record<string, string>> = {
  // An editor needs a terminal; it prints what every change of a list prints.
  "todo edit": "milepost todo done 3",
  setup: "milepost setup --yes --json",
  "task list": "milepost task list",
  watch: "milepost watch",
  "plan propose": "milepost plan propose PLAN.md",
  "plan edit": "milepost plan edit 9u2wr PLAN.md",
};

const KNOWN: Readonly<Record<string, readonly [line: string, path: readonly string[]]>> = {
  TASK: ["milepost task claim 3 --json", ["task"]],
  SESSION: ["milepost sessions --json", ["sessions", "0"]],
  PLAN: ["milepost plan list --json", ["plans", "0"]],
  LIST: ["milepost todo list --json", ["list"]],
  TODO: ["milepost todo list --json", ["list", "phases", "0", "todos", "0"]],
};

export function jsonShapes(commands: readonly Listed[]): Shapes {
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), "milepost-shapes-")));
  const world = new World(scratch);
  try {
    const values = mapValues(KNOWN, ([line, path]) => objectAt(printedBy(line, world)[0], path));
    const known = mapValues(values, Object.keys);
    const objects = mapValues(values, (value, word) => shapeOf(value, { ...known, [word]: [UNKNOWN] }));
    const printed = commands.map((command) => [command.name, shapeBy(command, world, known)] as const);
    return { objects, printed: new Map(printed) };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** No object has it. */
const UNKNOWN = " ";

function mapValues<From, To>(all: Readonly<Record<string, From>>, to: (one: From, name: string) => To) {
  return Object.fromEntries(Object.entries(all).map(([name, one]) => [name, to(one, name)]));
}

function objectAt(value: unknown, path: readonly string[]): JsonObject {
  const found = path.reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value);
  if (!isObject(found)) throw new Error(`Nothing at ${path.join(".")}`);
  return found;
}

function shapeBy({ name, command }: Listed, world: World, known: Known): string | undefined {
  const first = command.examples.find((line) => plainWords(line) !== undefined);
  const line = LINES[name] ?? first ?? `milepost ${name}`;
  const values = printedBy(/ --json\b/.test(line) ? line : `${line} --json`, world);
  if (values.length === 0) return undefined;
  return `\`${shapeOf(values[0], known)}\`${values.length > 1 ? ", a line each" : ""}`;
}

/** One value a line; nothing where it prints something else. */
function printedBy(line: string, world: World): readonly unknown[] {
  enterFor(world, line);
  const { exit, out, err } = runTyped(line, world);
  if (exit !== 0) throw new Error(`${line} ended with ${exit}: ${err}`);
  const values = out.split("\n").filter(Boolean).map(parseJson);
  return values.includes(undefined) ? [] : values;
}

/** `{"task":TASK,"now"}`: keys; of a list, its first element. */
function shapeOf(value: unknown, known: Known): string {
  if (Array.isArray(value)) return `[${value.length === 0 || !isNested(value[0]) ? "" : shapeOf(value[0], known)}]`;
  if (!isObject(value)) return "";
  const keys = Object.keys(value);
  const word = Object.keys(known).find((name) => known[name]?.every((key) => keys.includes(key)));
  const own = keys.filter((key) => word === undefined || !known[word]?.includes(key));
  const parts = own.map((key) => {
    const inner = isNested(value[key]) && !OPEN.includes(key) ? shapeOf(value[key], known) : "";
    return inner === "" ? `"${key}"` : `"${key}":${inner}`;
  });
  if (word === undefined) return `{${parts.join(",")}}`;
  return own.length === 0 ? word : `{...${[word, ...parts].join(",")}}`;
}

/** Of these the keys depend on what it is about. */
const OPEN: readonly string[] = ["data", "input", "metadata", "payload"];

const isNested = (value: unknown) => typeof value === "object" && value !== null;
