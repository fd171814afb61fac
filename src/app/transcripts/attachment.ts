import { basename, dirname } from "node:path";
import type { Observation } from "../../core/session/observation.js";
import { agentFiles } from "./agents/claude-tasks-folder.js";
import { type FindRollout, findRolloutIn, parentThread, withoutRewound } from "./agents/codex-lineage.js";
import { piSessionOf } from "./agents/oh-my-pi-folder.js";
import { documentKind } from "./document.js";
import { beginningOf } from "./file-peek.js";
import type { Followed, SavedFile } from "./follow/followed.js";
import { FollowedDocument } from "./follow/followed-document.js";
import { FollowedFile } from "./follow/followed-file.js";
import { sessionsIn } from "./follow/followed-sessions.js";
import type { FileMark } from "./read-file.js";
import { mergeSessions, type SeenSession } from "./seen-session.js";
import { findTranscripts, markAt } from "./transcript-files.js";
import { idInName, isSubAgentName } from "./transcript-name.js";

/** More sessions than a table shows; a live view of all of them asks for more. */
const MOST_SHOWN = 200;
/** Files that are read in full detail stay in memory while they grow: so many of those that are shown. */
const LIVE_PART = 5;

export interface AttachmentOptions {
  /** Where transcripts lie; asked each time, because an agent may be started for the first time. */
  readonly folders: () => readonly string[];
  /** How many sessions are told of at most, however many there are. */
  readonly most?: number | undefined;
  /** What is known of files from before. */
  readonly saved?: ReadonlyMap<string, SavedFile | undefined>;
  readonly observed?: (observations: readonly Observation[]) => void;
  /** While much is read, what is known by then can be kept: a killed process need not begin anew. */
  readonly passed?: (where: "in a file" | "between files") => Promise<void>;
}

interface ReadNewest {
  readonly signal?: AbortSignal | undefined;
  /** Whether a file may hold what is looked for; default: any may. */
  readonly isWanted?: ((path: string) => boolean) | undefined;
  /** Files that have not grown since then are left out, in milliseconds. */
  readonly since?: number | undefined;
  /** Files that have grown since then are read, however many sessions are known by then. */
  readonly atLeastSince?: number | undefined;
  /** How many files had to be read. */
  readonly progress?: ((done: number) => void) | undefined;
}

/** Every transcript on this machine, and what has been read of it. Never writes where agents write. */
export class Attachment {
  readonly #options: AttachmentOptions;
  readonly #most: number;
  readonly #files = new Map<string, Followed>();
  /** All files as they were when they were last looked at; the one that grew last first after a scan. */
  #marks = new Map<string, FileMark>();
  folders: readonly string[] = [];
  #walked: ReadonlySet<string> = new Set();
  readonly #unsaved = new Set<string>();
  /** Files of which something was kept, now or before. */
  readonly #kept: Set<string>;

  constructor(options: AttachmentOptions) {
    this.#options = options;
    this.#most = options.most ?? MOST_SHOWN;
    this.#kept = new Set(options.saved?.keys());
    this.scan();
  }

  /** Tells of a session in a file whether it is there now, also later. */
  async known(): Promise<(path: string, session: string) => boolean> {
    const paths = new Set(this.#marks.keys());
    // That a database was there says nothing of what was in it.
    for (const path of this.#databases()) await this.read(path);
    return (path, session) => paths.has(path) && (this.#files.get(path)?.wasThere?.(session) ?? true);
  }

  /** Whether a file is one that a scan would find; not every folder is watched for all that is in it. */
  isOurs(path: string): boolean {
    return this.#marks.has(path) || this.#walked.has(dirname(path));
  }

  /** Files that could not be read, and why. */
  get troubles(): readonly string[] {
    return [...this.#marks.keys()].flatMap((path) => this.#files.get(path)?.trouble ?? []);
  }

  get count(): number {
    return this.#marks.size;
  }

  get paths(): readonly string[] {
    return [...this.#marks.keys()];
  }

  /** Looks for files and folders. Answers with those that are new or not as they were. */
  scan(): readonly string[] {
    const { files, folders, walked } = findTranscripts(this.#options.folders());
    this.folders = folders;
    this.#walked = walked;
    this.#marks = new Map(files.map(({ path, mark }) => [path, mark]));
    // Not forgotten: one that was moved away may go on under its old name in a moment.
    for (const [path, file] of this.#files) if (!this.#marks.has(path)) file.rest();
    return files.filter(({ path, mark }) => !this.#fileAt(path).isUpToDate(mark)).map(({ path }) => path);
  }

  /** Reads what is new in a file. True when something was. `isLive`: more will come soon. */
  async read(path: string, signal?: AbortSignal, isLive = false): Promise<boolean> {
    const mark = markAt(path);
    if (!mark) return this.#lose(path);
    this.#marks.set(path, mark);
    const file = this.#fileAt(path);
    if (file.isUpToDate(mark)) return false;
    const isNew = await file.catchUp(this.#options.observed, { signal, passed: () => this.#pass(path, "in a file") });
    if (isNew) await this.#pass(path, "between files");
    if (isLive) this.#letRest(file);
    else file.rest();
    return isNew;
  }

  async #pass(path: string, where: "in a file" | "between files"): Promise<void> {
    this.#unsaved.add(path);
    await this.#options.passed?.(where);
  }

  /** Reads the newest files until so many sessions are known, with everything that belongs to them. */
  async readNewest(sessions: number, options: ReadNewest = {}): Promise<void> {
    const { signal, isWanted, since = 0, atLeastSince = Number.POSITIVE_INFINITY, progress } = options;
    const roots = new Set<string>();
    let done = 0;
    for (const [path, { grewAt }] of [...this.#marks]) {
      const isWaitedFor = grewAt >= atLeastSince && roots.size < MOST_READ;
      if ((roots.size >= sessions && !isWaitedFor) || signal?.aborted) break;
      if (grewAt < since) continue;
      // The name of a database says nothing of what is in it.
      if (!isDatabase(path) && isWanted?.(path) === false) continue;
      if (await this.read(path, signal)) done += 1;
      progress?.(done);
      const { views } = this.#fileAt(path);
      // Most of its sessions are older than those of the next files: it stands for one.
      for (const { id, parent } of isDatabase(path) ? views.slice(0, 1) : views) roots.add(rootOf(id, parent));
    }
    for (const path of this.#filesOf(roots)) await this.read(path, signal);
    for (const path of this.#childrenOf(roots)) await this.read(path, signal);
  }

  /** From here on databases are read without a limit. */
  widen(): void {
    for (const path of this.#databases()) this.#fileAt(path).widen?.();
  }

  /** For an id, or its beginning, that no file is named after: looks at the first bytes of files and at databases. */
  async readAsked(asked: string): Promise<void> {
    this.widen();
    const isIn = (path: string) => beginningOf(path, HEADER).includes(`"${asked}`);
    for (const path of [...this.#marks.keys()]) if (isDatabase(path) || isIn(path)) await this.read(path);
  }

  #databases(): readonly string[] {
    return [...this.#marks.keys()].filter(isDatabase);
  }

  /**
   * What is known by now of so many sessions that grew last, also of more that grew since then, and of their
   * sub-agents; the one that grew last first.
   */
  sessions({ most, since }: { most: number; since: number } = ALL): readonly SeenSession[] {
    const newest = [...this.#marks].sort(([, a], [, b]) => b.grewAt - a.grewAt);
    const current = new Set(withoutRewound(newest.map(([path]) => path)));
    const roots = new Set<string>();
    const seen = newest.flatMap(([path, { grewAt }]) => {
      const file = current.has(path) ? this.#files.get(path) : undefined;
      const [first] = file?.views ?? [];
      if (!file || !first) return [];
      const root = rootOf(first.id, first.parent);
      if (roots.size < most || (grewAt >= since && roots.size < this.#most)) roots.add(root);
      return roots.has(root) ? sessionsIn(file, grewAt) : [];
    });
    return withActiveParents(mergeSessions(seen)).sort((a, b) => b.grewAt - a.grewAt);
  }

  /** Every file of which something was read, without those that went on in another one. */
  readFiles(): readonly Pick<Followed, "path" | "views">[] {
    return withoutRewound(this.paths).flatMap((path) => this.#files.get(path) ?? []);
  }

  /** Ids of sessions without a parent, read or not: those that are not read are told by the names of their files. */
  roots(): { readonly ids: ReadonlySet<string>; readonly isSure: boolean } {
    const ids = new Set<string>();
    let isSure = true;
    for (const path of withoutRewound(this.paths)) {
      const file = this.#fileAt(path);
      const mark = this.#marks.get(path);
      if (file.views.length > 0 || (mark && file.isUpToDate(mark))) {
        for (const { id, parent } of file.views) if (parent === null && !id.includes("/")) ids.add(id);
        isSure &&= file.isWhole !== false;
      } else if (!isSubAgentName(path)) {
        ids.add(idInName(path));
        isSure = false;
      }
    }
    return { ids, isSure };
  }

  /** What has changed since the last call, and is ready. Without `saved`: what was kept of it no longer holds. */
  takeUnsaved(isReady: (file: Followed) => boolean = () => true): readonly Pick<Followed, "path" | "saved">[] {
    const taken: Pick<Followed, "path" | "saved">[] = [];
    for (const path of [...this.#unsaved]) {
      const file = this.#fileAt(path);
      if (!isReady(file)) continue;
      this.#unsaved.delete(path);
      if (file.saved || this.#kept.has(path)) taken.push({ path, saved: file.saved });
      if (file.saved) this.#kept.add(path);
    }
    return taken;
  }

  #fileAt(path: string): Followed {
    const known = this.#files.get(path);
    if (known) return known;
    const find: FindRollout = (key) => findRolloutIn(this.#marks.keys())(key);
    const kind = documentKind(path);
    const file = kind ? new FollowedDocument(path, kind) : new FollowedFile(path, this.#options.saved?.get(path), find);
    this.#files.set(path, file);
    return file;
  }

  #lose(path: string): false {
    this.#files.get(path)?.rest();
    this.#marks.delete(path);
    return false;
  }

  /** The one that was read last is the last in the map, so the first live one has been quiet for longest. */
  #letRest(file: Followed): void {
    this.#files.delete(file.path);
    this.#files.set(file.path, file);
    const live = [...this.#files.values()].filter(({ isLive }) => isLive);
    for (const quiet of live.slice(0, Math.max(0, live.length - Math.ceil(this.#most / LIVE_PART)))) quiet.rest();
  }

  /** Files of sub-agents that are not called after their session: only what is in them tells. */
  #childrenOf(sessions: ReadonlySet<string>): readonly string[] {
    const files = [...this.#files.values()].filter(({ views }) => sessions.has(views[0]?.id ?? ""));
    const beside = files.filter(({ format }) => format === "claude").flatMap(({ path }) => agentFiles(path));
    const isThread = files.some(({ format }) => format === "codex");
    const unread = [...this.#marks.keys()].filter((path) => !this.#files.get(path)?.saved).slice(0, MOST_GUESSED);
    return [...beside, ...(isThread ? unread.filter((path) => sessions.has(parentThread(path) ?? "")) : [])];
  }

  /** Files that belong to these sessions by their names: sub-agents below a session, and parents of sub-agents. */
  #filesOf(sessions: ReadonlySet<string>): readonly string[] {
    return [...this.#marks.keys()].filter((path) => {
      const name = basename(path, ".jsonl");
      const above = basename(dirname(dirname(path)));
      const isOfPi = sessions.has(piSessionOf(path) ?? "");
      return isOfPi || sessions.has(name) || sessions.has(above) || sessions.has(name.slice(-UUID_LENGTH));
    });
  }
}

const ALL = { most: Number.POSITIVE_INFINITY, since: Number.POSITIVE_INFINITY };

/** More sessions than most people have in a day, and no more than a person waits for. */
const MOST_READ = 60;

function isDatabase(path: string): boolean {
  return documentKind(path) === "database";
}

/** Bytes in which a session says who it is, whatever line it puts before. */
const HEADER = 4096;

/** Each has to be opened; the newest are the likeliest. */
const MOST_GUESSED = 200;

/** Codex names its files after a time and the thread. */
const UUID_LENGTH = 36;

/** Sub-agents may have sub-agents; Claude Code's are named after the session they are in. */
function rootOf(id: string, parent: string | null): string {
  return parent ?? id.split("/")[0] ?? id;
}

/** Who waits for a sub-agent does not grow, but is at work; so does who waits for that one. */
function withActiveParents(sessions: readonly SeenSession[]): SeenSession[] {
  const parents = new Map(sessions.map(({ view }) => [view.id, view.parent]));
  const newest = new Map<string, number>();
  for (const { view, grewAt } of sessions) {
    let id = view.parent;
    for (let depth = 0; id !== null && depth < DEEPEST; depth += 1) {
      newest.set(id, Math.max(grewAt, newest.get(id) ?? 0));
      id = parents.get(id) ?? null;
    }
  }
  if (newest.size === 0) return [...sessions];
  return sessions.map((one) => {
    const grewAt = newest.get(one.view.id) ?? 0;
    return grewAt > one.grewAt ? { ...one, grewAt } : one;
  });
}

const DEEPEST = 10;
