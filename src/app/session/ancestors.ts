import { isId } from "../../core/id.js";
import type { EventStore } from "../../store/event-store.js";
import { beginningOf } from "../transcripts/file-peek.js";
import { commandOf, isSameProcess } from "./process-life.js";
import { recentSessions } from "./session-view.js";

/** A session that has just begun, and what is known about where it comes from. */
export interface Newcomer {
  readonly session: string;
  readonly client: string;
  readonly folder?: string | undefined;
  /** As `processName` writes it. */
  readonly process: string;
  readonly transcript?: string | undefined;
}

/** The session cleared for this one: the last of the same process, else the last that ended so. Offered once only. */
export async function clearedBefore(store: EventStore, newcomer: Newcomer): Promise<string | undefined> {
  const relatives = await relativesOf(store, newcomer);
  const before =
    relatives.find(({ session }) => isSameProcess(session.process, newcomer.process)) ??
    relatives.find(({ session }) => session.endedBy === "clear");
  return before && !before.session.isOffered ? before.id : undefined;
}

/** Told by the transcript or the command line; else only where no other is possible: no list beats a wrong one. */
export async function forkedFrom(store: EventStore, newcomer: Newcomer): Promise<string | undefined> {
  const told = parentInTranscript(newcomer.transcript);
  if (told !== undefined && told !== newcomer.session) return told;
  const relatives = await relativesOf(store, newcomer);
  const sibling = relatives.find(({ session }) => isSameProcess(session.process, newcomer.process));
  if (sibling) return sibling.id;
  const named = parentInCommand(newcomer.process);
  if (named !== undefined) return relatives.some(({ id }) => id === named) ? named : undefined;
  return relatives.length === 1 || relatives[0]?.session.state === "ended" ? relatives[0]?.id : undefined;
}

const MOST_LOOKED_AT = 100;

/** Sessions of the same client in the same folder, the latest first. */
async function relativesOf(store: EventStore, { session: own, client, folder }: Newcomer) {
  const sessions = await recentSessions(store, MOST_LOOKED_AT);
  return sessions.filter(
    ({ id, session }) => id !== own && session.client === client && session.folder === (folder ?? ""),
  );
}

function parentInTranscript(path: string | undefined): string | undefined {
  const text = path === undefined ? "" : beginningOf(path);
  const [, claude, codex] =
    /"forkedFrom":\s*\{[^{}]*?"sessionId":\s*"([^"]+)"|"forked_from_id":\s*"([^"]+)"/.exec(text) ?? [];
  const id = claude ?? codex;
  return isId(id) ? id : undefined;
}

/** `claude --resume ID --fork-session`: only the process itself knows. */
function parentInCommand(name: string): string | undefined {
  const words = commandOf(name);
  const flag = words.findIndex((word) => word === "--resume" || word === "-r");
  const id = flag < 0 ? words.find((word) => word.startsWith("--resume="))?.slice(9) : words[flag + 1];
  return isId(id) ? id : undefined;
}
