import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { SessionView } from "../../../core/session/session-facts.js";
import { type Problems, Transcript } from "../../../readers/transcript.js";
import { type FindRollout, findRolloutBeside, pushBase } from "../agents/codex-lineage.js";
import { namesIn } from "../file-peek.js";
import { type FileMark, type LongRead, markOf, nameOf, openTranscript, pushRest, tablesFor } from "../read-file.js";
import { isSameMark, markAt } from "../transcript-files.js";
import type { Followed, Observed, SavedFile } from "./followed.js";

/** `tail`: a hash of the last bytes, because half a line may be taken back and written anew. */
interface Live {
  readonly transcript: Transcript;
  readonly tail: string;
}

/** The last lines of a session end alike; in so many bytes they are not all the same. */
const TAIL = 4096;

/** Bytes after which a place is kept: a tenth of a second of reading. */
const PASS = 8 * 1024 * 1024;

/** Nobody writes a transcript anew all the time. */
const TRIES = 3;

/** One transcript that may grow, be cut off, be replaced or be moved away while we look. */
export class FollowedFile implements Followed {
  readonly path: string;
  saved: SavedFile | undefined;
  views: readonly SessionView[];
  unfinished: number;
  readonly #find: FindRollout;
  /** In memory it knows more of the last lines, and holds the beginning of an unfinished one. */
  #live: Live | undefined;
  /** The file as it was when it was last read, also where nothing in it could be read. */
  #mark: FileMark | undefined;
  #reading: Promise<unknown> = Promise.resolve();
  /** The place in the middle that was kept last. */
  #passedAt = 0;
  #begun: LongRead["begun"];

  constructor(path: string, saved?: SavedFile, find: FindRollout = findRolloutBeside(path)) {
    this.path = path;
    this.saved = saved;
    this.views = saved?.transcript.views ?? [];
    this.unfinished = saved ? Math.max(0, saved.mark.size - saved.transcript.offset) : 0;
    this.#find = find;
    this.#mark = saved?.mark;
  }

  get format(): string {
    return this.saved?.transcript.format ?? "";
  }

  get problems(): Problems {
    return this.saved?.transcript.problems ?? { lines: 0, first: [] };
  }

  get isLive(): boolean {
    return this.#live !== undefined;
  }

  rest(): void {
    this.#live = undefined;
  }

  isUpToDate(mark: FileMark): boolean {
    return this.#mark !== undefined && isSameMark(this.#mark, mark);
  }

  catchUp(observed?: Observed, reading: LongRead = {}): Promise<boolean> {
    const read = this.#reading.then(() => this.#catchUp(observed, reading));
    this.#reading = read.catch(() => undefined);
    return read;
  }

  async #catchUp(observed: Observed | undefined, reading: LongRead): Promise<boolean> {
    const opened = await openTranscript(this.path, "refuse");
    if (!opened.ok) return false;
    const handle = opened.value;
    try {
      const mark = await markOf(handle);
      if (this.isUpToDate(mark)) return false;
      // A file that is cut off or written anew while it is read gives a mixture: then all of it is read again.
      for (let tries = 0; tries < TRIES; tries += 1) if (await this.#readOnce(handle, mark, observed, reading)) break;
      return true;
    } finally {
      await handle.close();
    }
  }

  /** False when the file was not the same from beginning to end; then nothing is known of it. */
  async #readOnce(
    handle: FileHandle,
    mark: FileMark,
    observed: Observed | undefined,
    { signal, passed, begun }: LongRead,
  ): Promise<boolean> {
    this.#begun = begun;
    let transcript = await this.#resume(handle, mark, observed);
    const start = this.#startOf(transcript);
    const pass = passed && (() => this.#pass(handle, transcript, mark, passed));
    const push = () => pushRest(handle, transcript, { signal, passed: pass });
    let last = await push();
    if (transcript.isLost && !transcript.isContinued) {
      // Somebody went back to a place from before what was saved: only the whole file knows it.
      transcript = await this.#begin(observed, true);
      last = await push();
    }
    await this.#keep(handle, transcript, signal?.aborted === true ? { ...mark, size: transcript.end } : mark);
    const isStill = !start || (await tailOf(handle, start.at)) === start.tail;
    if (isStill && (await hasBytes(handle, transcript.end, last))) return true;
    [this.#live, this.saved, this.#mark] = [undefined, undefined, undefined];
    return false;
  }

  /** A place in the middle from which the next process can go on. One that lost its way is no such place. */
  async #pass(handle: FileHandle, transcript: Transcript, mark: FileMark, passed: () => Promise<void>): Promise<void> {
    if (Math.abs(transcript.end - this.#passedAt) < PASS) return;
    this.#passedAt = transcript.end;
    if (transcript.isLost) return;
    await this.#keep(handle, transcript, { ...mark, size: transcript.end });
    await passed();
  }

  /** What has to be before the place that a known transcript goes on from. */
  #startOf(transcript: Transcript): { readonly at: number; readonly tail: string } | undefined {
    const [saved, live] = [this.saved, this.#live];
    if (transcript.end === 0) return undefined;
    if (live?.transcript === transcript) return { at: transcript.end, tail: live.tail };
    const { offset, skippedTo } = saved?.transcript ?? { offset: 0 };
    const isResumed = offset > 0 && transcript.end === (skippedTo ?? offset);
    return saved && isResumed ? { at: offset, tail: saved.tail } : undefined;
  }

  /** From the very beginning, which may lie in another file. */
  async #begin(observed: Observed | undefined, isThorough = false): Promise<Transcript> {
    this.#begun?.();
    const transcript = new Transcript({
      ...nameOf(this.path),
      ...(await tablesFor(this.path)),
      observed,
      isThorough,
    });
    await pushBase(this.path, transcript, this.#find);
    return transcript;
  }

  /** The transcript as far as it is known, if this is still the file it came from, or the one that goes on with it. */
  async #resume(handle: FileHandle, mark: FileMark, observed: Observed | undefined): Promise<Transcript> {
    const before = this.#mark;
    const isSameFile = before?.inode === mark.inode && before.device === mark.device;
    const known = isSameFile
      ? await this.#goOn(handle, mark, observed)
      : before && (await this.#rotated(before, handle, observed));
    return known ?? this.#begin(observed);
  }

  /** Undefined when what was read is no longer in the file. */
  async #goOn(handle: FileHandle, mark: FileMark, observed: Observed | undefined): Promise<Transcript | undefined> {
    const [saved, live] = [this.saved, this.#live];
    if (live && (await isAsBefore(handle, mark, live.transcript.end, live.tail))) {
      const { end, rest } = live.transcript;
      // The unfinished line may have been taken back and another one begun.
      if (await hasBytes(handle, end, rest)) return live.transcript;
    }
    if (!saved) return undefined;
    const { transcript } = saved;
    const isGrown = mark.size >= (transcript.skippedTo ?? transcript.offset);
    return isGrown && (await isAsBefore(handle, mark, transcript.offset, saved.tail))
      ? new Transcript({ ...nameOf(this.path), ...(await tablesFor(this.path)), saved: transcript, observed })
      : undefined;
  }

  /** The rest of the old file first, then the new one from its beginning: together they are one transcript. */
  async #rotated(before: FileMark, next: FileHandle, observed: Observed | undefined): Promise<Transcript | undefined> {
    const path = this.#movedTo(before);
    if (path === undefined) return undefined;
    // Numbers of files that are gone are given again: its name says whose it is, or what was read is in it.
    const isNamed = basename(path).startsWith(basename(this.path));
    if (!isNamed && (this.saved?.transcript.offset ?? 0) === 0) return undefined;
    const opened = await openTranscript(path, "refuse");
    if (!opened.ok) return undefined;
    const handle = opened.value;
    try {
      // A copy that somebody left beside the file they have changed: not two parts of one, but the same twice.
      if (await beginAlike(handle, next)) return undefined;
      const known = await this.#goOn(handle, await markOf(handle), observed);
      const transcript = known ?? (isNamed ? await this.#begin(observed) : undefined);
      if (!transcript) return undefined;
      await pushRest(handle, transcript);
      transcript.finish();
      transcript.nextFile();
      return transcript;
    } finally {
      await handle.close();
    }
  }

  /** The old file under its new name, in the same folder. */
  #movedTo({ inode, device }: FileMark): string | undefined {
    const folder = dirname(this.path);
    const others = namesIn(folder).map((name) => join(folder, name));
    return others.find((path) => {
      const mark = path === this.path ? undefined : markAt(path);
      return mark?.inode === inode && mark.device === device;
    });
  }

  async #keep(handle: FileHandle, transcript: Transcript, mark: FileMark): Promise<void> {
    this.#live = { transcript, tail: await tailOf(handle, transcript.end) };
    const saved = transcript.save();
    this.views = saved?.views ?? [];
    this.unfinished = transcript.unfinished;
    this.#mark = mark;
    this.saved = saved && { mark, tail: await tailOf(handle, saved.offset), transcript: saved };
  }
}

/** Up to this place the file is the one that was read. */
async function isAsBefore(handle: FileHandle, { size }: FileMark, end: number, tail: string): Promise<boolean> {
  return size >= end && (await tailOf(handle, end)) === tail;
}

/** These bytes are in the file, and end there. */
async function hasBytes(handle: FileHandle, end: number, wanted: Uint8Array): Promise<boolean> {
  const bytes = Buffer.alloc(wanted.length);
  if (bytes.length > 0) await handle.read(bytes, 0, bytes.length, end - bytes.length);
  return bytes.equals(wanted);
}

async function beginAlike(a: FileHandle, b: FileHandle): Promise<boolean> {
  const [first, second] = await Promise.all([a, b].map(beginningOf));
  const length = Math.min(first?.length ?? 0, second?.length ?? 0);
  return length > 0 && first?.subarray(0, length).equals(second?.subarray(0, length) ?? Buffer.alloc(0)) === true;
}

async function beginningOf(handle: FileHandle): Promise<Buffer> {
  const bytes = Buffer.alloc(TAIL);
  const { bytesRead } = await handle.read(bytes, 0, TAIL, 0);
  return bytes.subarray(0, bytesRead);
}

async function tailOf(handle: FileHandle, offset: number): Promise<string> {
  const size = Math.min(TAIL, offset);
  const bytes = Buffer.alloc(size);
  if (size > 0) await handle.read(bytes, 0, size, offset - size);
  return createHash("sha1").update(bytes).digest("base64");
}
