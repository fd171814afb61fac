import { fail, ok, type Result } from "../../../core/result.js";
import type { TaskQuery } from "../../../core/task/query.js";
import { TASK_STATUSES, type TaskStatus } from "../../../core/task/task.js";
import { many, number, text, toggle, type Values } from "../../fields.js";
import { splitNames } from "./task-flags.js";

function wrongStatus(given: string): string | undefined {
  return splitNames([given]).every(isStatus) ? undefined : `use ${TASK_STATUSES.join(", ")}; several with commas`;
}

function isStatus(text: string): text is TaskStatus {
  return TASK_STATUSES.some((status) => status === text);
}

/** A task matches when it meets all conditions. */
export const QUERY = {
  status: many(
    text("STATUS", `only ${TASK_STATUSES.join(", ")}; several with commas`, {
      choices: TASK_STATUSES,
      check: wrongStatus,
    }),
  ),
  all: toggle("closed tasks too"),
  open: toggle("only open tasks (the default without --status)"),
  ready: toggle("only tasks that can be claimed now, best first"),
  blocked: toggle("only tasks with an open blocker"),
  waiting: toggle("only tasks that wait for a time, a signal or a person"),
  stale: toggle("only tasks in progress whose lease has expired"),
  label: text("LABEL", "only tasks with this label", { mayBeEmpty: true }),
  owner: text("WHO", "only tasks held by or assigned to this owner"),
  parent: text("TASK", "only subtasks of this task", { mayBeEmpty: true }),
  search: text("WORDS", "only tasks with these words in subject, description, notes or labels"),
  limit: number("N", "maximum number of tasks (default: all)", { least: 1 }),
  after: number("N", "only task numbers above this one, for the next page", { least: 0 }),
};

type QueryInput = Values<typeof QUERY>;

/** Without `parent`: only the store knows the number of a name. */
export function queryOf(input: Omit<QueryInput, "parent">): Result<TaskQuery> {
  const { label, owner, search, limit, after } = input;
  if (input.ready && after !== undefined)
    return fail({
      code: "bad-usage",
      message: "--after pages by number, but --ready sorts by priority. Use only one of them.",
    });
  if (input.open && input.all)
    return fail({
      code: "bad-usage",
      message: "--open shows open tasks only, --all closed ones too. Use only one of them.",
    });
  const status = splitNames(input.status).filter(isStatus);
  // These are open in any case.
  const isPicked = input.ready || input.blocked || input.waiting || input.stale;
  const isOpen = input.open || !(input.all || isPicked || status.length > 0);
  return ok({
    status: status.length === 0 ? undefined : status,
    isOpen: isOpen || undefined,
    isReady: input.ready || undefined,
    isBlocked: input.blocked || undefined,
    isWaiting: input.waiting || undefined,
    isStale: input.stale || undefined,
    label,
    owner,
    search: search?.trim() || undefined,
    limit,
    after,
  });
}
