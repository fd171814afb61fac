import { basename } from "node:path";
import type { SessionView } from "../../../core/session/session-facts.js";
import { type Problems, Transcript } from "../../../readers/transcript.js";
import { asTrouble, StoreTrouble } from "../../../store/trouble.js";
import { readDatabase } from "../agents/database-formats.js";
import { type DocumentKind, readJson } from "../document.js";
import { type FileMark, openTranscript } from "../read-file.js";
import { isSameMark, markAt } from "../transcript-files.js";
import type { Followed, Observed } from "./followed.js";

/** Of a database that holds years: more than anybody looks at. */
const MOST_SESSIONS = 200;

interface KnownSession {
  readonly state: string;
  readonly views: readonly SessionView[];
}

/** A database or a snapshot that may change while we look. It is not kept: many people's sessions are in one file. */
export class FollowedDocument implements Followed {
  readonly path: string;
  readonly saved = undefined;
  readonly unfinished = 0;
  readonly isLive = false;
  format = "";
  problems: Problems = { lines: 0, first: [] };
  trouble: string | undefined;
  readonly #kind: DocumentKind;
  #sessions = new Map<string, KnownSession>();
  /** Ids that were found when it was first read, and the time from which on these are all. */
  #first: { readonly ids: ReadonlySet<string>; readonly since: number } | undefined;
  #most = MOST_SESSIONS;
  #mark: FileMark | undefined;
  #reading: Promise<unknown> = Promise.resolve();

  constructor(path: string, kind: DocumentKind) {
    this.path = path;
    this.#kind = kind;
  }

  get views(): readonly SessionView[] {
    return [...this.#sessions.values()].flatMap(({ views }) => views);
  }

  get isWhole(): boolean {
    return this.#sessions.size < this.#most;
  }

  /** Of a database with more sessions than are looked at: what began before the oldest of them was there, too. */
  wasThere(session: string): boolean {
    // A snapshot is one session's, and was there when its file was.
    if (!this.#first) return true;
    const view = this.views.find(({ id }) => id === session);
    return this.#first.ids.has(session) || (view !== undefined && view.startedAt < this.#first.since);
  }

  widen(): void {
    if (this.#kind !== "database" || this.#most === Number.POSITIVE_INFINITY) return;
    this.#most = Number.POSITIVE_INFINITY;
    this.#mark = undefined;
  }

  rest(): void {
    // Nothing is held open.
  }

  isUpToDate(mark: FileMark): boolean {
    return this.#mark !== undefined && isSameMark(this.#mark, mark);
  }

  catchUp(observed?: Observed): Promise<boolean> {
    const read = this.#reading.then(() => this.#catchUp(observed));
    this.#reading = read.catch(() => undefined);
    return read;
  }

  async #catchUp(observed: Observed | undefined): Promise<boolean> {
    // Looked at first: what is written while we read is read the next time.
    const mark = markAt(this.path);
    if (!mark || this.isUpToDate(mark)) return false;
    this.#mark = mark;
    if (this.#kind === "json") await this.#readJson(observed);
    else await this.#readDatabase(observed);
    return true;
  }

  async #readJson(observed: Observed | undefined): Promise<void> {
    const opened = await openTranscript(this.path, "refuse");
    if (!opened.ok) return;
    const record = await readJson(opened.value).finally(() => opened.value.close());
    // Half written: what was in it is still the best that is known.
    if (!record) return;
    const transcript = new Transcript({ file: basename(this.path), observed });
    transcript.tell(record);
    this.problems = transcript.problems;
    this.format = transcript.format?.name ?? "";
    this.#sessions = new Map([[this.path, { state: "", views: [...transcript.views.values()] }]]);
  }

  async #readDatabase(observed: Observed | undefined): Promise<void> {
    const stateOf = (id: string) => this.#sessions.get(id)?.state;
    const found = await readDatabase(this.path, { most: this.#most, known: stateOf }).catch(asTrouble);
    this.trouble = found instanceof StoreTrouble ? found.message : undefined;
    // In use, or broken just now: what was in it is still the best that is known.
    if (!found || found instanceof StoreTrouble) return;
    const known = new Map(this.#sessions);
    for (const { id, state, record } of found.changed) {
      const transcript = new Transcript({ file: basename(this.path), format: found.format, observed });
      transcript.tell(record);
      known.set(id, { state, views: [...transcript.views.values()] });
    }
    this.format = found.format.name;
    this.#sessions = new Map();
    for (const id of found.ids) {
      const session = known.get(id);
      if (session) this.#sessions.set(id, session);
    }
    // Whatever was left out was written before the last of those that were not.
    const times = this.views.map(({ at }) => at).sort((a, b) => b - a);
    this.#first ??= { ids: new Set(found.ids), since: times[this.#most - 1] ?? 0 };
  }
}
