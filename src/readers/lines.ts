const NEWLINE = 10;

/** Longer lines are pictures and logs; holding one costs several times its size. */
const LINE_MAX = 16 * 1024 * 1024;

/** Whole lines, as bytes: only a newline ends one, and no character is ever cut in two. */
export interface LineEvents {
  /** The bytes are valid only until this returns. */
  line(bytes: Uint8Array, offset: number): void;
  /** Called at the end of a line that was too long to hold. */
  tooLong(offset: number): void;
}

/** Bytes in, lines out. An unfinished line waits for more bytes, up to a limit. */
export class LineSplitter {
  readonly #events: LineEvents;
  readonly #max: number;
  /** Where the unfinished line begins. */
  lineStart: number;
  /** Where the next bytes belong. */
  end: number;
  /** The unfinished line is not held any more. */
  isTooLong: boolean;
  #parts: Uint8Array[] = [];
  #size = 0;

  /** `skippedTo`: the line at `start` is too long to hold, and was passed over up to here. */
  constructor(events: LineEvents, start = 0, skippedTo?: number, max: number = LINE_MAX) {
    this.#events = events;
    this.lineStart = start;
    this.end = skippedTo ?? start;
    this.isTooLong = skippedTo !== undefined;
    this.#max = max;
  }

  push(chunk: Uint8Array): void {
    const base = this.end;
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      this.#endLine(chunk.subarray(from, at));
      from = at + 1;
      this.lineStart = base + from;
    }
    this.end = base + chunk.length;
    if (from < chunk.length) this.#keep(chunk.subarray(from));
  }

  /** The bytes of the unfinished line, as far as they are held. */
  get rest(): Uint8Array {
    return Buffer.concat(this.#parts, this.#size);
  }

  #endLine(last: Uint8Array): void {
    if (this.isTooLong || this.#size + last.length > this.#max) this.#events.tooLong(this.lineStart);
    else if (this.#size === 0) this.#events.line(last, this.lineStart);
    else this.#events.line(Buffer.concat([...this.#parts, last], this.#size + last.length), this.lineStart);
    this.#drop();
    this.isTooLong = false;
  }

  #keep(rest: Uint8Array): void {
    if (this.isTooLong) return;
    if (this.#size + rest.length > this.#max) {
      this.#drop();
      this.isTooLong = true;
      return;
    }
    // A copy: the chunk is reused by the caller, and `slice` of a Buffer does not copy.
    this.#parts.push(Buffer.from(rest));
    this.#size += rest.length;
  }

  #drop(): void {
    if (this.#size === 0) return;
    this.#parts = [];
    this.#size = 0;
  }
}
