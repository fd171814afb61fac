import { basename } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { checkId } from "../../core/id.js";
import { type Failure, fail, ok, type Result } from "../../core/result.js";
import type { CurrentList } from "../../core/session/client/current-list.js";
import type { Goal } from "../../core/session/observation.js";
import { NEW_SESSION } from "../../core/session/session.js";
import type { EventStore } from "../../store/event-store.js";
import { sessionStream, streamsOfSession } from "../../store/stream.js";
import type { CommandContext } from "../command-definition.js";
import { text, type Values } from "../fields.js";
import { findListed } from "../session/find-session.js";
import { branchOf } from "../session/git-folder.js";
import { SESSIONS } from "../session/session-view.js";
import { readSettings } from "../settings.js";
import { attachedKnown, type KnownList, knownList, type Looked } from "../transcripts/known-list.js";

/** Flags that every verb on a list takes: which list, and whose hand it is. */
export const WHOSE = {
  session: text("SESSION", "the session (default: the newest in this project)"),
  agent: text("AGENT", "a sub-agent in it"),
  as: text("WHO", "who does it (default: user@host)"),
};

export type Whose = Values<typeof WHOSE>;

export interface ListPlace {
  readonly session: string;
  readonly agent: string | undefined;
  readonly stream: string;
  readonly clearAfter: number;
  /** What is shown where the session has no list of ours: tasks that its client keeps, or what its transcript says. */
  readonly shown?: KnownList;
}

/** The list of a session. One that is only read from a transcript cannot be changed here, and that is said. */
export async function findList(
  context: CommandContext,
  whose: Whose,
  use: "read" | "write",
): Promise<Result<ListPlace>> {
  const refused = whose.agent === undefined ? undefined : checkId("agent", whose.agent);
  if (refused) return refused;
  const { subAgents, clearAfter } = readSettings(context.environment);
  // Where sub-agents share the session's list, that is the one.
  const agent = subAgents === "shared" ? undefined : whose.agent;
  const { store } = await context.open("read");
  const found = await findListed(store, whose.session, context.folder);
  if (!found.ok && (found.error.code !== "no-session" || use === "write")) return found;
  const looked = found.ok ? await knownList(context, found.value, agent) : await newestAttached(context, agent);
  if (!looked) return found as Result<never>;
  const { known } = looked;
  const { session } = known;
  const refusal = await whyNotShown(store, looked, use);
  if (refusal) return fail(refusal);
  const isOurs = known.keeper === "session" && known.from !== "transcript";
  return ok({
    ...{ session, agent, stream: sessionStream(session, agent), clearAfter },
    ...(isOurs ? undefined : { shown: known }),
  });
}

/** Nobody has reported a session in this project: the newest that has a transcript. */
async function newestAttached(context: CommandContext, agent: string | undefined): Promise<Looked | undefined> {
  const { attachedList } = await import("../transcripts/attached-list.js");
  const { found, troubles } = await attachedList(context, undefined, agent);
  return found && { known: attachedKnown(found), isSeen: true, troubles };
}

/** No list is made for a session that nobody knows: the id may be mistyped, or that of one that could not be read. */
async function whyNotShown(
  store: EventStore,
  { known, isSeen, troubles }: Looked,
  use: "read" | "write",
): Promise<Failure | undefined> {
  const { session, from, isWired } = known;
  if (use === "write" && isSeen && from !== "store" && !isWired)
    return { code: "only-read", message: onlyRead(session) };
  if (isSeen || from === "store" || (await isStored(store, session))) return undefined;
  const message = `No session ${session} is known. milepost sessions --all shows what there is.`;
  return { code: "no-session", message: [message, ...troubles].join(" ") };
}

/** Anything was ever reported of it. */
async function isStored(store: EventStore, session: string): Promise<boolean> {
  for (const stream of streamsOfSession(session).exact) {
    const pages = await store.read({ stream });
    if (pages.ok) for await (const page of pages.value) if (page.events.length > 0) return true;
  }
  // Events may have been pruned; what they came to is kept.
  return !isDeepStrictEqual(await store.view(SESSIONS, sessionStream(session)), NEW_SESSION);
}

function onlyRead(session: string): string {
  const what = `Session ${session} is only read, from its transcript: its list is its agent's own.`;
  return `${what} milepost digest --session ${session} shows it; milepost setup wires the agent.`;
}

/** Whose list it is, as far as that is known. */
export interface ListOwner {
  readonly session: string;
  readonly agent?: string | undefined;
  readonly client?: string | undefined;
  /** The last part of the session's folder. */
  readonly project?: string | undefined;
  readonly branch?: string | undefined;
  /** `client`: the tasks that the agent's program keeps; only the agent can change them. */
  readonly keeper: CurrentList["keeper"];
  readonly goal: Goal | null;
}

export async function ownerOf(store: EventStore, { session, agent, shown }: ListPlace): Promise<ListOwner> {
  const { client, folder, clientList } = await store.view(SESSIONS, sessionStream(session));
  const goal = shown?.goal ?? clientList?.goal ?? null;
  const keeper = shown?.keeper ?? "session";
  const owner = { session, agent, client: client || shown?.client || undefined, keeper, goal };
  return folder === "" ? owner : { ...owner, project: basename(folder) || folder, branch: branchOf(folder) };
}
