import { sep } from "node:path";
import { checkId } from "../core/id.js";
import { fail, ok, type Result } from "../core/result.js";
import type { EventStore } from "../store/event-store.js";
import { sessionStream } from "../store/stream.js";
import { SESSIONS } from "./sessions.js";

const MOST_LOOKED_AT = 200;

/** The session that was named, else the newest one in this project: its folder, one below it or one above it. */
export async function findSession(
  store: EventStore,
  asked: string | undefined,
  folder: string,
): Promise<Result<string>> {
  if (asked !== undefined) return checkId("session", asked) ?? ok(asked);
  for (const { stream } of await store.recent("session", MOST_LOOKED_AT)) {
    const id = stream.slice("session:".length);
    if (id.includes("/")) continue;
    const session = await store.view(SESSIONS, sessionStream(id));
    if (isSameProject(session.folder, folder)) return ok(id);
  }
  return fail({
    code: "no-session",
    message: `No session is known in ${folder}. Name one with --session; milepost events shows what there is.`,
  });
}

function isSameProject(one: string, other: string): boolean {
  if (one === "") return false;
  const below = (folder: string) => (folder.endsWith(sep) ? folder : `${folder}${sep}`);
  return below(one).startsWith(below(other)) || below(other).startsWith(below(one));
}
