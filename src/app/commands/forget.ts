import { basename } from "node:path";
import { isId } from "../../core/id.js";
import { type Failure, fail, ok } from "../../core/result.js";
import type { NamedSession } from "../../core/session/match-session.js";
import { counted } from "../../core/text/length.js";
import { sessionStream } from "../../store/stream.js";
import { type CommandContext, defineCommand } from "../command-definition.js";
import { needed, text, toggle } from "../fields.js";
import { PLANS } from "../plans/plan-views.js";
import { findSession } from "../session/find/find-session.js";
import { SESSIONS } from "../session/session-view.js";
import { sameLine } from "../terminal/next-step.js";

export const forget = defineCommand({
  details: `Deletes the session's list and history, those of its sub-agents, its calls and plans, which files it
changed, stored answers, and what was read of its transcripts. This cannot be undone: if in doubt, run milepost backup
first. Older backups and exports still contain it. Transcripts are the agent's own files: they are not deleted, and are
read again while they exist.`,
  examples: ["milepost forget acc5a7d2-6a3c-4b51-9f0e-2d7c1b8e4a90 --yes"],
  words: ["session"],
  input: {
    session: needed(text("SESSION", "session id, or a prefix of it")),
    yes: toggle("do not ask for confirmation"),
  },
  async run(context, { session: asked, yes }) {
    const found = await findSession(context, { session: asked });
    // Of a transcript that is gone, or lies on another machine, what was read may still be stored.
    const isGone = !found.ok && found.error.code === "unknown-session" && isId(asked);
    if (!found.ok && !isGone) return found;
    const { store } = await context.open("read");
    const { session, agent } = found.ok ? found.value : { session: asked };
    if (agent !== undefined) return fail(isSubAgent(context, asked, { session, agent }));
    if (!yes) {
      const { folder, client } = await store.view(SESSIONS, sessionStream(session));
      const whose = [basename(folder), client].filter((part) => part !== "").join(", ");
      const name = whose === "" ? session : `${session} (${whose})`;
      const isSure = await context.confirm(`Delete everything stored about session ${name}? This cannot be undone.`);
      if (isSure === undefined)
        return fail("needs-yes", "Nothing was deleted: confirmation needs a terminal, or --yes.");
      if (!isSure) return fail("not-confirmed", "Nothing was deleted.");
    }
    const { streams, events, readings } = await store.forget(session);
    if (streams.length + readings === 0)
      return found.ok ? fail("no-session", `Nothing is stored about session ${session}. Nothing was deleted.`) : found;
    const plans = streams.filter((stream) => PLANS.covers(stream)).length;
    return ok({ session, streams: streams.length, events, plans, readings });
  },
  show({ session, streams, events, plans, readings }) {
    const withPlans = plans === 0 ? "" : ` (with ${counted(plans, "plan")})`;
    const transcripts = readings === 1 ? "a transcript" : `${readings} transcripts`;
    const read = readings === 0 ? "" : `, and what was read of ${transcripts}`;
    return `Deleted session ${session}: ${events} events in ${streams} streams${withPlans}${read}.\n`;
  },
});

/** A sub-agent goes with its session. */
function isSubAgent({ line }: CommandContext, asked: string, { session, agent }: NamedSession): Failure {
  const next = sameLine(line, asked, session) ?? `milepost forget ${session}`;
  const message = `${agent} is a sub-agent; only a whole session can be deleted. Did you mean: ${next}`;
  return { code: "bad-usage", message };
}
