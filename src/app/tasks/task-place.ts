import * as z from "zod";
import { checkId } from "../../core/id.js";
import { fail, ok, type Result } from "../../core/result.js";
import { LEASE } from "../../core/task/lease.js";
import { OUR_POLICY } from "../../core/task/policy.js";
import type { CommandContext } from "../command.js";
import { isKey } from "../milepost.js";
import { personOf } from "../todo/person-edit.js";
import { listName } from "./list-name.js";
import type { BoardWork } from "./on-board.js";
import { numbersStream } from "./task-views.js";

/** Flags of every task command. */
export const WHERE = {
  list: z
    .string()
    .min(1)
    .optional()
    .describe("task list (or MILEPOST_LIST; default: the repository's, else the folder's)"),
};

export const WHO = {
  ...WHERE,
  as: z.string().min(1).optional().describe("who acts and holds the lease (default: the session, else user@host)"),
  session: z.string().min(1).optional().describe("session that works on it (default: the one this runs in)"),
  key: z.string().min(1).optional().describe("idempotency key: repeated with the same key, it runs once"),
};

export interface Where {
  readonly list?: string | undefined;
}

export interface Who extends Where {
  readonly as?: string | undefined;
  readonly session?: string | undefined;
  readonly key?: string | undefined;
}

export function listOf({ environment, folder }: CommandContext, { list }: Where): Result<string> {
  return listName(list, environment, folder);
}

/** Who writes, and to which list. `input` is what an idempotency key is bound to. */
export function placeOf(context: CommandContext, who: Who, input: unknown): Result<BoardWork> {
  const list = listOf(context, who);
  if (!list.ok) return list;
  const session = who.session ?? (context.environment.CLAUDE_CODE_SESSION_ID || "");
  const refused = session === "" ? undefined : checkId("session", session);
  if (refused) return refused;
  const owner = personOf(who.as ?? (session || undefined));
  if (!owner.ok) return owner;
  const { key } = who;
  if (key !== undefined && !isKey(key))
    return fail({ code: "bad-key", message: "A key is 1 to 200 visible ASCII characters without spaces." });
  const stream = numbersStream(list.value);
  return ok({
    list: list.value,
    owner: owner.value,
    session,
    policy: OUR_POLICY,
    ...(key === undefined ? undefined : { idempotency: { key, stream, input: [stream, owner.value, input] } }),
  });
}

/** A session's activity renews its leases. A claim outside a session is not observed, so it starts longer. */
export function standardTtl({ session }: BoardWork): number {
  return session === "" ? LEASE.bare : LEASE.session;
}
