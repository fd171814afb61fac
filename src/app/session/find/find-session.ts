import { isDeepStrictEqual } from "node:util";
import { checkId, isId } from "../../../core/id.js";
import { fail, ok, type Result } from "../../../core/result.js";
import {
  type AskedName,
  isSameName,
  matchSessions,
  type NamedSession,
  readName,
} from "../../../core/session/match-session.js";
import { NEW_SESSION } from "../../../core/session/session.js";
import type { EventStore } from "../../../store/event-store.js";
import { sessionStream, streamsOfSession } from "../../../store/stream.js";
import type { CommandContext } from "../../command-definition.js";
import { storeNow } from "../../store-place.js";
import type { AskedTranscripts } from "../../transcripts/asked/asked-transcripts.js";
import type { AttachedList } from "../../transcripts/asked/attached-list.js";
import type { SeenSession } from "../../transcripts/seen-session.js";
import { storeToRead } from "../../transcripts/store-to-read.js";
import { hasEnded } from "../../transcripts/stored-session.js";
import { type KnownSession, SESSIONS } from "../session-view.js";
import { reportedSessions } from "./this-project.js";
import { type Match, type StoredName, severalFound, unknownAgent, unknownSession } from "./unfound.js";

// Which session a person means: the same for every command that takes one. The store is asked first; transcripts are
// only opened for what it does not know.

/** What a person typed: ids, beginnings of ids, or nothing. */
export interface Asked {
  readonly session?: string | undefined;
  /** A sub-agent in it; can also be said as SESSION/AGENT, or by its own id alone. */
  readonly agent?: string | undefined;
}

export interface FoundSession extends NamedSession {
  /** Anything was ever reported of it; else it is only known from its transcript. */
  readonly isStored: boolean;
  /** Of no project (`milepost call`) and not named: the only kind there is, or one beside sessions of projects. */
  readonly loose?: "only" | "beside-projects";
  /** What its transcript tells; undefined where there is none. Looked for when it is first asked for. */
  transcriptList(): Promise<AttachedList | undefined>;
  /** The transcripts of this machine. */
  transcripts(): Promise<AskedTranscripts>;
}

/** What a command would rather have, where several sessions of a project report to us. */
type Wish = (known: KnownSession) => boolean;

const goesOn: Wish = (known) => !hasEnded(known);

/** The session that was named, else the newest one in this project; one that goes on before one that has ended. */
export async function findSession(
  context: CommandContext,
  asked: Asked,
  wish: Wish = goesOn,
): Promise<Result<FoundSession>> {
  const finder = new SessionFinder(context);
  if (asked.session !== undefined) return finder.named(readName(asked.session, asked.agent), asked);
  const here = await finder.here(wish);
  if (!here.ok || asked.agent === undefined) return here;
  return finder.named({ session: here.value.session, agent: asked.agent }, asked);
}

class SessionFinder {
  readonly #context: CommandContext;
  #transcripts: Promise<AskedTranscripts> | undefined;

  constructor(context: CommandContext) {
    this.#context = context;
  }

  async here(wish: Wish): Promise<Result<FoundSession>> {
    const { folder } = this.#context;
    const store = await storeToRead(this.#context);
    const { all, here } = await reportedSessions(store, folder);
    const reported = here.find(wish) ?? here.find(goesOn) ?? here[0];
    const isSure = reported?.session.folder === folder && goesOn(reported);
    const seen = isSure ? undefined : await (await this.#open()).newestHere(all.map(({ id }) => id));
    const isNearer = (seen?.seen.view.folder.length ?? 0) > (reported?.session.folder.length ?? 0);
    const isNewer = seen && reported && !goesOn(reported) && (await this.#isNewer(seen.seen, reported.at));
    if (seen && (isNearer || isNewer)) return ok(this.#found(seen, false, seen.seen));
    if (reported) return ok(this.#found({ session: reported.id }, true));
    const loose = all.find(({ session }) => session.folder === "");
    const folders = [...all.map(({ session }) => session.folder), ...(await this.#seenFolders())];
    const kind = folders.every((one) => one === "") ? "only" : "beside-projects";
    if (loose) return ok({ ...this.#found({ session: loose.id }, true), loose: kind });
    return fail("no-session", `There is no session in ${folder}. All sessions: milepost sessions --all`);
  }

  async #seenFolders(): Promise<readonly string[]> {
    return (await this.#open()).names.map(({ seen }) => seen.view.folder);
  }

  async #isNewer({ grewAt }: SeenSession, at: number): Promise<boolean> {
    return Date.now() - grewAt < (await storeNow(await storeToRead(this.#context))) - at;
  }

  async named(name: AskedName, asked: Asked): Promise<Result<FoundSession>> {
    const refused = checkBeginning("session", name.session) ?? checkBeginning("agent", name.agent);
    if (refused) return refused;
    const store = await storeToRead(this.#context);
    if (await isStored(store, name)) return ok(this.#found(name, true));
    const stored = await storedNames(store);
    const known = matchSessions(stored, name);
    const transcripts = await this.#open();
    const seen = (await transcripts.named(name, known)).filter((one) => !known.some((other) => isSameName(one, other)));
    const matches: readonly Match[] = matchSessions([...known, ...seen], name);
    const [found] = matches;
    if (found && matches.length === 1) return ok(this.#found(found, found.seen === undefined, found.seen));
    const search = { context: this.#context, asked, stored, transcripts };
    if (found) return fail(await severalFound(search, matches));
    if (name.agent === undefined) return fail(unknownSession(search, name.session));
    const whole = await this.named({ session: name.session }, { session: name.session });
    return whole.ok ? fail(unknownAgent(search, { session: whole.value.session, agent: name.agent })) : whole;
  }

  #found({ session, agent }: NamedSession, isKnown: boolean, seen?: SeenSession): FoundSession {
    const transcriptList = async () => {
      const read = seen ?? (await (await this.#open()).exactly({ session, agent }));
      // Readers of transcripts load only here.
      return read && (await import("../../transcripts/asked/attached-list.js")).attachedList(read);
    };
    return { session, agent, isStored: isKnown, transcriptList, transcripts: () => this.#open() };
  }

  #open(): Promise<AskedTranscripts> {
    this.#transcripts ??= import("../../transcripts/asked/asked-transcripts.js").then(({ AskedTranscripts }) =>
      AskedTranscripts.open(this.#context),
    );
    return this.#transcripts;
  }
}

/** Refuses what no id begins with. */
function checkBeginning(what: string, typed: string | undefined) {
  const isBeginning = typed?.endsWith(".") === true && isId(`${typed}0`);
  return typed === undefined || isBeginning ? undefined : checkId(what, typed);
}

/** Anything was ever reported of just this one. */
async function isStored(store: EventStore, { session, agent }: NamedSession): Promise<boolean> {
  if (!isId(session) || (agent !== undefined && !isId(agent))) return false;
  const exact = agent === undefined ? streamsOfSession(session).exact : [sessionStream(session, agent)];
  // Events may have been pruned; what they came to is kept.
  if (!isDeepStrictEqual(await store.view(SESSIONS, sessionStream(session, agent)), NEW_SESSION)) return true;
  for (const stream of exact) {
    const pages = await store.read({ stream });
    if (pages.ok) for await (const page of pages.value) if (page.events.length > 0) return true;
  }
  return false;
}

/** More than any store keeps; only names are read. */
const MOST_STORED = 100_000;

/** The session that was written last first. */
async function storedNames(store: EventStore): Promise<readonly StoredName[]> {
  const streams = await store.recent("session", MOST_STORED);
  return streams.map(({ stream, at }) => ({ ...readName(stream.slice("session:".length)), at }));
}
