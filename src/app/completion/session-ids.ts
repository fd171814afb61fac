import { basename } from "node:path";
import { matchSessions, type NamedSession, readName } from "../../core/session/match-session.js";
import type { Session } from "../../core/session/session.js";
import { ageText } from "../../core/text/time-text.js";
import { statusText } from "../../core/todo/progress.js";
import type { EventStore, Look } from "../../store/event-store.js";
import { loadView } from "../../store/log/fold.js";
import { findStream, type KeptViews } from "../../store/log/stored-views.js";
import type { StreamRow } from "../../store/queries.js";
import type { Script } from "../../store/script.js";
import { sessionStream } from "../../store/stream.js";
import { isSameProject, nearestIn } from "../session/find/this-project.js";
import { currentListOf } from "../session/list-words.js";
import { SESSIONS } from "../session/session-view.js";
import { LISTS } from "../views.js";
import { type Candidate, safeText } from "./candidates.js";
import { lookInto, type Surroundings } from "./completion-store.js";
import { sessionTitles } from "./session-titles.js";
import { type SeenName, sessionNames, subAgentNames } from "./transcript-names.js";
import type { TypedLine } from "./typed-line.js";

/** Streams whose names are compared with what was typed. */
const MOST_STREAMS = 1000;
/** Only of so many more than the name is read: each takes a third of a millisecond. */
const MOST_SESSIONS = 20;
const MOST_LOOKED_AT = 60;

/** Sessions of the store and of transcripts: those of this project first, each time the newest first. */
export async function sessionIds(around: Surroundings, line: TypedLine): Promise<readonly Candidate[]> {
  const { word } = line;
  const named = sessionNames(around, word).slice(0, MOST_SESSIONS);
  const look = async (store: EventStore) => {
    const known = await storedSessions(store, around, word);
    const titles = await sessionTitles(
      store,
      [...known, ...named].map(({ id }) => id),
    );
    return { known, titles };
  };
  const { known, titles } = await lookInto(around, line, look, { known: [], titles: new Map<string, string>() });
  const stored = new Set(known.map(({ id }) => id));
  return [...known, ...named.filter(({ id }) => !stored.has(id)).map(namedOnly)]
    .sort((a, b) => Number(b.isHere) - Number(a.isHere) || b.at - a.at)
    .map(({ id, about }) => ({
      word: id,
      about: [safeText(titles.get(id) ?? ""), ...about].filter(Boolean).join(" · "),
    }));
}

interface KnownId {
  readonly id: string;
  /** Parts of its description, safe to show; some may be empty. */
  readonly about: readonly string[];
  readonly isHere: boolean;
  readonly at: number;
}

/** Sub-agents only where no session begins like that: by SESSION/AGENT or by their own id. */
async function storedSessions(store: EventStore, { folder }: Surroundings, word: string): Promise<readonly KnownId[]> {
  const streams = await recentStreams(store);
  const roots = streams.filter(({ agent, id }) => agent === undefined && id.startsWith(word));
  const agents = streams.filter(
    ({ agent, id }) => agent !== undefined && [id, agent].some((one) => one.startsWith(word)),
  );
  const fitting = (roots.length > 0 ? roots : agents).slice(0, MOST_SESSIONS);
  return store.look(function* (look) {
    const known: KnownId[] = [];
    for (const { id, agent = "", at } of fitting) {
      const { session, progress } = yield* describe(look, id);
      const isHere = isSameProject(session.folder, folder);
      const about = [session.state, isHere ? "" : safeText(basename(session.folder)), progress];
      known.push({ id: id.startsWith(word) ? id : agent, at, about, isHere });
    }
    return known;
  });
}

interface StoredStream {
  readonly id: string;
  /** Undefined for a session itself. */
  readonly agent: string | undefined;
  readonly at: number;
}

async function recentStreams(store: EventStore): Promise<readonly StoredStream[]> {
  return (await store.recent("session", MOST_STREAMS)).map(({ stream, at }) => {
    const id = stream.slice("session:".length);
    return { id, agent: id.split("/")[1], at };
  });
}

/** Both views lie in one row. */
function* describe({ queries }: Look, id: string): Script<{ readonly session: Session; readonly progress: string }> {
  const found = yield* findStream(queries, sessionStream(id), [SESSIONS, LISTS]);
  if (!found) return { session: SESSIONS.initial, progress: "" };
  const views = viewsOf(found);
  const { state: session } = yield* loadView(queries, SESSIONS, found, { views });
  const { state: list } = yield* loadView(queries, LISTS, found, { views });
  return { session, progress: statusText(currentListOf(list, session).list) };
}

function* sessionAt({ queries }: Look, id: string): Script<Session> {
  const found = yield* findStream(queries, sessionStream(id), [SESSIONS]);
  return found ? (yield* loadView(queries, SESSIONS, found, { views: viewsOf(found) })).state : SESSIONS.initial;
}

/** Their checksums are not compared, which takes longer than all the rest: a wrong letter here leads nobody astray. */
function viewsOf({ views }: StreamRow): KeptViews {
  return JSON.parse(views);
}

function namedOnly({ id, agent, project, isHere, at }: SeenName): KnownId {
  const about = [agent, ...(isHere || project === "" ? [] : [project]), `${ageText(Date.now() - at)} ago`];
  return { id, at, isHere, about };
}

/** Sub-agents of the session that the line means. */
export async function subAgentIds(around: Surroundings, line: TypedLine): Promise<readonly Candidate[]> {
  const found = await lookInto(around, line, (store) => storedAgents(store, around, line), undefined);
  const session = found?.session ?? line.flags.get("--session")?.at(-1);
  const named = session === undefined ? [] : subAgentNames(around, session);
  return [...new Set([...(found?.agents ?? []), ...named])].map((word) => ({ word, about: "" }));
}

async function storedAgents(store: EventStore, around: Surroundings, line: TypedLine) {
  const found = await meantSession(store, around, line);
  if (!found) return undefined;
  const { session } = found;
  const streams = await recentStreams(store);
  const own = streams.flatMap(({ id, agent }) => (agent !== undefined && id === `${session}/${agent}` ? [agent] : []));
  const { agents } = await store.look((look) => sessionAt(look, session));
  return { session, agents: [...agents, ...own] };
}

/** Whose list a line means: one that is named, as commands find it; else the newest session in this project. */
export async function meantSession(
  store: EventStore,
  { folder }: Surroundings,
  { flags }: TypedLine,
): Promise<NamedSession | undefined> {
  const asked = flags.get("--session")?.at(-1);
  const agent = flags.get("--agent")?.at(-1);
  const streams = await recentStreams(store);
  if (asked !== undefined) {
    const matches = matchSessions(
      streams.map(({ id }) => readName(id)),
      readName(asked, agent),
    );
    return matches.length === 1 ? matches[0] : undefined;
  }
  const ids = streams.flatMap((one) => (one.agent === undefined ? [one.id] : []));
  const session = await store.look((look) => newestHere(look, ids.slice(0, MOST_LOOKED_AT), folder));
  return session === undefined ? undefined : { session, agent };
}

/** As commands choose it: the nearest folder counts, and one that goes on before one that has ended. */
function* newestHere(look: Look, ids: readonly string[], folder: string): Script<string | undefined> {
  const known: { readonly id: string; readonly session: Session }[] = [];
  for (const id of ids) {
    const session = yield* sessionAt(look, id);
    // No folder is nearer, and none of what follows is newer.
    if (session.folder === folder && session.state !== "ended") return id;
    known.push({ id, session });
  }
  const near = nearestIn(folder, known, ({ session }) => session.folder);
  // Of no project: taken only where there is nothing else.
  const loose = known.every(({ session }) => session.folder === "") ? known[0] : undefined;
  return (near.find(({ session }) => session.state !== "ended") ?? near[0] ?? loose)?.id;
}
