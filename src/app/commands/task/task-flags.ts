import * as z from "zod";
import { isObject } from "../../../core/json.js";
import { TASK_PRIORITIES, type TaskPriority } from "../../../core/task/task.js";
import { WHO } from "../../tasks/task-place.js";
import { parseDuration } from "./duration.js";

// Flags that several verbs take, and what their texts mean. A value that is none is wrong usage.

export const TASK = { task: z.string().min(1).describe("its number (3, #3), or its UUID") };

/** For verbs whose word counts only from the holder, once somebody holds the task. */
export const HOLDER = {
  ...TASK,
  fence: z.number().int().min(1).optional().describe("the fence of your claim"),
  ...WHO,
};

/** The highest first: 0 to 4, or p0 to p4, as others count. */
export function parsePriority(text: string): TaskPriority | undefined {
  const [, digit] = /^p?([0-4])$/i.exec(text) ?? [];
  return TASK_PRIORITIES.find((word, index) => word === text.toLowerCase() || String(index) === digit);
}

const PRIORITY = z
  .string()
  .refine((text) => parsePriority(text) !== undefined, `Use ${TASK_PRIORITIES.join(", ")}, or 0 to 4`);

export function durationFlag(what: string) {
  return z
    .string()
    .refine((text) => parseDuration(text) !== undefined, "Use a time such as 90s, 30m, 2h or 1d")
    .optional()
    .describe(what);
}

/** Undefined for what is no JSON. */
function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** Checked when the flag was read. */
export function jsonOf(text: string | undefined): unknown {
  return text === undefined ? undefined : parseJson(text)?.value;
}

export const PAYLOAD = z
  .string()
  .refine((text) => parseJson(text) !== undefined, "This is no JSON")
  .optional()
  .describe("what is told along, as JSON");

/** What a task is about: the same flags when it is added and when it is changed. */
export const DETAILS = {
  description: z.string().optional().describe("everything that somebody who does it has to know"),
  activeForm: z.string().optional().describe("how it reads while it is done, such as: Fixing the login"),
  priority: PRIORITY.optional().describe(`${TASK_PRIORITIES.join(", ")}; or 0 to 4`),
  label: z.array(z.string()).optional().describe("a label; say it again for another one"),
  parent: z.string().optional().describe("the task it is a part of"),
  assignee: z.string().optional().describe("kept for somebody: others get it only by its number"),
  maxAttempts: z.number().int().min(1).max(1000).optional().describe("how often it may fail (default: 3)"),
  metadata: z
    .string()
    .refine((text) => isObject(parseJson(text)?.value), "This is no JSON object")
    .optional()
    .describe("anything else, as a JSON object"),
};

/** Several in one flag, several flags, or both: `3,4`. */
export function splitNames(values: readonly string[] | undefined): readonly string[] {
  return (values ?? [])
    .flatMap((value) => value.split(","))
    .map((name) => name.trim())
    .filter((name) => name !== "");
}
