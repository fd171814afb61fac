import { shellWord } from "../terminal/next-step.js";
import type { SessionReport } from "../transcripts/session-report.js";

/** `cd ~/src/web && claude --resume acc5a7`: agents find a session only from its own folder. */
export function resumeLine({ resume, folder }: Pick<SessionReport, "resume" | "folder">): string | undefined {
  if (resume === null) return undefined;
  return folder === null ? resume : `cd ${shellWord(folder)} && ${resume}`;
}

/** The same as words for a person: what to type where there is no command. */
export function wayBack(session: Pick<SessionReport, "resume" | "folder" | "agent">): string {
  const line = resumeLine(session);
  return line ?? `${session.agent || "Its agent"} has no command that resumes a session.`;
}
