import { closeSync, constants, readSync } from "node:fs";
import { endianness } from "node:os";
import { openPlain } from "./store-files.js";

// The journal's own format (SQLite documentation, "WAL-mode File Format"): a header, then frames of one page each.
// Every checksum covers everything before it, so SQLite reads up to the first frame that does not fit and takes that
// for the end: one flipped bit silently undoes all commits behind it. Read by itself, the file still tells.

export type WalState =
  | { readonly type: "none" }
  | { readonly type: "sound"; readonly frames: number }
  /** `frame` counts from 1; 0 is the header. */
  | { readonly type: "damaged"; readonly frame: number };

export const HEADER = 32;
export const FRAME_HEADER = 24;
/** The last bit says in which byte order checksums are counted. */
export const MAGIC = 0x377f0682;

export function scanWal(path: string): WalState {
  let file: number;
  try {
    file = openPlain(`${path}-wal`, constants.O_RDONLY);
  } catch {
    return { type: "none" };
  }
  try {
    return scan(file);
  } finally {
    closeSync(file);
  }
}

function scan(file: number): WalState {
  const header = Buffer.alloc(HEADER);
  const length = readSync(file, header, 0, HEADER, 0);
  if (length === 0) return { type: "none" };
  const magic = header.readUInt32BE(0);
  const pageSize = header.readUInt32BE(8);
  if (length < HEADER || (magic & ~1) !== MAGIC || pageSize < 512 || pageSize > 65_536)
    return { type: "damaged", frame: 0 };
  const sum = new Checksum((magic & 1) === 1);
  sum.add(header.subarray(0, 24));
  if (!sum.equals(header.readUInt32BE(24), header.readUInt32BE(28))) return { type: "damaged", frame: 0 };
  const salt = header.subarray(16, 24);
  const frame = Buffer.alloc(FRAME_HEADER + pageSize);
  const read = (index: number) =>
    readSync(file, frame, 0, frame.length, HEADER + index * frame.length) === frame.length;
  const isOurs = () => frame.subarray(8, 16).equals(salt);
  let frames = 0;
  for (; read(frames); frames += 1) {
    sum.add(frame.subarray(0, 8));
    sum.add(frame.subarray(FRAME_HEADER));
    if (!isOurs() || !sum.equals(frame.readUInt32BE(16), frame.readUInt32BE(20))) break;
  }
  // A writer that was killed, or rolled back, leaves frames behind the end, and older rounds leave some with another
  // salt. Only a commit of this round behind the break means that the break came later.
  const isCommit = () => frame.readUInt32BE(4) !== 0;
  for (let later = frames; read(later); later += 1)
    if (later > frames && isOurs() && isCommit()) return { type: "damaged", frame: frames + 1 };
  return { type: "sound", frames };
}

export class Checksum {
  readonly #isBigEndian: boolean;
  #first = 0;
  #second = 0;

  constructor(isBigEndian: boolean) {
    this.#isBigEndian = isBigEndian;
  }

  /** Goes on from a sum that was written down. */
  set(first: number, second: number): void {
    this.#first = first;
    this.#second = second;
  }

  add(bytes: Buffer): void {
    const words = wordsOf(bytes, this.#isBigEndian);
    let [first, second] = [this.#first, this.#second];
    for (let at = 0; at < words.length; at += 2) {
      first = (first + (words[at] ?? 0) + second) >>> 0;
      second = (second + (words[at + 1] ?? 0) + first) >>> 0;
    }
    this.#first = first;
    this.#second = second;
  }

  equals(first: number, second: number): boolean {
    return this.#first === first && this.#second === second;
  }
}

/** A copy: the bytes may lie at an address where no word can begin. */
function wordsOf(bytes: Buffer, isBigEndian: boolean): Uint32Array {
  const copy = Buffer.from(new ArrayBuffer(bytes.length));
  bytes.copy(copy);
  if (isBigEndian !== (endianness() === "BE")) copy.swap32();
  return new Uint32Array(copy.buffer);
}
