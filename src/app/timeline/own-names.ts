import type { SessionView } from "../../core/session/session-facts.js";
import type { SessionReport } from "../transcripts/session-report.js";

/** Which records belong to a session, and to which of its agents. */
export interface OwnNames {
  /** Its own file first, then those of its sub-agents. */
  readonly paths: readonly string[];
  /** Null for the session itself, else the sub-agent; undefined for other sessions. */
  agentOf(id: string): string | null | undefined;
}

interface ReadFile {
  readonly path: string;
  readonly views: readonly Pick<SessionView, "id" | "parent">[];
}

/**
 * A sub-agent is named in its session (`SESSION/AGENT`), or has an id of its own and says whose it is. A sub-agent of
 * Codex is both: to its hooks an agent of the first thread, in its file a thread.
 */
export function ownNames(
  { id, parent, transcript }: Pick<SessionReport, "id" | "parent" | "transcript">,
  files: readonly ReadFile[],
): OwnNames {
  const thread = parent === null ? undefined : id.slice(id.lastIndexOf("/") + 1);
  const isOwn = (name: string) => name === id || name === thread;
  const below = childrenIn(files, isOwn);
  const agentOf = (name: string): string | null | undefined => {
    if (isOwn(name)) return null;
    if (name.startsWith(`${id}/`)) return name.slice(id.length + 1);
    return below.has(name) ? name : undefined;
  };
  const own = files.filter(({ views }) => views.some((view) => agentOf(view.id) !== undefined)).map(({ path }) => path);
  const [first, others] = [own.filter((path) => path === transcript), own.filter((path) => path !== transcript)];
  // A file that the board has not read since: its report names it.
  return { paths: [...(first.length === 0 && transcript !== null ? [transcript] : first), ...others], agentOf };
}

/** Ids of sub-agents, and of theirs. Files may say anything of who is whose. */
function childrenIn(files: readonly ReadFile[], isOwn: (name: string) => boolean): ReadonlySet<string> {
  const below = new Set<string>();
  const views = files.flatMap((file) => file.views.filter(({ parent }) => parent !== null));
  for (let size = -1; size !== below.size; ) {
    size = below.size;
    for (const { id, parent } of views)
      if (parent !== null && !isOwn(id) && (isOwn(parent) || below.has(parent))) below.add(id);
  }
  return below;
}
