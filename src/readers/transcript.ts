import { isObject, type JsonObject, parseJson } from "../core/json.js";
import type { ScratchTables } from "../core/scratch-tables.js";
import type { Observation } from "../core/session/observation.js";
import { applyFact, evolveView, newView, type SessionView, type ViewDraft } from "../core/session/session-facts.js";
import { NO_OPENCLAW_WATCH } from "../core/session/watched/openclaw-watch.js";
import { LineSplitter } from "./lines.js";
import type { Format, Reader } from "./reader.js";
import { findFormat, recognise } from "./transcript-formats.js";

/** `offset`: of its first byte. */
export interface BadLine {
  readonly offset: number;
  readonly why: "no JSON" | "no object" | "too long";
}

export interface Problems {
  readonly lines: number;
  readonly first: readonly BadLine[];
}

/** What is kept of a transcript between two looks at it. */
export interface SavedTranscript {
  readonly format: string;
  /** Bytes up to here need not be read again. */
  readonly offset: number;
  /** The bytes from there up to here belong to a line that is too long to hold. */
  readonly skippedTo?: number;
  /** What the reader has saved, as JSON text: small, and thousands of them are held. */
  readonly reader: string;
  readonly views: readonly SessionView[];
  readonly problems: Problems;
  /** It began in a file that is no longer at hand. */
  readonly isContinued?: true;
}

export interface TranscriptOptions {
  /** Names without their paths. */
  readonly file: string;
  readonly folder?: string | undefined;
  /** Default: told from the first records. */
  readonly format?: Format | undefined;
  readonly saved?: SavedTranscript | undefined;
  /** Remember every line: for a file in which somebody goes back further than is remembered otherwise. */
  readonly isThorough?: boolean | undefined;
  /** A person wants OpenClaw's detectors beside ours. */
  readonly hasOpenclaw?: boolean | undefined;
  /** Of a file in which an agent keeps its list by SQL. */
  readonly openTables?: (() => ScratchTables) | undefined;
  /** Told of everything as it is read; the views have it already. */
  readonly observed?: ((observations: readonly Observation[]) => void) | undefined;
}

const MOST_TOLD = 20;
/** A file that shows nothing we know in so many records is not a transcript. */
const MOST_UNKNOWN = 200;
/** Nor is it worth holding more than so many bytes of them. */
const UNKNOWN_BYTES = 16 * 1024 * 1024;

/** One transcript: bytes in, observations and views out. Knows nothing of files; offsets are in bytes. */
export class Transcript {
  readonly #options: TranscriptOptions;
  #lines: LineSplitter;
  readonly #views = new Map<string, ViewDraft>();
  format: Format | undefined;
  /** Its beginning is in another file: reading this one again would lose it. */
  isContinued: boolean;
  #skipped: readonly Buffer[] = [];
  #reader: Reader | undefined;
  /** Records from before the format was known. */
  #unknown: JsonObject[] = [];
  #unknownBytes = 0;
  #badLines = 0;
  #isFinished = false;
  #firstBad: BadLine[] = [];

  constructor(options: TranscriptOptions) {
    this.#options = options;
    const { saved } = options;
    this.#lines = this.#splitFrom(saved?.offset ?? 0, saved?.skippedTo);
    for (const view of saved?.views ?? []) this.#views.set(view.id, { ...view });
    this.isContinued = saved?.isContinued ?? false;
    this.#badLines = saved?.problems.lines ?? 0;
    this.#firstBad = [...(saved?.problems.first ?? [])];
    const format = saved ? findFormat(saved.format) : options.format;
    if (format) this.#open(format, saved && JSON.parse(saved.reader));
  }

  /** As they are now; they change with the next push. */
  get views(): ReadonlyMap<string, SessionView> {
    return this.#views;
  }

  get problems(): Problems {
    return { lines: this.#badLines, first: this.#firstBad };
  }

  /** Where the next bytes to push begin. */
  get end(): number {
    return this.#lines.end;
  }

  /** How many bytes of the last line have come without its end. */
  get unfinished(): number {
    return this.#isFinished ? 0 : this.#lines.end - this.#lines.lineStart;
  }

  /** Those bytes, as far as they are held. */
  get rest(): Uint8Array {
    return this.#lines.rest;
  }

  /** Nothing will come any more: what looks like a whole record without its newline is one. */
  finish(): void {
    const { rest, lineStart, isTooLong } = this.#lines;
    if (this.#isFinished) return;
    if (isTooLong) {
      this.#isFinished = true;
      this.#bad(lineStart, "too long");
    }
    if (rest.length === 0) return;
    const record = parseLine(Buffer.from(rest), lineStart);
    if (!isObject(record)) return;
    this.#readRecord(record, rest.length);
    this.#isFinished = true;
  }

  get isLost(): boolean {
    return this.#reader?.isLost === true;
  }

  push(chunk: Uint8Array): void {
    this.#lines.push(chunk);
  }

  /** A record that is not a line: a whole document. */
  tell(record: JsonObject): void {
    this.#readRecord(record, 0);
  }

  /** The session goes on in another file: the next bytes are that one's first. */
  nextFile(): void {
    this.#isFinished = false;
    this.isContinued = true;
    this.#lines = this.#splitFrom(0);
  }

  #splitFrom(start: number, skippedTo?: number): LineSplitter {
    const events = {
      line: (bytes: Uint8Array, offset: number) => this.#readLine(bytes, offset),
      tooLong: (offset: number) => this.#bad(offset, "too long"),
    };
    return new LineSplitter(events, start, skippedTo);
  }

  /** Undefined until the format is known. */
  save(): SavedTranscript | undefined {
    if (!this.format || !this.#reader) return undefined;
    return {
      format: this.format.name,
      offset: this.#lines.lineStart,
      ...(this.#lines.isTooLong ? { skippedTo: this.#lines.end } : undefined),
      reader: JSON.stringify(this.#reader.save()),
      views: [...this.#views.values()].map((view) => ({ ...view })),
      problems: this.problems,
      ...(this.isContinued ? { isContinued: true } : undefined),
    };
  }

  #open(format: Format, saved?: unknown): Reader {
    this.format = format;
    this.#skipped = (format.skipped ?? []).map((beginning) => Buffer.from(beginning));
    const { file, isThorough, folder, openTables } = this.#options;
    this.#reader = format.open(file, { saved, isThorough, folder, openTables });
    return this.#reader;
  }

  #readLine(bytes: Uint8Array, offset: number): void {
    if (this.#skipped.length > 0 && this.#isSkipped(bytes)) return;
    const line = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const record = this.format?.skim?.(line) ?? parseLine(line, offset);
    if (isObject(record)) this.#readRecord(record, bytes.length);
    else if (record !== BLANK) this.#bad(offset, record === undefined ? "no JSON" : "no object");
  }

  #isSkipped(bytes: Uint8Array): boolean {
    // They all begin alike; most lines differ from them in their third byte.
    if (bytes[SHARED] !== this.#skipped[0]?.[SHARED]) return false;
    return this.#skipped.some((beginning) => beginning.equals(bytes.subarray(0, beginning.length)));
  }

  #readRecord(record: JsonObject, size: number): void {
    if (this.#reader) {
      this.#observe(this.#reader.read(record));
      return;
    }
    const format = recognise(record);
    if (!format) {
      this.#keepUnknown(record, size);
      return;
    }
    const reader = this.#open(format);
    for (const one of [...this.#unknown, record]) this.#observe(reader.read(one));
    this.#unknown = [];
  }

  #keepUnknown(record: JsonObject, size: number): void {
    if (this.#unknown.length >= MOST_UNKNOWN || this.#unknownBytes + size > UNKNOWN_BYTES) return;
    this.#unknownBytes += size;
    this.#unknown.push(record);
  }

  #observe(observations: readonly Observation[]): void {
    if (observations.length === 0) return;
    for (const observation of observations) {
      const { session } = observation;
      const view = this.#views.get(session);
      if (view) applyFact(view, observation);
      else this.#views.set(session, evolveView(this.#newView(session), observation));
    }
    this.#options.observed?.(observations);
  }

  #newView(session: string): SessionView {
    const view = newView(session);
    if (!this.#options.hasOpenclaw) return view;
    return { ...view, watched: { ...view.watched, openclaw: NO_OPENCLAW_WATCH } };
  }

  #bad(offset: number, why: BadLine["why"]): void {
    this.#badLines += 1;
    if (this.#firstBad.length < MOST_TOLD) this.#firstBad.push({ offset, why });
  }
}

/** Where the name of the first field begins. */
const SHARED = 2;
const BLANK = Symbol("blank");
const BYTE_ORDER_MARK = 3;

function parseLine(bytes: Buffer, offset: number): unknown {
  const line = bytes.toString("utf8", offset === 0 && hasByteOrderMark(bytes) ? BYTE_ORDER_MARK : 0);
  const record = parseJson(line);
  return record === undefined && line.trim() === "" ? BLANK : record;
}

function hasByteOrderMark(text: Buffer): boolean {
  return text.length >= BYTE_ORDER_MARK && text.readUIntBE(0, BYTE_ORDER_MARK) === 0xefbbbf;
}
