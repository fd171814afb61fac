import { fail, ok, type Result } from "../../core/result.js";
import type { Session } from "../../core/session/session.js";
import type { EventStore, Transaction } from "../../store/event-store.js";
import type { Script } from "../../store/script.js";
import { sessionStream } from "../../store/stream.js";
import { callsStream } from "../calls/call-events.js";
import { isProcessThere } from "./process-life.js";
import { CALLS, HISTORIES, SESSIONS, sessionEvent } from "./session-view.js";

/**
 * Where nobody can tell whether a server still runs (another machine, or no /proc), it is taken for gone after this
 * time without a call. Whichever server comes back later finds that out, and gets a session of its own.
 */
export const QUIET_MS = 60 * 60 * 1000;

/** More servers than anybody starts in one folder. */
const MOST = 1000;

/** A server that serves one folder, as `processName` writes it. */
export interface FolderServer {
  /** The session of the folder, for the first server there. */
  readonly folderSession: string;
  readonly server: string;
}

/**
 * The session of this server: the one it has, else the folder's first that no living server has. Decided and written
 * in one commit, so that two servers that start at once do not both get it.
 */
export async function holdSession(
  store: EventStore,
  { folderSession, server }: FolderServer,
  held: string | undefined,
): Promise<Result<string>> {
  if (held !== undefined && (await store.view(SESSIONS, sessionStream(held))).server === server) return ok(held);
  return store.commit(function* (transaction) {
    for (let number = 1; number <= MOST; number += 1) {
      const id = number === 1 ? folderSession : `${folderSession}-${number}`;
      const stream = sessionStream(id);
      const session = yield* transaction.view(SESSIONS, stream);
      // A store that was away for a while still knows whose it is.
      if (session.server === server) return ok({ writes: [], answer: id });
      if (!(yield* isFree(transaction, id, session))) continue;
      return ok({ writes: [{ stream, events: [sessionEvent({ type: "server.attached", server })] }], answer: id });
    }
    return fail(
      "too-many-servers",
      `${MOST} servers run in this folder. Give this one a session: milepost mcp --session ID`,
    );
  });
}

function* isFree(transaction: Transaction, id: string, { server }: Session): Script<boolean> {
  const isThere = server === undefined ? false : isProcessThere(server);
  if (isThere !== undefined) return !isThere;
  const { seenAt } = yield* transaction.view(HISTORIES, sessionStream(id));
  const calls = yield* transaction.view(CALLS, callsStream(id));
  return transaction.now - Math.max(seenAt, calls.at) >= QUIET_MS;
}

/** The next server may have it. One that is killed cannot say so; then the end of its process does. */
export async function leaveSession(store: EventStore, server: string, id: string): Promise<void> {
  await store.commit(function* (transaction) {
    const session = yield* transaction.view(SESSIONS, sessionStream(id));
    const events = session.server === server ? [sessionEvent({ type: "server.detached", server })] : [];
    return ok({ writes: [{ stream: sessionStream(id), events }], answer: undefined });
  });
}
