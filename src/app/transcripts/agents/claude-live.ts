import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { countAt, type JsonObject, objectAt, parseJson, textAt } from "../../../core/json.js";
import type { Live } from "../../../core/session/session-state.js";
import { askedOf } from "../../../core/session/state/reason.js";
import { readPlainOr } from "../../read-plain.js";
import { isProcessThere } from "../../session/process-life.js";
import { namesIn } from "../file-peek.js";
import type { FileMark } from "../read-file.js";
import type { SeenSession } from "../seen-session.js";
import { isSameMark, plainMark } from "../transcript-files.js";

/** What the processes of Claude Code say of their sessions, by the session's id. */
interface ClaudeProcess {
  readonly isThere: boolean;
  readonly live?: Live | undefined;
}

export type ClaudeProcesses = ReadonlyMap<string, ClaudeProcess>;

/** More than anybody runs; a folder of somebody else's may hold anything. */
const MOST_FILES = 500;
const LARGEST = 64 * 1024;

/** Some file systems tell times in steps of two seconds: until then a second write may look like the first. */
const SETTLED_MS = 2000;
/** Whether a process is there is asked again after so long: for each it takes several looks into /proc. */
const ASK_AGAIN_MS = 1000;

interface KnownRecord {
  readonly mark: FileMark;
  readonly readAt: number;
  readonly record: JsonObject;
}

/** What a board that looks again and again knows of files and processes from its last looks. */
export class KnownProcesses {
  #records = new Map<string, KnownRecord>();
  readonly #there = new Map<string, { readonly at: number; readonly isThere: boolean | undefined }>();

  /** Plain files only: nobody has named them, so a link could lead anywhere, and a pipe never end. */
  recordAt(file: string): JsonObject {
    const mark = plainMark(file);
    if (!mark || mark.size > LARGEST) return {};
    const known = this.#records.get(file);
    if (known && isSameMark(known.mark, mark) && mark.grewAt + SETTLED_MS < known.readAt) return known.record;
    const read = { mark, readAt: Date.now(), record: objectAt(parseJson(readPlainOr(file, ""))) };
    if (this.#records.size >= MOST_KNOWN) this.#records.clear();
    this.#records.set(file, read);
    return read.record;
  }

  readonly isThere = (name: string): boolean | undefined => {
    const known = this.#there.get(name);
    const now = Date.now();
    if (known && Math.abs(now - known.at) < ASK_AGAIN_MS) return known.isThere;
    const isThere = isProcessThere(name);
    if (this.#there.size >= MOST_KNOWN) this.#there.clear();
    this.#there.set(name, { at: now, isThere });
    return isThere;
  };

  /** As the client names it: machine, and the numbers that its processes have there. */
  readonly domain =
    `linux:${textOr(() => readFileSync("/etc/machine-id", "utf8").trim())}:${textOr(() => readlinkSync("/proc/self/ns/pid"))}`;
}

const MOST_KNOWN = 5000;

/**
 * Claude Code 2.1 keeps a small file for each of its processes: which session it has, and whether that is busy, idle or
 * waits for somebody. It goes when the process ends; after a crash it stays.
 */
export function claudeProcesses(seen: readonly SeenSession[], known = new KnownProcesses()): ClaudeProcesses {
  const own = seen.filter(({ format, view }) => format === "claude" && view.parent === null);
  const projects = new Set(own.map(({ path }) => dirname(path)));
  const folders = new Set([...projects].map((project) => join(project, "..", "..", "sessions")));
  const found = new Map<string, ClaudeProcess>();
  for (const folder of folders) {
    for (const name of namesIn(folder).slice(0, MOST_FILES)) {
      if (!/^\d{1,9}\.json$/.test(name)) continue;
      const record = known.recordAt(join(folder, name));
      const session = textAt(record.sessionId);
      const one = session === undefined ? undefined : processOf(record, known);
      // A session that was resumed after a crash has two.
      if (session !== undefined && one && !found.get(session)?.isThere) found.set(session, one);
    }
  }
  return found;
}

const STATES: readonly Live["state"][] = ["busy", "waiting", "idle"];

/** Undefined where nobody here can tell whether it is there: of another machine, or without /proc. */
function processOf(record: JsonObject, { domain, isThere: ask }: KnownProcesses): ClaudeProcess | undefined {
  const { pid, procStart, pidDomain, kind, status, waitingFor } = record;
  if (pidDomain !== domain || kind !== "interactive") return undefined;
  const isThere = ask(`${hostname()}:${countAt(pid)}+${textAt(procStart) ?? ""}`);
  if (isThere === undefined) return undefined;
  const state = STATES.find((one) => one === status);
  const reason = state === "waiting" ? askedOf(textAt(waitingFor) ?? "") : state === "busy" ? "in-turn" : "interrupted";
  const since = countAt(record.statusUpdatedAt);
  return { isThere, live: isThere && state && since > 0 ? { state, reason, since } : undefined };
}

function textOr(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}
