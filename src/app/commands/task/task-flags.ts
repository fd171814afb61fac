import * as z from "zod";
import { isObject } from "../../../core/json.js";
import type { Result } from "../../../core/result.js";
import { TASK_PRIORITIES, type TaskPriority } from "../../../core/task/task.js";
import { DEEPEST_VALUE, excessOf, LARGEST_VALUE } from "../../../core/value-limits.js";
import type { CommandContext } from "../../command-definition.js";
import { listName } from "../../tasks/list-name.js";
import { parseDuration } from "./duration.js";

// Flags that several verbs take, and what their values mean.

export const WHERE = {
  list: z
    .string()
    .min(1)
    .optional()
    .describe("task list (or MILEPOST_LIST; default: the repository's, else the folder's)"),
};

export type Where = z.output<z.ZodObject<typeof WHERE>>;

export function listOf({ environment, folder }: CommandContext, { list }: Where): Result<string> {
  return listName(list, environment, folder);
}

export const WHO = {
  ...WHERE,
  as: z.string().min(1).optional().describe("who acts and holds the lease (default: the session, else user@host)"),
  session: z.string().min(1).optional().describe("session that works on it (default: the one this runs in)"),
  key: z.string().min(1).optional().describe("idempotency key: repeated with the same key, it runs once"),
};

export type Who = z.output<z.ZodObject<typeof WHO>>;

export const TASK = { task: z.string().min(1).describe("task number (3 or #3) or UUID") };

/** For verbs that only the holder may use on a claimed task. */
export const HOLDER = {
  ...TASK,
  fence: z.number().int().min(1).optional().describe("fence number of your claim"),
  ...WHO,
};

/** A name, or 0 to 4 (p0 to p4) from the most urgent. */
export function parsePriority(text: string): TaskPriority | undefined {
  const [, digit] = /^p?([0-4])$/i.exec(text) ?? [];
  return TASK_PRIORITIES.find((word, index) => word === text.toLowerCase() || String(index) === digit);
}

const PRIORITY = z
  .string()
  .refine((text) => parsePriority(text) !== undefined, `use ${TASK_PRIORITIES.join(", ")}, or 0 to 4`);

export function durationFlag(what: string) {
  return z
    .string()
    .refine((text) => parseDuration(text) !== undefined, "use a duration such as 90s, 30m, 2h or 1d")
    .optional()
    .describe(what);
}

/** Undefined if it is not JSON. */
function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** The value of a flag that has been checked. */
export function jsonOf(text: string | undefined): unknown {
  return text === undefined ? undefined : parseJson(text)?.value;
}

export const PAYLOAD = z
  .string()
  .refine((text) => parseJson(text) !== undefined, "not valid JSON")
  .refine(
    (text) => excessOf(jsonOf(text)) === undefined,
    `use at most ${DEEPEST_VALUE} levels and ${LARGEST_VALUE / 1024} KiB`,
  )
  .optional()
  .describe("data for the woken tasks, as JSON");

export const DETAILS = {
  description: z.string().optional().describe("full instructions for whoever works on it"),
  activeForm: z.string().optional().describe("text while it is in progress, such as: Fixing the login"),
  priority: PRIORITY.optional().describe(`${TASK_PRIORITIES.join(", ")}; or 0 to 4`),
  label: z.array(z.string()).optional().describe("a label; repeat the flag for more"),
  parent: z.string().optional().describe("parent task"),
  assignee: z.string().optional().describe("reserve it for somebody; others claim it only by its number"),
  maxAttempts: z.number().int().min(1).max(1000).optional().describe("attempts before it fails (default: 3)"),
  metadata: z
    .string()
    .refine((text) => isObject(parseJson(text)?.value), "not a JSON object")
    .optional()
    .describe("custom fields, as a JSON object"),
};

/** `--after 3,4 --after 5` */
export function splitNames(values: readonly string[] | undefined): readonly string[] {
  return (values ?? [])
    .flatMap((value) => value.split(","))
    .map((name) => name.trim())
    .filter((name) => name !== "");
}
