import { existsSync } from "node:fs";
import { join, sep } from "node:path";
import type { EventStore } from "../../../store/event-store.js";
import { recentSessions } from "../session-view.js";

const MOST_LOOKED_AT = 200;

/** Sessions that report to us, the one that was written last first: all, and those of this project. */
export async function reportedSessions(store: EventStore, folder: string) {
  const all = await recentSessions(store, MOST_LOOKED_AT);
  return { all, here: nearestIn(folder, all, ({ session }) => session.folder) };
}

/** Where the person is below the session's folder, or in the repository that holds it. */
export function isSameProject(session: string, here: string): boolean {
  if (session === "") return false;
  const below = (folder: string) => (folder.endsWith(sep) ? folder : `${folder}${sep}`);
  if (below(here).startsWith(below(session))) return true;
  return below(session).startsWith(below(here)) && existsSync(join(here, ".git"));
}

/** Those of this project. The nearest folder counts: a session in the person's home is above every project. */
export function nearestIn<Thing>(folder: string, things: readonly Thing[], folderOf: (thing: Thing) => string) {
  const here = things.filter((thing) => isSameProject(folderOf(thing), folder));
  const nearest = Math.max(...here.map((thing) => folderOf(thing).length));
  return here.filter((thing) => folderOf(thing).length === nearest);
}
