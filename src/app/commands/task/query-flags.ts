import * as z from "zod";
import { fail, ok, type Result } from "../../../core/result.js";
import type { TaskQuery } from "../../../core/task/query.js";
import { TASK_STATUSES, type TaskStatus } from "../../../core/task/task.js";
import { splitNames } from "./task-flags.js";

const STATUS = z
  .string()
  .refine((text) => splitNames([text]).every(isStatus), `use ${TASK_STATUSES.join(", ")}; several with commas`);

function isStatus(text: string): text is TaskStatus {
  return TASK_STATUSES.some((status) => status === text);
}

/** A task matches when it meets all conditions. */
export const QUERY = {
  status: z
    .array(STATUS)
    .optional()
    .describe(`only ${TASK_STATUSES.join(", ")}; several with commas`),
  open: z.boolean().default(false).describe("only open tasks"),
  ready: z.boolean().default(false).describe("only tasks that can be claimed now, best first"),
  blocked: z.boolean().default(false).describe("only tasks with an open blocker"),
  waiting: z.boolean().default(false).describe("only tasks that wait for a time, a signal or a person"),
  stale: z.boolean().default(false).describe("only tasks in progress whose lease has expired"),
  label: z.string().optional().describe("only tasks with this label"),
  owner: z.string().optional().describe("only tasks held by or assigned to this owner"),
  parent: z.string().optional().describe("only subtasks of this task"),
  search: z.string().optional().describe("only tasks with these words in subject, description, notes or labels"),
  limit: z.number().int().min(1).optional().describe("maximum number of tasks (default: all)"),
  after: z.number().int().min(0).optional().describe("only task numbers above this one, for the next page"),
};

type QueryInput = z.output<z.ZodObject<typeof QUERY>>;

/** Without `parent`: only the store knows the number of a name. */
export function queryOf(input: Omit<QueryInput, "parent">): Result<TaskQuery> {
  const { label, owner, search, limit, after } = input;
  if (input.ready && after !== undefined)
    return fail({
      code: "bad-usage",
      message: "--after pages by number, but --ready sorts by priority. Use only one of them.",
    });
  const status = splitNames(input.status).filter(isStatus);
  return ok({
    status: status.length === 0 ? undefined : status,
    isOpen: input.open || undefined,
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
