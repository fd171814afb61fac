import { constants, type Stats } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { fail, ok, type Result } from "../../core/result.js";
import type { ScratchTables } from "../../core/scratch-tables.js";
import type { Format } from "../../readers/reader.js";
import { Transcript, type TranscriptOptions } from "../../readers/transcript.js";

/** Large enough that a call costs nothing beside parsing, small enough to be forgotten. */
const CHUNK = 1024 * 1024;

/** What a file was when it was read: enough to tell whether it has only grown since. */
export interface FileMark {
  readonly device: number;
  readonly inode: number;
  readonly size: number;
  /** Milliseconds. */
  readonly grewAt: number;
}

export interface ReadFile {
  readonly path: string;
  readonly mark: FileMark;
  readonly transcript: Transcript;
}

/** A plain file only: a pipe may never end. Links are for files that a person names; an agent's could lead anywhere. */
export async function openTranscript(path: string, links: "follow" | "refuse"): Promise<Result<FileHandle>> {
  const noLinks = links === "refuse" ? (constants.O_NOFOLLOW ?? 0) : 0;
  let handle: FileHandle;
  try {
    handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | noLinks);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === "ENOENT" ? `There is no file ${path}.` : `${path} cannot be opened: ${message}.`;
    return fail({ code: "no-transcript", message: why });
  }
  if ((await handle.stat()).isFile()) return ok(handle);
  await handle.close();
  return fail({ code: "no-transcript", message: `${path} is not a regular file. Pass a transcript.` });
}

export async function markOf(handle: FileHandle): Promise<FileMark> {
  return toMark(await handle.stat());
}

export function toMark({ dev, ino, size, mtimeMs }: Stats): FileMark {
  return { device: dev, inode: ino, size, grewAt: Math.floor(mtimeMs) };
}

/** Enough to know them again. */
const LAST = 4096;

/** Thousands of files are read one after the other: a chunk for each would be a heap of garbage. */
const spareChunks: Buffer[] = [];

/** How a long reading is stopped, and what is done on the way. */
export interface LongRead {
  readonly signal?: AbortSignal | undefined;
  /** Called again and again while more is to come. */
  readonly passed?: (() => Promise<void>) | undefined;
  /** Called before it is read from its very beginning: whatever was told of it before is told again. */
  readonly begun?: (() => void) | undefined;
}

/** Pushes what there is from the transcript's own end on. Answers with the last bytes of it. */
export function pushRest(handle: FileHandle, transcript: Transcript, reading?: LongRead): Promise<Buffer> {
  return pushUpTo(handle, transcript, Number.POSITIVE_INFINITY, reading);
}

export async function pushUpTo(
  handle: FileHandle,
  transcript: Transcript,
  end: number,
  { signal, passed }: LongRead = {},
): Promise<Buffer> {
  const chunk = spareChunks.pop() ?? Buffer.allocUnsafe(CHUNK);
  try {
    let last = Buffer.alloc(0);
    let at = transcript.end;
    while (at < end && !signal?.aborted) {
      const { bytesRead } = await handle.read(chunk, 0, Math.min(CHUNK, end - at), at);
      if (bytesRead === 0) break;
      transcript.push(chunk.subarray(0, bytesRead));
      last = Buffer.from(chunk.subarray(Math.max(0, bytesRead - LAST), bytesRead));
      at += bytesRead;
      if (bytesRead === CHUNK) await passed?.();
    }
    return last;
  } finally {
    if (spareChunks.length === 0) spareChunks.push(chunk);
  }
}

export function nameOf(path: string): { readonly file: string; readonly folder: string } {
  return { file: basename(path), folder: basename(dirname(path)) };
}

/** Copilot CLI's session files, also under a name that somebody has put before it. */
const EVENTS = /(?:^|[.-])events\.jsonl$/;

/** Tables for a transcript whose agent keeps its list by SQL; the others do without, and load no database. */
export async function tablesFor(path: string, format?: Format): Promise<{ readonly openTables?: () => ScratchTables }> {
  if (!format?.needsTables && !EVENTS.test(basename(path))) return {};
  return { openTables: await (await import("../../store/sqlite/memory-tables.js")).scratchTables() };
}

interface ReadOptions extends Pick<TranscriptOptions, "format" | "hasOpenclaw"> {
  /** What comes before the file's first byte. */
  readonly pushBefore?: (transcript: Transcript) => Promise<void>;
}

/** All of a file that nobody is expected to go on with. */
export async function readTranscript(
  path: string,
  { format, hasOpenclaw, pushBefore = async () => undefined }: ReadOptions = {},
): Promise<Result<ReadFile>> {
  const opened = await openTranscript(path, "follow");
  if (!opened.ok) return opened;
  const handle = opened.value;
  try {
    const mark = await markOf(handle);
    const read = async (more: Pick<TranscriptOptions, "isThorough" | "openTables">) => {
      const transcript = new Transcript({ ...nameOf(path), ...more, format, hasOpenclaw });
      await pushBefore(transcript);
      await pushRest(handle, transcript);
      return transcript;
    };
    const tables = await tablesFor(path, format);
    const quick = await read(tables);
    const lacking = tables.openTables ? {} : await tablesFor(path, quick.format);
    const isEnough = !quick.isLost && !lacking.openTables;
    const transcript = isEnough ? quick : await read({ ...tables, ...lacking, isThorough: quick.isLost });
    transcript.finish();
    return ok({ path, mark, transcript });
  } finally {
    await handle.close();
  }
}
