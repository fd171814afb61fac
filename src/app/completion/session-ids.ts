import { basename } from "node:path";
import type { Session } from "../../core/session/session.js";
import { statusText } from "../../core/todo/progress.js";
import type { EventStore } from "../../store/event-store.js";
import { sessionStream } from "../../store/stream.js";
import { findListed, isSameProject } from "../session/find-session.js";
import { currentListOf } from "../session/list-words.js";
import { SESSIONS } from "../session/session-view.js";
import { ageText } from "../terminal/age-text.js";
import { LISTS } from "../views.js";
import type { Candidate } from "./candidates.js";
import { lookInto, type Surroundings } from "./look-store.js";
import { type NamedSession, sessionNames, subAgentNames } from "./transcript-names.js";
import type { TypedLine } from "./typed-line.js";

/** Streams whose names are compared with what was typed; only of the first that fit more is read. */
const MOST_STREAMS = 1000;
const MOST_SESSIONS = 30;

/** Sessions of the store and of transcripts: those of this project first, each time the newest first. */
export async function sessionIds(around: Surroundings, line: TypedLine): Promise<readonly Candidate[]> {
  const { word } = line;
  // SESSION/AGENT, or the own id of a sub-agent, where no session begins like that.
  const stored = await lookInto(around, line, (store) => storedSessions(store, around, word), []);
  const named = sessionNames(around, word).slice(0, MOST_SESSIONS);
  const known = new Set(stored.map(({ id }) => id));
  const all = [...stored, ...named.filter(({ id }) => !known.has(id)).map(namedOnly)].sort(
    (a, b) => Number(b.isHere) - Number(a.isHere) || b.at - a.at,
  );
  return all.map(({ id, about }) => ({ word: id, about }));
}

interface KnownId {
  readonly id: string;
  readonly about: string;
  readonly isHere: boolean;
  readonly at: number;
}

async function storedSessions(store: EventStore, { folder }: Surroundings, word: string): Promise<readonly KnownId[]> {
  const streams = (await store.recent("session", MOST_STREAMS)).map(({ stream, at }) => ({ id: idOf(stream), at }));
  const isAgent = ({ id }: { readonly id: string }) => id.includes("/");
  const roots = streams.filter((one) => !isAgent(one) && one.id.startsWith(word));
  const agents = streams.filter((one) => isAgent(one) && (one.id.startsWith(word) || agentOf(one.id).startsWith(word)));
  const fitting = roots.length > 0 ? roots : agents;
  const known: KnownId[] = [];
  for (const { id, at } of fitting.slice(0, MOST_SESSIONS)) {
    const session = await store.view(SESSIONS, sessionStream(id));
    const about = [session.state, basename(session.folder), await progress(store, id, session)].filter(
      (part) => part !== "",
    );
    const name = id.startsWith(word) ? id : agentOf(id);
    known.push({ id: name, at, about: about.join(" · "), isHere: isSameProject(session.folder, folder) });
  }
  return known;
}

async function progress(store: EventStore, id: string, session: Session): Promise<string> {
  return statusText(currentListOf(await store.view(LISTS, sessionStream(id)), session).list);
}

function idOf(stream: string): string {
  return stream.slice("session:".length);
}

function agentOf(id: string): string {
  return id.slice(id.indexOf("/") + 1);
}

function namedOnly({ id, agent, project, isHere, at }: NamedSession): KnownId {
  const about = [agent, ...(isHere || project === "" ? [] : [project]), `${ageText(Date.now() - at)} ago`];
  return { id, at, isHere, about: about.join(" · ") };
}

/** Sub-agents of the session that the line means. */
export async function subAgentIds(around: Surroundings, line: TypedLine): Promise<readonly Candidate[]> {
  const found = await lookInto(around, line, (store) => storedAgents(store, around, line), undefined);
  const session = found?.session ?? line.flags.get("--session")?.at(-1);
  const named = session === undefined ? [] : subAgentNames(around, session);
  return [...new Set([...(found?.agents ?? []), ...named])].map((word) => ({ word, about: "" }));
}

async function storedAgents(store: EventStore, around: Surroundings, line: TypedLine) {
  const session = await meantSession(store, around, line);
  if (session === undefined) return undefined;
  const streams = (await store.recent("session", MOST_STREAMS)).map(({ stream }) => idOf(stream));
  const own = streams.filter((id) => id.startsWith(`${session}/`)).map(agentOf);
  const { agents } = await store.view(SESSIONS, sessionStream(session));
  return { session, agents: [...agents, ...own] };
}

/** The session whose list a line means: one that is named, also by a prefix; else the newest in this project. */
export async function meantSession(
  store: EventStore,
  { folder }: Surroundings,
  { flags }: TypedLine,
): Promise<string | undefined> {
  const asked = flags.get("--session")?.at(-1);
  if (asked === undefined) {
    const found = await findListed(store, undefined, folder);
    return found.ok ? found.value : undefined;
  }
  const ids = (await store.recent("session", MOST_STREAMS)).map(({ stream }) => idOf(stream));
  const fitting = ids.filter((id) => id.startsWith(asked) && !id.includes("/"));
  return fitting.find((id) => id === asked) ?? (fitting.length === 1 ? fitting[0] : undefined);
}
