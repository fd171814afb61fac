import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { checkId } from "../../core/id.js";
import { type Failure, fail, ok, type Result } from "../../core/result.js";
import { NEW_SESSION } from "../../core/session/session.js";
import type { EventStore } from "../../store/event-store.js";
import { sessionStream, streamsOfSession } from "../../store/stream.js";
import type { CommandContext } from "../command.js";
import { findListed } from "../session/find-session.js";
import { SESSIONS } from "../session/session-view.js";
import { readSettings } from "../settings.js";
import { attachedList } from "../transcripts/attached-list.js";
import { LISTS } from "../views.js";
import { type EditPlace, personOf } from "./person-edit.js";

/** Flags that every verb on a list takes: which list, and whose hand it is. */
export const WHOSE = {
  session: z.string().optional().describe("the session (default: the newest in this project)"),
  agent: z.string().optional().describe("a sub-agent in it"),
  as: z.string().min(1).optional().describe("who does it (default: user@host)"),
};

export interface Whose {
  readonly session?: string | undefined;
  readonly agent?: string | undefined;
  readonly as?: string | undefined;
}

export interface ListPlace extends EditPlace {
  readonly session: string;
  readonly agent: string | undefined;
  readonly clearAfter: number;
}

/** A list of the store. One that is only read from a transcript cannot be changed here, and that is said. */
export async function findList(context: CommandContext, whose: Whose): Promise<Result<ListPlace>> {
  const person = personOf(whose.as);
  if (!person.ok) return person;
  const refused = whose.agent === undefined ? undefined : checkId("agent", whose.agent);
  if (refused) return refused;
  const { subAgents, clearAfter } = readSettings(context.environment);
  // Where sub-agents share the session's list, that is the one.
  const agent = subAgents === "shared" ? undefined : whose.agent;
  const { store } = await context.open("read");
  const found = await findListed(store, whose.session, context.folder);
  if (!found.ok) return found;
  const session = found.value;
  const stream = sessionStream(session, agent);
  const { revision } = await store.view(LISTS, stream);
  const refusal = revision === 0 ? await whyNotOurs(context, store, session, agent) : undefined;
  return refusal ? fail(refusal) : ok({ session, agent, stream, by: person.value, clearAfter });
}

/** No list is made for a session that nobody knows: the id may be mistyped, or that of one that could not be read. */
async function whyNotOurs(
  context: CommandContext,
  store: EventStore,
  session: string,
  agent: string | undefined,
): Promise<Failure | undefined> {
  const { found, troubles } = await attachedList(context, session, agent);
  if (found) return { code: "only-read", message: onlyRead(found.session) };
  if (await isStored(store, session)) return undefined;
  const message = `No session ${session} is known. milepost sessions --all shows what there is.`;
  return { code: "no-session", message: [message, ...troubles].join(" ") };
}

/** Anything was ever reported of it. */
async function isStored(store: EventStore, session: string): Promise<boolean> {
  const { exact } = streamsOfSession(session);
  for (const stream of exact) {
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
