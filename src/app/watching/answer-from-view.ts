import { fail, type Result } from "../../core/result.js";
import type { CommandContext } from "../command-definition.js";
import type { SessionReport } from "../transcripts/session-report.js";
import { wayBack } from "./resume-line.js";

/** Answers a session's question with one of its choices; where that cannot be done from here, says how to get there. */
export async function answerFromView(_: CommandContext, session: SessionReport, __: number): Promise<Result<string>> {
  return fail("refused", `Answer it where it asks: ${wayBack(session)}`);
}
