import { isObject } from "../../core/json.js";

/** The part of JSON Schema that the tool's arguments need. Repair and validation walk it, so nothing is said twice. */
export type Shape = TextShape | ListShape | RecordShape;

interface TextShape {
  readonly type: "string";
  readonly description?: string;
  readonly enum?: readonly string[];
}

interface ListShape {
  readonly type: "array";
  readonly description?: string;
  readonly items: Shape;
  readonly minItems?: 1;
}

export interface RecordShape {
  readonly type: "object";
  readonly description?: string;
  readonly properties: { readonly [key: string]: Shape };
  readonly required: readonly string[];
  readonly additionalProperties: false;
}

/** One operation of a call. Which fields it needs is found out when it is done, not by the schema. */
export interface PiOp {
  readonly op: "init" | "start" | "done" | "rm" | "drop" | "append" | "note";
  readonly list?: readonly { readonly phase: string; readonly items: readonly string[] }[];
  readonly task?: string;
  readonly phase?: string;
  readonly items?: readonly string[];
  readonly text?: string;
}

const OPS: readonly PiOp["op"][] = ["init", "start", "done", "rm", "drop", "append", "note"];

const text = (description: string): Shape => ({ type: "string", description });
const texts = (description: string): Shape => ({
  type: "array",
  items: text("task content"),
  minItems: 1,
  description,
});

const LIST_ENTRY: Shape = {
  type: "object",
  properties: { phase: text("phase name"), items: texts("tasks for this phase") },
  required: ["phase", "items"],
  additionalProperties: false,
};

const OP: Shape = {
  type: "object",
  properties: {
    op: { type: "string", enum: OPS, description: "operation to apply" },
    list: { type: "array", items: LIST_ENTRY, description: "phased task list (init)" },
    task: text("task content"),
    phase: text("phase name"),
    items: texts("tasks to append"),
    text: text("note text"),
  },
  required: ["op"],
  additionalProperties: false,
};

export const TODO_WRITE: RecordShape = {
  type: "object",
  properties: { ops: { type: "array", items: OP, minItems: 1, description: "ordered todo operations" } },
  required: ["ops"],
  additionalProperties: false,
  description: "apply ordered todo operations",
};

/** The known parts of a value, each rewritten; the value itself where none of them changed. */
export function rewriteParts(shape: Shape, value: unknown, rewrite: (shape: Shape, part: unknown) => unknown): unknown {
  if (shape.type === "array" && Array.isArray(value)) {
    const parts = value.map((part) => rewrite(shape.items, part));
    return parts.every((part, at) => Object.is(part, value[at])) ? value : parts;
  }
  if (shape.type !== "object" || !isObject(value)) return value;
  const changed = Object.entries(shape.properties).flatMap(([key, property]) => {
    const part = Object.hasOwn(value, key) ? value[key] : undefined;
    const next = rewrite(property, part);
    return Object.is(next, part) ? [] : [[key, next] as const];
  });
  return changed.length === 0 ? value : { ...value, ...Object.fromEntries(changed) };
}
