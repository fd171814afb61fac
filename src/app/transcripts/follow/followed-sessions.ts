import { heardAt, type SeenSession } from "../seen-session.js";
import type { Followed } from "./followed.js";

interface KnownSessions {
  readonly saved: Followed["saved"];
  readonly grewAt: number;
  readonly sessions: readonly SeenSession[];
}

/** By what was last read of a file: a live board asks for all files with each look, and few have changed. */
const knownSessions = new WeakMap<Followed["views"], KnownSessions>();

/** The sessions of a file, as far as it was read. */
export function sessionsIn(file: Followed, grewAt: number): readonly SeenSession[] {
  const { path, views, saved } = file;
  const known = knownSessions.get(views);
  if (known && known.saved === saved && known.grewAt === grewAt && saved) return known.sessions;
  const { format, problems, unfinished } = file;
  const sessions = views.map((view) => {
    return { view, grewAt: heardAt(view, format, grewAt), path, format, problems, unfinished };
  });
  knownSessions.set(views, { saved, grewAt, sessions });
  return sessions;
}
