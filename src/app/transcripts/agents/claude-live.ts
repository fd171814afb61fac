import { lstatSync, readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { countAt, type JsonObject, objectAt, parseJson, textAt } from "../../../core/json.js";
import type { Live } from "../../../core/session/session-state.js";
import { askedOf } from "../../../core/session/state/reason.js";
import { isProcessThere } from "../../session/process-life.js";
import { namesIn } from "../file-peek.js";
import type { SeenSession } from "../seen-session.js";

/** What the processes of Claude Code say of their sessions, by the session's id. */
interface ClaudeProcess {
  readonly isThere: boolean;
  readonly live?: Live | undefined;
}

export type ClaudeProcesses = ReadonlyMap<string, ClaudeProcess>;

/** More than anybody runs; a folder of somebody else's may hold anything. */
const MOST_FILES = 500;
const LARGEST = 64 * 1024;

/**
 * Claude Code 2.1 keeps a small file for each of its processes: which session it has, and whether that is busy, idle or
 * waits for somebody. It goes when the process ends; after a crash it stays.
 */
export function claudeProcesses(seen: readonly SeenSession[]): ClaudeProcesses {
  const own = seen.filter(({ format, view }) => format === "claude" && view.parent === null);
  const folders = new Set(own.map(({ path }) => join(dirname(path), "..", "..", "sessions")));
  const found = new Map<string, ClaudeProcess>();
  for (const folder of folders) {
    for (const name of namesIn(folder).slice(0, MOST_FILES)) {
      if (!/^\d{1,9}\.json$/.test(name)) continue;
      const record = recordAt(join(folder, name));
      const session = textAt(record.sessionId);
      const one = session === undefined ? undefined : processOf(record);
      // A session that was resumed after a crash has two.
      if (session !== undefined && one && !found.get(session)?.isThere) found.set(session, one);
    }
  }
  return found;
}

/** Plain files only: nobody has named them, so a link could lead anywhere, and a pipe never end. */
function recordAt(file: string): JsonObject {
  try {
    const stat = lstatSync(file);
    return stat.isFile() && stat.size <= LARGEST ? objectAt(parseJson(readFileSync(file, "utf8"))) : {};
  } catch {
    return {};
  }
}

const STATES: readonly Live["state"][] = ["busy", "waiting", "idle"];

/** Undefined where nobody here can tell whether it is there: of another machine, or without /proc. */
function processOf(record: JsonObject): ClaudeProcess | undefined {
  const { pid, procStart, pidDomain, kind, status, waitingFor } = record;
  if (pidDomain !== ownDomain() || kind !== "interactive") return undefined;
  const isThere = isProcessThere(`${hostname()}:${countAt(pid)}+${textAt(procStart) ?? ""}`);
  if (isThere === undefined) return undefined;
  const state = STATES.find((one) => one === status);
  const reason = state === "waiting" ? askedOf(textAt(waitingFor) ?? "") : state === "busy" ? "in-turn" : "interrupted";
  const since = countAt(record.statusUpdatedAt);
  return { isThere, live: isThere && state && since > 0 ? { state, reason, since } : undefined };
}

/** As the client names it: machine, and the numbers that its processes have there. */
function ownDomain(): string {
  return `linux:${textOr(() => readFileSync("/etc/machine-id", "utf8").trim())}:${textOr(() => readlinkSync("/proc/self/ns/pid"))}`;
}

function textOr(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}
