import * as z from "zod";
import { checkId } from "../../core/id.js";
import { ok, type Result } from "../../core/result.js";
import { DIGEST_TOKENS_MAX, DIGEST_TOKENS_MIN, digestOf } from "../../core/session/digest.js";
import { EMPTY_LIST, type TodoList } from "../../core/todo/list.js";
import { type CommandContext, defineCommand } from "../command.js";
import { findListed } from "../find-session.js";
import { readSettings } from "../settings.js";
import { attachedList } from "../transcripts/attached-list.js";

export const digest = defineCommand({
  details: `What a model needs to go on after its context was cut: unfinished todos only, the current one first and with its notes.
Hooks put it in by themselves; this prints it for everybody else, from the transcript for a session that does not report to us.
Nothing open: nothing printed.

Example:
  milepost digest --session 0199-ab12 --tokens 800`,
  input: z.object({
    session: z.string().optional().describe("the session (default: the newest in this project)"),
    agent: z.string().optional().describe("a sub-agent in it"),
    tokens: z.coerce
      .number()
      .int()
      .min(DIGEST_TOKENS_MIN)
      .max(DIGEST_TOKENS_MAX)
      .optional()
      .describe("the most it may take, 500 to 5000 (default: 2000)"),
  }),
  async run(context, { session: asked, agent, tokens }) {
    const refused = agent === undefined ? undefined : checkId("agent", agent);
    if (refused) return refused;
    const found = await listOf(context, asked, agent);
    if (!found.ok) return found;
    const { session, list } = found.value;
    const budget = tokens ?? readSettings(context.environment).digestTokens;
    const made = digestOf(list, "Milepost: the open todos of this session.", budget);
    return ok({ session, ...(made ?? { text: "", shown: 0, omitted: 0, tokens: 0 }) });
  },
  show: ({ text }) => (text === "" ? "" : `${text}\n`),
});

interface Found {
  readonly session: string;
  readonly list: TodoList;
}

/** The store knows best. What it has never had a list of is looked for in transcripts. */
async function listOf(
  context: CommandContext,
  asked: string | undefined,
  agent: string | undefined,
): Promise<Result<Found>> {
  const { store, list } = await context.open("read");
  const session = await findListed(store, asked, context.folder);
  if (!session.ok && session.error.code !== "no-session") return session;
  const stored = session.ok
    ? await list({ session: session.value, ...(agent === undefined ? undefined : { agent }) })
    : undefined;
  if (stored && !stored.ok) return stored;
  if (session.ok && stored && stored.value.revision > 0) return ok({ session: session.value, list: stored.value });
  const attached = await attachedList(context, asked, agent);
  if (attached) return ok(attached);
  return session.ok ? ok({ session: session.value, list: stored?.value ?? EMPTY_LIST }) : session;
}
