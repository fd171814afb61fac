import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { isId } from "../core/id.js";
import type { Session } from "../core/session/session.js";
import type { EventStore } from "../store/event-store.js";
import { sessionStream } from "../store/stream.js";
import { SESSIONS } from "./sessions.js";

/** A session that has just begun, and what is known about where it comes from. */
export interface Newcomer {
  readonly session: string;
  readonly client: string;
  readonly folder?: string | undefined;
  /** Machine and number. */
  readonly process: string;
  readonly processId?: number | undefined;
  readonly transcript?: string | undefined;
}

interface Relative {
  readonly id: string;
  readonly session: Session;
}

/** The one that was cleared to make room for this one. Clients do not say it; process and folder do. */
export async function clearedBefore(store: EventStore, newcomer: Newcomer): Promise<string | undefined> {
  const relatives = await relativesOf(store, newcomer);
  const isCleared = ({ session }: Relative) => session.process === newcomer.process || session.endedBy === "clear";
  return relatives.find((one) => isCleared(one) && !one.session.isOffered)?.id;
}

/** The session that this one was forked from: its transcript may say it, or the client's command line, or neither. */
export async function forkedFrom(store: EventStore, newcomer: Newcomer): Promise<string | undefined> {
  const told = parentInTranscript(newcomer.transcript);
  if (told !== undefined && told !== newcomer.session) return told;
  const relatives = await relativesOf(store, newcomer);
  const sibling = relatives.find(({ session }) => session.process === newcomer.process);
  return sibling?.id ?? parentInCommand(newcomer.processId) ?? relatives[0]?.id;
}

const MOST_LOOKED_AT = 50;

/** Sessions of the same client in the same folder, the latest first. */
async function relativesOf(
  store: EventStore,
  { session: own, client, folder }: Newcomer,
): Promise<readonly Relative[]> {
  const relatives: Relative[] = [];
  for (const { stream } of await store.recent("session", MOST_LOOKED_AT)) {
    const id = stream.slice("session:".length);
    if (id === own || id.includes("/")) continue;
    const session = await store.view(SESSIONS, sessionStream(id));
    if (session.client === client && session.folder === (folder ?? "")) relatives.push({ id, session });
  }
  return relatives;
}

const BEGINNING = 65_536;

function parentInTranscript(path: string | undefined): string | undefined {
  const text = path === undefined ? "" : beginningOf(path);
  const [, claude, codex] =
    /"forkedFrom":\s*\{[^{}]*?"sessionId":\s*"([^"]+)"|"forked_from_id":\s*"([^"]+)"/.exec(text) ?? [];
  const id = claude ?? codex;
  return isId(id) ? id : undefined;
}

function beginningOf(path: string): string {
  try {
    const file = openSync(path, "r");
    try {
      const bytes = Buffer.alloc(BEGINNING);
      return bytes.toString("utf8", 0, readSync(file, bytes, 0, BEGINNING, 0));
    } finally {
      closeSync(file);
    }
  } catch {
    return "";
  }
}

/** `claude --resume ID --fork-session`: only the process itself knows. Linux shows it; elsewhere we do without. */
function parentInCommand(processId: number | undefined): string | undefined {
  try {
    const words = readFileSync(`/proc/${processId}/cmdline`, "utf8").split("\0");
    const flag = words.findIndex((word) => word === "--resume" || word === "-r");
    const id = flag < 0 ? words.find((word) => word.startsWith("--resume="))?.slice(9) : words[flag + 1];
    return isId(id) ? id : undefined;
  } catch {
    return undefined;
  }
}
