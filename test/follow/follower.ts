import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Attachment } from "../../src/app/transcripts/attachment.js";
import { changesBetween } from "../../src/app/transcripts/changes.js";
import { follow } from "../../src/app/transcripts/follow/follow.js";
import type { SavedFile } from "../../src/app/transcripts/follow/followed.js";
import { reportOf, type SessionReport } from "../../src/app/transcripts/session-report.js";
import type { SessionView } from "../../src/core/session/session-facts.js";
import { Transcript } from "../../src/readers/transcript.js";
import type { AgentWriting } from "./agent-writing.js";

/** A view and the bytes of a last line that is not whole, by the session. */
export type Picture = ReadonlyMap<string, { readonly view: unknown; readonly unfinished: number }>;

/** A session without what its sub-agents did: that is in files of their own. */
const plain = ({ work: { below: _, ...work }, ...view }: SessionView): unknown =>
  JSON.parse(JSON.stringify({ ...view, work }));

/** What somebody sees who reads everything that is there for the first time. */
export function freshly(agents: readonly AgentWriting[]): Picture {
  return new Map(agents.flatMap(({ path, parts }) => (parts.length === 0 ? [] : readParts(basename(path), parts))));
}

function readParts(file: string, parts: readonly Buffer[], isThorough = false): [string, ReturnType<typeof shown>][] {
  const transcript = new Transcript({ file, isThorough });
  for (const [at, part] of parts.entries()) {
    if (at > 0) {
      transcript.finish();
      transcript.nextFile();
    }
    transcript.push(part);
  }
  if (transcript.isLost) return readParts(file, parts, true);
  return [...transcript.views].map(([id, view]) => [id, shown(view, transcript.unfinished)]);
}

const shown = (view: SessionView, unfinished: number) => ({ view: plain(view), unfinished });

function pictureOf(attachment: Attachment): Picture {
  return new Map(attachment.sessions().map(({ view, unfinished }) => [view.id, shown(view, unfinished)]));
}

/** Changes as `watch --follow` prints them. What is gone is remembered: it must not come back as new. */
export class ChangeLog {
  readonly lines: string[] = [];
  #before: ReadonlyMap<string, SessionReport> = new Map();

  look(picture: Picture): void {
    const after = [...picture].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, { view }]) => report(view as SessionView));
    this.lines.push(...changesBetween(this.#before, after).map(({ session, text }) => `${session} ${text}`));
    this.#before = new Map([...this.#before, ...after.map((one) => [one.id, one] as const)]);
  }
}

function report(view: SessionView): SessionReport {
  const status = { state: "running", reason: "in-turn", source: "transcript", since: 1 } as const;
  const beside = { status, now: 1, updatedAt: 1, transcript: null, unfinished: 0 } as const;
  return reportOf(view, { ...beside, problems: { lines: 0, first: [] } });
}

/** As the store keeps it: as JSON. */
function keep(kept: Map<string, SavedFile>, attachment: Attachment): void {
  for (const { path, saved } of attachment.takeUnsaved())
    if (saved) kept.set(path, JSON.parse(JSON.stringify(saved)) as SavedFile);
    else kept.delete(path);
}

/** Looks at the folder when it is told to. */
export class Looking {
  readonly #folder: string;
  readonly #saved = new Map<string, SavedFile>();
  #attachment: Attachment;
  readonly log = new ChangeLog();

  constructor(folder: string) {
    this.#folder = folder;
    this.#attachment = new Attachment({ folders: () => [folder] });
  }

  async look(isLive = true): Promise<Picture> {
    for (const path of this.#attachment.scan()) await this.#attachment.read(path, undefined, isLive);
    const picture = pictureOf(this.#attachment);
    this.log.look(picture);
    return picture;
  }

  /** As if the process had ended and begun anew: all that is left is what was saved, as JSON. */
  restart(): void {
    keep(this.#saved, this.#attachment);
    this.#attachment = new Attachment({ folders: () => [this.#folder], saved: this.#saved });
  }

  async end(): Promise<void> {}
}

/** Says whether something is being read just now. */
class Listening extends Attachment {
  #reads = 0;

  override async read(...given: Parameters<Attachment["read"]>): Promise<boolean> {
    this.#reads += 1;
    try {
      return await super.read(...given);
    } finally {
      this.#reads -= 1;
    }
  }

  get isReading(): boolean {
    return this.#reads > 0;
  }
}

const DEADLINE_MS = 5000;
const UNSEEN_MS = 80;

/** Follows the folder by itself; a look waits until it has seen what there is to see. */
export class Following {
  readonly #folder: string;
  readonly #saved = new Map<string, SavedFile>();
  #attachment: Listening;
  readonly log = new ChangeLog();
  #stop = new AbortController();
  #running: Promise<void>;

  constructor(folder: string) {
    this.#folder = folder;
    this.#attachment = new Listening({ folders: () => [folder] });
    this.#running = this.#follow();
  }

  #follow(): Promise<void> {
    const { signal } = this.#stop;
    const changed = () => this.log.look(pictureOf(this.#attachment));
    return follow(this.#attachment, { signal, changed, everyMs: 60_000 });
  }

  async look(_isLive: boolean, expected: Picture, lines: readonly string[]): Promise<Picture> {
    const wanted = asText(expected);
    const until = Date.now() + DEADLINE_MS;
    const isSeen = () => asText(pictureOf(this.#attachment)) === wanted && this.log.lines.length >= lines.length;
    // What cannot be seen from outside is looked at, too.
    if (isSeen()) await sleep(UNSEEN_MS);
    // Nor may a read be on its way: it would see a half of what happens next.
    while ((!isSeen() || this.#attachment.isReading) && Date.now() < until) await sleep(5);
    return pictureOf(this.#attachment);
  }

  async end(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async restart(): Promise<void> {
    await this.end();
    keep(this.#saved, this.#attachment);
    this.#attachment = new Listening({ folders: () => [this.#folder], saved: this.#saved });
    this.#stop = new AbortController();
    this.#running = this.#follow();
  }
}

function asText(picture: Picture): string {
  return JSON.stringify([...picture].sort(([a], [b]) => (a < b ? -1 : 1)));
}
