import { readSync } from "node:fs";
import { Checksum, FRAME_HEADER, HEADER, MAGIC } from "../sqlite/wal.js";

// SQLite reads a journal up to the first frame whose checksum does not fit. Each frame has the running checksum written
// in it, so the chain can be taken up again behind a damaged frame: only that one page image is in doubt.

export interface Journal {
  /** Where the images of a page begin in the journal, oldest first: whole, and committed. */
  readonly images: ReadonlyMap<number, readonly number[]>;
  /** Damaged images between commits: of which page they are is not certain. */
  readonly damaged: readonly number[];
  /** Images behind the last whole commit: of one whose end is damaged, or of one that was never finished. */
  readonly unfinished: readonly number[];
  /** Pages of the store after the last commit; 0 where the journal has none. */
  readonly pages: number;
  readonly pageSize: number | undefined;
  /** Something in it does not fit: which image of a page is the newest is in doubt. */
  readonly isBroken: boolean;
}

const NOTHING = { images: new Map(), damaged: [], unfinished: [], pages: 0, pageSize: undefined };
export const NO_JOURNAL: Journal = { ...NOTHING, isBroken: false };

interface Frame {
  readonly page: number;
  /** Pages of the store after this commit; 0 inside a transaction. */
  readonly commit: number;
  readonly isSound: boolean;
  /** Of this round of the journal: earlier rounds leave frames behind its end. */
  readonly isOurs: boolean;
  readonly at: number;
}

/** `usualSize`: of a page, where the journal's own header does not tell. */
export function readJournal(file: number, usualSize: number): Journal {
  const header = Buffer.alloc(HEADER);
  const length = readSync(file, header, 0, HEADER, 0);
  if (length < HEADER) return { ...NOTHING, isBroken: length > 0 };
  const chain = new Checksum((header.readUInt32BE(0) & 1) === 1);
  chain.add(header.subarray(0, 24));
  const isSound =
    (header.readUInt32BE(0) & ~1) === MAGIC && chain.equals(header.readUInt32BE(24), header.readUInt32BE(28));
  const pageSize = isSound ? header.readUInt32BE(8) : usualSize;
  const frames = [...readFrames(file, pageSize, isSound ? { chain, salt: header.subarray(16, 24) } : undefined)];
  const end = frames.findLastIndex((frame) => frame.isSound && frame.commit > 0) + 1;
  const used = frames.slice(0, end);
  const damaged = used.filter((frame) => !frame.isSound);
  const pages = frames[end - 1]?.commit ?? 0;
  const images = new Map<number, number[]>();
  for (const frame of used) {
    const known = images.get(frame.page);
    if (frame.isSound && known) known.push(frame.at);
    else if (frame.isSound) images.set(frame.page, [frame.at]);
  }
  return {
    images,
    damaged: damaged.map(({ at }) => at),
    unfinished: frames.slice(end).flatMap(({ isOurs, at }) => (isOurs ? [at] : [])),
    pages,
    pageSize: isSound ? pageSize : undefined,
    isBroken: !isSound || damaged.length > 0,
  };
}

/** Without a header that can be believed, the first frame says which round of the journal it is. */
function* readFrames(
  file: number,
  pageSize: number,
  known: { readonly chain: Checksum; readonly salt: Buffer } | undefined,
): Generator<Frame> {
  const frame = Buffer.alloc(FRAME_HEADER + pageSize);
  let chain = known?.chain;
  let salt = known?.salt;
  for (let index = 0; ; index += 1) {
    const start = HEADER + index * frame.length;
    if (readSync(file, frame, 0, frame.length, start) < frame.length) return;
    salt ??= Buffer.from(frame.subarray(8, 16));
    chain?.add(frame.subarray(0, 8));
    chain?.add(frame.subarray(FRAME_HEADER));
    const [first, second] = [frame.readUInt32BE(16), frame.readUInt32BE(20)];
    const isOurs = frame.subarray(8, 16).equals(salt);
    const isSound = isOurs && chain?.equals(first, second) === true;
    // Every machine that runs us counts in little-endian order.
    chain ??= new Checksum(false);
    chain.set(first, second);
    yield { page: frame.readUInt32BE(0), commit: frame.readUInt32BE(4), isSound, isOurs, at: start + FRAME_HEADER };
  }
}
