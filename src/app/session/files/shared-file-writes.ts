import {
  type ChangedFiles,
  isChangedFiles,
  NO_CHANGED_FILES,
  SHARED_WITHIN,
  withChangedFile,
} from "../../../core/detectors/shared-files.js";
import { listAt, objectAt } from "../../../core/json.js";
import { markOf, quickMark } from "../../../core/text/mark.js";
import type { NewEvent, RecordedEvent, Transaction, Write } from "../../../store/event-store.js";
import type { Projection } from "../../../store/projection.js";
import { ask, type Script } from "../../../store/script.js";
import { sessionStream } from "../../../store/stream.js";
import { isProcessThere } from "../process-life.js";
import type { Sighting } from "../record-sighting.js";
import { SESSIONS, sessionEvent } from "../session-view.js";
import { projectFile } from "./file-in-project.js";

// Two live sessions that change the same file: both are told, neither is held up. A stream for each project and
// session, so that nobody waits for anybody else's edits, and a session is forgotten with everything that names it.

function filesStream(project: string, session: string): string {
  return `files:${project}/${session}`;
}

/** What a session has changed in a project in the last half hour. */
export const FILES: Projection<ChangedFiles> = {
  name: "files",
  revision: 1,
  initial: NO_CHANGED_FILES,
  keptEvery: 16,
  covers: (stream) => stream.startsWith("files:"),
  fold: (files, events) => events.reduce(foldOne, files),
  isState: isChangedFiles,
  isOpen: () => false,
  owned: {
    // The project comes first in the name, so a session's may be anywhere among them.
    between: async () => ["files:", "files;"],
    owner: ({ session }) => session || undefined,
  },
};

function foldOne(files: ChangedFiles, { type, data, stream, at }: RecordedEvent): ChangedFiles {
  const { path } = data;
  const session = stream.slice(stream.indexOf("/") + 1);
  return type === "file.changed" && typeof path === "string" ? withChangedFile(files, session, { path, at }) : files;
}

/** Of the calls that were told, the files that one has changed. Nothing, for nearly every hook. */
function changedPaths(calls: readonly NewEvent[]): readonly string[] {
  return calls.flatMap(({ type, data }) => {
    const { status, facts } = data as { readonly status?: unknown; readonly facts?: unknown };
    const { kind, files, isUnchanged } = objectAt(facts);
    if (type !== "call.ended" || status !== "completed" || kind !== "edit" || isUnchanged === true) return [];
    return listAt(files).filter((file) => typeof file === "string");
  });
}

/** Edits of one file follow each other: a change is written down again after this time. */
const AGAIN = 5 * 60_000;
/** More sessions do not work on one project at once. */
const MOST_SESSIONS = 20;
const MOST_PATHS = 20;

/** What is written with an edit: that it was made; and to both, that another live session has changed the file, too. */
export function* sharedFileWrites(
  transaction: Transaction,
  { session, who, calls = [], lateAt }: Pick<Sighting, "session" | "who" | "calls" | "lateAt">,
  known: string,
): Script<readonly Write[]> {
  // Of what is told late nobody knows who was there then.
  const paths = lateAt === undefined ? new Set(changedPaths(calls).slice(0, MOST_PATHS)) : [];
  // Where it is now: it may have gone elsewhere since it began.
  const folder = who?.folder || known;
  const byProject = new Map<string, string[]>();
  for (const one of [...paths].flatMap((path) => projectFile(folder, path) ?? []))
    byProject.set(one.project, [...(byProject.get(one.project) ?? []), one.path]);
  const writes: Write[] = [];
  for (const [project, changed] of [...byProject].sort(([a], [b]) => (a < b ? -1 : 1)))
    writes.push(...(yield* projectWrites(transaction, { session, project, changed })));
  return writes;
}

interface Changes {
  readonly session: string;
  readonly project: string;
  readonly changed: readonly string[];
}

function* projectWrites(transaction: Transaction, { session, project, changed }: Changes): Script<readonly Write[]> {
  const own = filesStream(project, session);
  const since = transaction.now - SHARED_WITHIN;
  const rows = yield* ask(transaction.queries.recentStreams(`files:${project}/`, `files:${project}0`, MOST_SESSIONS));
  const others = rows.flatMap((row) => (Number(row.at) >= since ? [String(row.stream)] : []));
  // Lock order: by name, the own one among them, or two writers deadlock.
  const known: ChangedFiles[] = [];
  for (const stream of [...new Set([...others, own])].sort()) known.push(yield* transaction.view(FILES, stream));
  const before = known.find((one) => one.session === session)?.files ?? [];
  const news = changed.filter((path) => !before.some((one) => one.path === path && one.at >= transaction.now - AGAIN));
  if (news.length === 0) return [];
  const writes: Write[] = [{ stream: own, events: news.map((path) => ({ type: "file.changed", data: { path } })) }];
  for (const { session: other, files } of known) {
    const shared = files.filter(({ path, at }) => at >= since && news.includes(path));
    if (other === "" || other === session || shared.length === 0 || !(yield* isLive(transaction, other))) continue;
    for (const { path } of shared)
      writes.push(told(session, other, path, project), told(other, session, path, project));
  }
  return writes;
}

function* isLive(transaction: Transaction, session: string): Script<boolean> {
  const { state, process } = yield* transaction.view(SESSIONS, sessionStream(session));
  return state !== "ended" && isProcessThere(process) !== false;
}

/** The id makes it once for each pair and file; it does not name the other session, which may be forgotten. */
function told(session: string, other: string, file: string, project: string): Write {
  // Hooks load this, and what node:crypto takes to load is a tenth of a hook.
  const pair = JSON.stringify([session, other, project, file]);
  const event = sessionEvent(
    { type: "file.shared", file, session: other },
    `shared/${markOf(pair)}-${quickMark(pair)}`,
  );
  return { stream: sessionStream(session), events: [event] };
}
