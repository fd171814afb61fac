const NEWLINE = 10;

/** Longer lines are pictures and logs; holding one costs several times its size. */
const LINE_MAX = 16 * 1024 * 1024;

/** Whole lines, as bytes: only a newline ends one, and no character is ever cut in two. */
export interface LineEvents {
  /** The bytes are valid only until this returns. */
  line(bytes: Uint8Array, offset: number): void;
  /** A line that was too long to hold; told when its end is reached. */
  tooLong(offset: number): void;
}

/** Bytes in, lines out. What is not a whole line yet waits for more, up to a limit. */
export class LineSplitter {
  readonly #events: LineEvents;
  readonly #max: number;
  /** Where the line that is not whole yet begins. */
  #start: number;
  /** Where the next bytes belong. */
  #end: number;
  #parts: Uint8Array[] = [];
  #size = 0;
  #isTooLong: boolean;

  /** `skippedTo`: the line at `start` is too long to hold, and was passed over up to here. */
  constructor(events: LineEvents, start = 0, skippedTo?: number, max: number = LINE_MAX) {
    this.#events = events;
    this.#start = start;
    this.#end = skippedTo ?? start;
    this.#isTooLong = skippedTo !== undefined;
    this.#max = max;
  }

  /** Where whole lines end. */
  get lineStart(): number {
    return this.#start;
  }

  get end(): number {
    return this.#end;
  }

  /** The line that is not whole yet has been given up. */
  get isTooLong(): boolean {
    return this.#isTooLong;
  }

  push(chunk: Uint8Array): void {
    const base = this.#end;
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      this.#endLine(chunk.subarray(from, at));
      from = at + 1;
      this.#start = base + from;
    }
    this.#end = base + chunk.length;
    if (from < chunk.length) this.#keep(chunk.subarray(from));
  }

  /** The bytes of the line that is not whole yet, as far as they are held. */
  get rest(): Uint8Array {
    return Buffer.concat(this.#parts, this.#size);
  }

  #endLine(last: Uint8Array): void {
    if (this.#isTooLong || this.#size + last.length > this.#max) this.#events.tooLong(this.#start);
    else if (this.#size === 0) this.#events.line(last, this.#start);
    else this.#events.line(Buffer.concat([...this.#parts, last], this.#size + last.length), this.#start);
    this.#drop();
    this.#isTooLong = false;
  }

  #keep(rest: Uint8Array): void {
    if (this.#isTooLong) return;
    if (this.#size + rest.length > this.#max) {
      this.#drop();
      this.#isTooLong = true;
      return;
    }
    // A copy: the chunk belongs to whoever reads the file, and is used again. (`slice` of a Buffer would be none.)
    this.#parts.push(Buffer.from(rest));
    this.#size += rest.length;
  }

  #drop(): void {
    if (this.#size === 0) return;
    this.#parts = [];
    this.#size = 0;
  }
}
