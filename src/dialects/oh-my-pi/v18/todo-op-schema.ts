import type { RecordShape, Shape } from "../pi-schema.js";

/** One call is one operation. Which fields it needs is found out when it is done, not by the schema. */
export interface TodoOp {
  readonly op: (typeof OPS)[number];
  readonly list?: readonly { readonly phase: string; readonly items: readonly string[] }[];
  readonly task?: string;
  readonly phase?: string;
  readonly items?: readonly string[];
  readonly reason?: string;
}

const OPS = ["init", "start", "done", "rm", "drop", "block", "unblock", "append", "view"] as const;

const text: Shape = { type: "string" };

const LIST_ENTRY: Shape = {
  type: "object",
  properties: { phase: text, items: { type: "array", items: text, minItems: 1 } },
  required: ["phase", "items"],
  additionalProperties: false,
};

/** The descriptions are also what the tool says it expected. */
export const TODO: RecordShape = {
  type: "object",
  properties: {
    op: { type: "string", enum: OPS },
    list: { type: "array", items: LIST_ENTRY, description: "phases for init" },
    task: { type: "string", description: "verbatim task content" },
    phase: text,
    items: { type: "array", items: text, description: "tasks for flat init or append" },
    reason: { type: "string", description: "blocker note for block" },
  },
  required: ["op"],
  additionalProperties: false,
};
