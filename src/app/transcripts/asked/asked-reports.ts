import { ok, type Result } from "../../../core/result.js";
import type { CommandContext } from "../../command-definition.js";
import { findSession } from "../../session/find/find-session.js";
import type { OpenBoard } from "../open-session-board.js";
import { boardOf } from "../session-board.js";
import type { SessionReport } from "../session-report.js";

const EVERY = Number.MAX_SAFE_INTEGER;

interface AskedBoard {
  readonly board: OpenBoard;
  readonly reports: readonly SessionReport[];
}

/** The session that a person means, and its sub-agents, from the store and from transcripts. */
export async function reportsOf(
  context: CommandContext,
  asked: string | undefined,
): Promise<Result<readonly SessionReport[]>> {
  const found = await askedBoard(context, asked);
  return found.ok ? ok(found.value.reports) : found;
}

/** The same, with the board that they are on. */
export async function askedBoard(context: CommandContext, asked: string | undefined): Promise<Result<AskedBoard>> {
  const found = await findSession(context, { session: asked });
  if (!found.ok) return found;
  const { session, agent } = found.value;
  const transcripts = await found.value.transcripts();
  await transcripts.exactly({ session, agent });
  const { board } = transcripts;
  board.stored.include(session);
  const options = { limit: EVERY, now: Date.now(), asked: { session, agent } };
  const reports = await boardOf(board.attachment, board.stored, options);
  for (const trouble of transcripts.troubles) await context.notice(trouble);
  return ok({ board, reports });
}
