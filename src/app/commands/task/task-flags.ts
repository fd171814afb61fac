import { isObject } from "../../../core/json.js";
import type { Result } from "../../../core/result.js";
import { TASK_PRIORITIES, type TaskPriority } from "../../../core/task/task.js";
import { parseDuration } from "../../../core/text/duration.js";
import { DEEPEST_VALUE, excessOf, LARGEST_VALUE } from "../../../core/value-limits.js";
import type { CommandContext } from "../../command-definition.js";
import { many, needed, number, text, type Values } from "../../fields.js";
import { listName } from "../../tasks/list-name.js";

// Flags that several verbs take, and what their values mean.

export const WHERE = {
  list: text("LIST", "task list (or MILEPOST_LIST; default: the repository's, else the folder's)"),
};

export type Where = Values<typeof WHERE>;

export function listOf({ environment, folder }: CommandContext, { list }: Where): Result<string> {
  return listName(list, environment, folder);
}

export const WHO = {
  ...WHERE,
  as: text("WHO", "who acts and holds the lease (default: the session, else user@host)"),
  session: text("SESSION", "session that works on it (default: the one this runs in)"),
  key: text("KEY", "idempotency key: repeated with the same key, it runs once"),
};

export type Who = Values<typeof WHO>;

export const TASK = { task: needed(text("TASK", "task number, such as 3, or UUID")) };

/** For verbs that only the holder may use on a claimed task. */
export const HOLDER = {
  ...TASK,
  fence: number("N", "fence number of your claim", { least: 1 }),
  ...WHO,
};

/** A name, or 0 to 4 (p0 to p4) from the most urgent. */
export function parsePriority(text: string): TaskPriority | undefined {
  const [, digit] = /^p?([0-4])$/i.exec(text) ?? [];
  return TASK_PRIORITIES.find((word, index) => word === text.toLowerCase() || String(index) === digit);
}

function wrongPriority(given: string): string | undefined {
  return parsePriority(given) === undefined ? `use ${TASK_PRIORITIES.join(", ")}, or 0 to 4` : undefined;
}

export function durationFlag(what: string) {
  const check = (given: string) =>
    parseDuration(given) === undefined ? "use a duration such as 90s, 30m, 2h or 1d" : undefined;
  return text("DURATION", what, { check });
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

function wrongPayload(given: string): string | undefined {
  if (parseJson(given) === undefined) return "not valid JSON";
  const isTooMuch = excessOf(jsonOf(given)) !== undefined;
  return isTooMuch ? `use at most ${DEEPEST_VALUE} levels and ${LARGEST_VALUE / 1024} KiB` : undefined;
}

export const PAYLOAD = text("JSON", "data for the woken tasks, as JSON", { check: wrongPayload });

export const DETAILS = {
  description: text("TEXT", "full instructions for whoever works on it", { mayBeEmpty: true }),
  activeForm: text("TEXT", "text while it is in progress, such as: Fixing the login", { mayBeEmpty: true }),
  priority: text("PRIORITY", `${TASK_PRIORITIES.join(", ")}; or 0 to 4`, {
    choices: TASK_PRIORITIES,
    check: wrongPriority,
  }),
  label: many(text("LABEL", "a label; repeat the flag for more", { mayBeEmpty: true })),
  parent: text("TASK", "parent task", { mayBeEmpty: true }),
  assignee: text("WHO", "reserve it for somebody; others claim it only by its number", { mayBeEmpty: true }),
  maxAttempts: number("N", "attempts before it fails (default: 3)", { least: 1, most: 1000 }),
  metadata: text("JSON", "custom fields, as a JSON object", {
    check: (given) => (isObject(parseJson(given)?.value) ? undefined : "not a JSON object"),
  }),
};

/** `--after 3,4 --after 5` */
export function splitNames(values: readonly string[] | undefined): readonly string[] {
  return (values ?? [])
    .flatMap((value) => value.split(","))
    .map((name) => name.trim())
    .filter((name) => name !== "");
}
