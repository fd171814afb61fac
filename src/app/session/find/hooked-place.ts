import type { EventStore } from "../../../store/event-store.js";
import { isSameProcess } from "../process-life.js";
import { recentSessions } from "../session-view.js";

/** More sessions than one program has at work. */
const MOST_LOOKED_AT = 50;

/** A command names its client's process with a mark: a shell may have been in between. */
const GUESSED = /\?$/;

/**
 * The session of a server whose client names none: the one that hooks of the same process told of. Undefined where
 * there is none, or several are at work: no list beats a wrong one. `above`: the process that started the server.
 */
export async function hookedPlace(store: EventStore, above: string): Promise<string | undefined> {
  const here = (await recentSessions(store, MOST_LOOKED_AT)).filter(
    ({ session: { via, client, state, process: told } }) =>
      via === undefined && client !== "" && state !== "ended" && isSameProcess(told.replace(GUESSED, ""), above),
  );
  const working = here.filter(({ session }) => session.state !== "idle");
  const [only, ...others] = working.length > 0 ? working : here;
  return others.length === 0 ? only?.id : undefined;
}
