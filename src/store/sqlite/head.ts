import { closeSync, constants, readSync, writeSync } from "node:fs";
import { crc32 } from "node:zlib";
import { headPath, openPlain } from "./store-files.js";

/** What the head file says: which store lies beside it, and how far that store had come. */
interface Head {
  readonly store: string;
  readonly seq: number;
}

/** One length for ever, so that a write replaces the whole of it in one piece. */
const SIZE = 128;

/** SQLite takes an emptied file for a new store, a damaged journal for a short one; the head does not. Never ahead. */
export class HeadFile {
  readonly #path: string;
  readonly #store: string;
  #file: number | undefined;
  readonly #buffer = Buffer.alloc(SIZE);

  constructor(path: string, store: string) {
    this.#path = headPath(path);
    this.#store = store;
  }

  /** Never goes back, whichever process comes last. `isAlone`: nobody else has written since we last did. */
  advance(seq: number, isAlone = false): void {
    try {
      const isOurs = isAlone && this.#file !== undefined;
      this.#file ??= openPlain(this.#path, constants.O_RDWR | constants.O_CREAT);
      const known = isOurs ? undefined : parse(this.#buffer, readSync(this.#file, this.#buffer, 0, SIZE, 0));
      if (known && known.store === this.#store && known.seq >= seq) return;
      this.#buffer.write(format({ store: this.#store, seq }), "latin1");
      writeSync(this.#file, this.#buffer, 0, SIZE, 0);
    } catch {
      // The commit is safe without it, and the next one tries again; doctor tells when the head stays behind.
    }
  }

  /** Takes the store as it is for the truth, after a loss that a person has accepted. */
  reset(seq: number): void {
    this.close();
    const file = openPlain(this.#path, constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC);
    writeSync(file, format({ store: this.#store, seq }), 0);
    closeSync(file);
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }
}

export type HeadState =
  | { readonly type: "none" }
  | { readonly type: "unreadable" }
  | ({ readonly type: "head" } & Head);

export function readHead(path: string): HeadState {
  let file: number;
  try {
    file = openPlain(headPath(path), constants.O_RDONLY);
  } catch (error) {
    return { type: (error as NodeJS.ErrnoException).code === "ENOENT" ? "none" : "unreadable" };
  }
  try {
    const buffer = Buffer.alloc(SIZE);
    const length = readSync(file, buffer, 0, SIZE, 0);
    // Made, but its writer did not get to the first word.
    if (length === 0) return { type: "none" };
    const head = parse(buffer, length);
    return head ? { type: "head", ...head } : { type: "unreadable" };
  } catch {
    return { type: "unreadable" };
  } finally {
    closeSync(file);
  }
}

function format({ store, seq }: Head): string {
  const text = `milepost ${store} ${seq}`;
  return `${`${text} ${crc32(text)}`.padEnd(SIZE - 1)}\n`;
}

function parse(buffer: Buffer, length: number): Head | undefined {
  const [, text = "", store = "", seq = "", checksum] =
    /^(milepost ([\w-]+) (\d+)) (\d+) *\n$/.exec(buffer.toString("latin1", 0, length)) ?? [];
  return text !== "" && crc32(text) === Number(checksum) ? { store, seq: Number(seq) } : undefined;
}
