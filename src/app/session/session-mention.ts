import type { EventStore } from "../../store/event-store.js";
import { sessionStream } from "../../store/stream.js";
import { branchOf } from "./git-folder.js";
import { SESSIONS } from "./session-view.js";

/** Which session an answer is about: the same names with every command's `--json`, as in that of `sessions`. */
export interface SessionMention {
  readonly session: string;
  /** The id of a sub-agent in it. */
  readonly subAgent: string | null;
  /** claude-code, codex, ...; empty where it is not known. */
  readonly agent: string;
  /** The last part of the folder: what people call it by. */
  readonly project: string | null;
  readonly folder: string | null;
  readonly branch: string | null;
}

interface Mentioned {
  readonly session: string;
  readonly subAgent?: string | undefined;
  readonly client: string;
  readonly folder: string;
  /** As its transcript tells it, for a folder that is not there any more. */
  readonly branch?: string;
}

export function mention({ session, subAgent, client, folder, branch }: Mentioned): SessionMention {
  return {
    session,
    subAgent: subAgent ?? null,
    agent: client,
    project: projectOf(folder),
    folder: folder || null,
    branch: folder === "" ? null : (branchOf(folder) ?? (branch || null)),
  };
}

/** Of a session that the store knows. */
export async function mentionStored(store: EventStore, session: string, subAgent?: string): Promise<SessionMention> {
  const { client, folder } = await store.view(SESSIONS, sessionStream(session));
  return mention({ session, subAgent, client, folder });
}

/** Null for a session without a folder. */
export function projectOf(folder: string): string | null {
  return folder === "" ? null : (folder.split(/[\\/]/).filter(Boolean).at(-1) ?? folder);
}
