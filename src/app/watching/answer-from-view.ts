import { fail, ok, type Result } from "../../core/result.js";
import { askedSession, waysToAnswer } from "../answers/ways-to-answer.js";
import type { CommandContext } from "../command-definition.js";
import type { SessionReport } from "../transcripts/session-report.js";

/** Answers a session's question with one of its choices; where that cannot be done from here, says how to get there. */
export async function answerFromView(
  { open, environment, program }: CommandContext,
  session: SessionReport,
  choice: number,
): Promise<Result<string>> {
  const { store } = await open("read");
  const way = await waysToAnswer(await askedSession(store, session), { environment, userFolder: program.userFolder });
  if (way.type === "how") return fail("refused", way.text);
  const sent = await way.answer(choice);
  return sent.ok ? ok(`Answered: ${sent.value.label}`) : sent;
}
