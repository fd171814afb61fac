import { existsSync } from "node:fs";
import { join, sep } from "node:path";
import { checkId } from "../../core/id.js";
import { fail, ok, type Result } from "../../core/result.js";
import type { EventStore } from "../../store/event-store.js";
import { recentSessions } from "./session-view.js";

export const MOST_LOOKED_AT = 200;

/** The session that was named, else the newest one in this project; one that goes on before one that has ended. */
export async function findSession(
  store: EventStore,
  asked: string | undefined,
  folder: string,
): Promise<Result<string>> {
  if (asked !== undefined) return checkId("session", asked) ?? ok(asked);
  const sessions = await recentSessions(store, MOST_LOOKED_AT);
  const near = nearestIn(folder, sessions, ({ session }) => session.folder);
  const found = near.find(({ session }) => session.state !== "ended") ?? near[0];
  if (found) return ok(found.id);
  return fail({
    code: "no-session",
    message: `There is no session in ${folder}. Pass --session ID; milepost sessions --all lists them.`,
  });
}

/** Those of this project. The nearest folder counts: a session in the person's home is above every project. */
export function nearestIn<Thing>(folder: string, things: readonly Thing[], folderOf: (thing: Thing) => string) {
  const here = things.filter((thing) => isSameProject(folderOf(thing), folder));
  const nearest = Math.max(...here.map((thing) => folderOf(thing).length));
  return here.filter((thing) => folderOf(thing).length === nearest);
}

/** Also one that nobody placed anywhere (`milepost call`): to look at, it is better than none. */
export async function findListed(
  store: EventStore,
  asked: string | undefined,
  folder: string,
): Promise<Result<string>> {
  const found = await findSession(store, asked, folder);
  if (found.ok || found.error.code !== "no-session") return found;
  const loose = (await recentSessions(store, MOST_LOOKED_AT)).find(({ session }) => session.folder === "");
  return loose ? ok(loose.id) : found;
}

/** Where the person is below the session's folder, or in the repository that holds it. */
export function isSameProject(session: string, here: string): boolean {
  if (session === "") return false;
  const below = (folder: string) => (folder.endsWith(sep) ? folder : `${folder}${sep}`);
  if (below(here).startsWith(below(session))) return true;
  return below(session).startsWith(below(here)) && existsSync(join(here, ".git"));
}
