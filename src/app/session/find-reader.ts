import { checkId } from "../../core/id.js";
import { type Failure, fail, ok, type Result } from "../../core/result.js";
import type { EventStore } from "../../store/event-store.js";
import { sessionStream } from "../../store/stream.js";
import type { CommandContext } from "../command-definition.js";
import { resumeCommand } from "../transcripts/session-report.js";
import { hasHooks, isClientGone } from "../transcripts/stored-session.js";
import { findSession, MOST_LOOKED_AT, nearestIn } from "./find-session.js";
import { type KnownSession, recentSessions, SESSIONS } from "./session-view.js";

/** The session that was named, else the newest in this project whose model can be told something. */
export async function findReader(
  store: EventStore,
  asked: string | undefined,
  context: CommandContext,
): Promise<Result<KnownSession>> {
  const found = asked === undefined ? await newestReader(store, context) : await named(store, asked);
  if (!found.ok) return found;
  const refusal = await whyUnread(found.value, context);
  return refusal ? fail(refusal) : found;
}

async function named(store: EventStore, id: string): Promise<Result<KnownSession>> {
  return checkId("session", id) ?? ok({ id, session: await store.view(SESSIONS, sessionStream(id)) });
}

async function newestReader(store: EventStore, { folder }: CommandContext): Promise<Result<KnownSession>> {
  const sessions = await recentSessions(store, MOST_LOOKED_AT);
  const reader = nearestIn(folder, sessions, ({ session }) => session.folder).find(isReader);
  if (reader) return ok(reader);
  const found = await findSession(store, undefined, folder);
  return found.ok ? named(store, found.value) : found;
}

function isReader(known: KnownSession): boolean {
  return hasHooks(known) && !hasEnded(known);
}

function hasEnded(known: KnownSession): boolean {
  return known.session.state === "ended" || isClientGone(known);
}

/** Hooks say words: without hooks, or after the end, they would lie in the store and look delivered. */
async function whyUnread(known: KnownSession, context: CommandContext): Promise<Failure | undefined> {
  const { id, session } = known;
  if (isReader(known)) return undefined;
  const resume = resumeCommand({ id, agent: session.client, parent: null });
  if (hasHooks(known)) {
    const next = resume === null ? "Start it again first." : `Go on with it first: ${resume}`;
    return { code: "no-reader", message: `Nobody would read it: session ${id} has ended. ${next}` };
  }
  if (!session.hasUsedList && session.client === "" && !(await isInTranscripts(id, context)))
    return { code: "no-session", message: `There is no session ${id}. All sessions: milepost sessions --all` };
  const message = `Nobody would read it: no hook reports session ${id}. Wire Claude Code and Codex, and start it again: milepost setup`;
  return { code: "no-reader", message };
}

async function isInTranscripts(id: string, context: CommandContext): Promise<boolean> {
  // Readers of transcripts load only here.
  const { attachedList } = await import("../transcripts/attached-list.js");
  return (await attachedList(context, id)).found !== undefined;
}
