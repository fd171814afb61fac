import { type Failure, fail, ok, type Result } from "../../../core/result.js";
import { sessionStream } from "../../../store/stream.js";
import type { CommandContext } from "../../command-definition.js";
import { nextStep, sameLine } from "../../terminal/next-step.js";
import { resumeCommand } from "../../transcripts/report/resume-command.js";
import { hasEnded, hasHooks } from "../../transcripts/stored-session.js";
import { type KnownSession, SESSIONS } from "../session-view.js";
import { type FoundSession, findSession } from "./find-session.js";

/** The session that was named, else the newest in this project whose model can be told something. */
export async function findReader(context: CommandContext, asked: string | undefined): Promise<Result<KnownSession>> {
  const found = await findSession(context, { session: asked }, isReader);
  if (!found.ok) return found;
  const { session: id, agent, loose } = found.value;
  if (loose) return fail("no-session", `There is no session in ${context.folder}. ${ALL}`);
  const { store } = await context.open("read");
  const known = { id, session: await store.view(SESSIONS, sessionStream(id)) };
  const refusal = await whyUnread(context, known, found.value);
  if (refusal) return fail(refusal);
  return agent === undefined ? ok(known) : fail(isSubAgent(context, asked ?? "", found.value));
}

const ALL = "All sessions: milepost sessions --all";

function isReader(known: KnownSession): boolean {
  return hasHooks(known) && !hasEnded(known);
}

/** Hooks give words to the session, not to a sub-agent in it. */
function isSubAgent({ line }: CommandContext, asked: string, { session, agent }: FoundSession): Failure {
  const again = sameLine(line, asked, session) ?? nextStep("tell", { session }, ["session"]);
  return {
    code: "no-reader",
    message: `${agent} is a sub-agent, and reads nothing itself. Tell its session: ${again}`,
  };
}

/** Hooks say words: without hooks, or after the end, they would lie in the store and look delivered. */
async function whyUnread(
  context: CommandContext,
  known: KnownSession,
  found: FoundSession,
): Promise<Failure | undefined> {
  if (isReader(known)) return undefined;
  if (hasHooks(known)) return endedReader(known);
  const { id } = known;
  const { folder } = known.session;
  const client = known.session.client || ((await found.transcriptList())?.client ?? "");
  const { unreported } = await import("../../setup/start-again.js");
  return { code: "no-reader", message: `Nobody would read it: ${unreported(context, { id, client, folder })}` };
}

export function endedReader({ id, session }: KnownSession): Failure {
  const resume = resumeCommand({ id, agent: session.client, parent: null, folder: session.folder });
  const next = resume === null ? "Start it again first." : `Go on with it first: ${resume}`;
  return { code: "no-reader", message: `Nobody would read it: session ${id} has ended. ${next}` };
}
