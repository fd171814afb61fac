import * as z from "zod";
import { checkId } from "../../core/id.js";
import { fail, ok } from "../../core/result.js";
import { DIGEST_TOKENS_MAX, DIGEST_TOKENS_MIN, digestOf } from "../../core/session/digest.js";
import { defineCommand } from "../command.js";
import { findListed } from "../find-session.js";
import { readSettings } from "../settings.js";

export const digest = defineCommand({
  details: `What a model needs to go on after its context was cut: unfinished todos only, the current one first and with its notes.
Hooks put it in by themselves; this prints it for everybody else. Nothing open: nothing printed.

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
  async run({ open, folder, environment }, { session: asked, agent, tokens }) {
    const refused = agent === undefined ? undefined : checkId("agent", agent);
    if (refused) return refused;
    const { store, list } = await open("read");
    const session = await findListed(store, asked, folder);
    if (!session.ok) return session;
    const found = await list({ session: session.value, ...(agent === undefined ? undefined : { agent }) });
    if (!found.ok) return fail(found.error);
    const budget = tokens ?? readSettings(environment).digestTokens;
    const made = digestOf(found.value, "Milepost: the open todos of this session.", budget);
    return ok({ session: session.value, ...(made ?? { text: "", shown: 0, omitted: 0, tokens: 0 }) });
  },
  show: ({ text }) => (text === "" ? "" : `${text}\n`),
});
