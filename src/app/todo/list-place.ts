import { basename } from "node:path";
import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { checkId } from "../../core/id.js";
import { type Failure, fail, ok, type Result } from "../../core/result.js";
import { NEW_SESSION } from "../../core/session/session.js";
import type { EventStore } from "../../store/event-store.js";
import { sessionStream, streamsOfSession } from "../../store/stream.js";
import type { CommandContext } from "../command-definition.js";
import { findListed } from "../session/find-session.js";
import { branchOf } from "../session/git-folder.js";
import { SESSIONS } from "../session/session-view.js";
import { readSettings } from "../settings.js";
import { LISTS } from "../views.js";

/** Flags that every verb on a list takes: which list, and whose hand it is. */
export const WHOSE = {
  session: z.string().optional().describe("the session (default: the newest in this project)"),
  agent: z.string().optional().describe("a sub-agent in it"),
  as: z.string().min(1).optional().describe("who does it (default: user@host)"),
};

export type Whose = z.output<z.ZodObject<typeof WHOSE>>;

export interface ListPlace {
  readonly session: string;
  readonly agent: string | undefined;
  readonly stream: string;
  readonly clearAfter: number;
}

/** A list of the store. One that is only read from a transcript cannot be changed here, and that is said. */
export async function findList(context: CommandContext, whose: Whose): Promise<Result<ListPlace>> {
  const refused = whose.agent === undefined ? undefined : checkId("agent", whose.agent);
  if (refused) return refused;
  const { subAgents, clearAfter } = readSettings(context.environment);
  // Where sub-agents share the session's list, that is the one.
  const agent = subAgents === "shared" ? undefined : whose.agent;
  const { store } = await context.open("read");
  const found = await findListed(store, whose.session, context.folder);
  if (!found.ok) return found;
  const place = { session: found.value, agent, stream: sessionStream(found.value, agent), clearAfter };
  const { revision } = await store.view(LISTS, place.stream);
  const refusal = revision === 0 ? await whyNotOurs(context, store, place) : undefined;
  return refusal ? fail(refusal) : ok(place);
}

/** No list is made for a session that nobody knows: the id may be mistyped, or that of one that could not be read. */
async function whyNotOurs(
  context: CommandContext,
  store: EventStore,
  { session, agent }: ListPlace,
): Promise<Failure | undefined> {
  // Readers of transcripts load only here.
  const { attachedList } = await import("../transcripts/attached-list.js");
  const { found, troubles } = await attachedList(context, session, agent);
  if (found) return { code: "only-read", message: onlyRead(found.session) };
  if (await isStored(store, session)) return undefined;
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
}

export async function ownerOf(store: EventStore, { session, agent }: ListPlace): Promise<ListOwner> {
  const { client, folder } = await store.view(SESSIONS, sessionStream(session));
  const owner = { session, agent, client: client || undefined };
  return folder === "" ? owner : { ...owner, project: basename(folder) || folder, branch: branchOf(folder) };
}
