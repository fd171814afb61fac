import { existsSync } from "node:fs";
import { join, sep } from "node:path";
import { checkId } from "../core/id.js";
import { fail, ok, type Result } from "../core/result.js";
import type { EventStore } from "../store/event-store.js";
import { recentSessions } from "./sessions.js";

const MOST_LOOKED_AT = 200;

/** The session that was named, else the newest one in this project: its folder, one below it or one above it. */
export async function findSession(
  store: EventStore,
  asked: string | undefined,
  folder: string,
): Promise<Result<string>> {
  if (asked !== undefined) return checkId("session", asked) ?? ok(asked);
  const sessions = await recentSessions(store, MOST_LOOKED_AT);
  // One that nobody placed anywhere (`milepost call`) is better than none.
  const found =
    sessions.find(({ session }) => isSameProject(session.folder, folder)) ??
    sessions.find(({ session }) => session.folder === "");
  if (found) return ok(found.id);
  return fail({
    code: "no-session",
    message: `No session is known in ${folder}. Name one with --session; milepost events shows what there is.`,
  });
}

/** Where the person is below the session's folder, or in the repository that holds it. */
function isSameProject(session: string, here: string): boolean {
  if (session === "") return false;
  const below = (folder: string) => (folder.endsWith(sep) ? folder : `${folder}${sep}`);
  if (below(here).startsWith(below(session))) return true;
  return below(session).startsWith(below(here)) && existsSync(join(here, ".git"));
}
