import { ok, type Result } from "../../../core/result.js";
import type { CommandContext } from "../../command-definition.js";
import { findSession } from "../../session/find/find-session.js";
import { boardOf } from "../session-board.js";
import type { SessionReport } from "../session-report.js";

const EVERY = Number.MAX_SAFE_INTEGER;

/** The session that a person means, and its sub-agents, from the store and from transcripts. */
export async function reportsOf(
  context: CommandContext,
  asked: string | undefined,
): Promise<Result<readonly SessionReport[]>> {
  const found = await findSession(context, { session: asked });
  if (!found.ok) return found;
  const { session, agent } = found.value;
  const transcripts = await found.value.transcripts();
  await transcripts.exactly({ session, agent });
  const { attachment, stored } = transcripts.board;
  stored.include(session);
  const reports = await boardOf(attachment, stored, { limit: EVERY, now: Date.now(), asked: { session, agent } });
  for (const trouble of transcripts.troubles) await context.notice(trouble);
  return ok(reports);
}
