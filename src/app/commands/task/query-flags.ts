import * as z from "zod";
import { fail, ok, type Result } from "../../../core/result.js";
import type { TaskQuery } from "../../../core/task/query.js";
import { TASK_STATUSES, type TaskStatus } from "../../../core/task/task.js";
import { splitNames } from "./task-flags.js";

const STATUS = z
  .string()
  .refine((text) => splitNames([text]).every(isStatus), `Use ${TASK_STATUSES.join(", ")}; several with commas`);

function isStatus(text: string): text is TaskStatus {
  return TASK_STATUSES.some((status) => status === text);
}

/** Which tasks are meant; everything that is said must hold. */
export const QUERY = {
  status: z
    .array(STATUS)
    .optional()
    .describe(`only ${TASK_STATUSES.join(", ")}; several with commas`),
  open: z.boolean().default(false).describe("only what is still to be done"),
  ready: z.boolean().default(false).describe("only what can be claimed now, the best first"),
  blocked: z.boolean().default(false).describe("only what waits for other tasks"),
  waiting: z.boolean().default(false).describe("only what waits for a time, a signal or a person"),
  stale: z.boolean().default(false).describe("only what is in progress although nobody keeps it up"),
  label: z.string().optional().describe("only with this label"),
  owner: z.string().optional().describe("only what somebody holds, or what is kept for somebody"),
  parent: z.string().optional().describe("only parts of this task"),
  search: z.string().optional().describe("words in subject, description, notes and labels"),
  limit: z.number().int().min(1).optional().describe("how many (default: all)"),
  after: z.number().int().min(0).optional().describe("only numbers above this one: how a page follows another"),
};

interface QueryInput {
  readonly status?: readonly string[] | undefined;
  readonly open: boolean;
  readonly ready: boolean;
  readonly blocked: boolean;
  readonly waiting: boolean;
  readonly stale: boolean;
  readonly label?: string | undefined;
  readonly owner?: string | undefined;
  readonly search?: string | undefined;
  readonly limit?: number | undefined;
  readonly after?: number | undefined;
}

/** `parent` is a name: which number it has, only the store knows. */
export function queryOf(input: QueryInput): Result<TaskQuery> {
  const { label, owner, search, limit, after } = input;
  if (input.ready && after !== undefined)
    return fail({
      code: "bad-usage",
      message: "--after goes by number; what is ready goes by priority. Leave one out.",
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
