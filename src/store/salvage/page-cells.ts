// Rows as they lie in a page (SQLite documentation, "Database File Format"). Nothing here is believed: a row that does
// not fit its own lengths is none, and whether one says what was written is told by its checksum.

export type Value = string | number | null;

export interface Cell {
  /** 0 in an index. */
  readonly rowid: number;
  readonly values: readonly Value[];
  /** Pages in which it goes on. */
  readonly continued: readonly number[];
}

/** The bytes of a page of long values; undefined for a page that is not there. */
export type Overflow = (page: number) => Buffer | undefined;

const TABLE_LEAF = 13;
const TABLE_INTERIOR = 5;
const INDEX_LEAF = 10;
const INDEX_INTERIOR = 2;

type PageKind = "table" | "index" | "inner" | "other";

const KINDS: Readonly<Record<number, PageKind>> = {
  [TABLE_LEAF]: "table",
  [INDEX_LEAF]: "index",
  [INDEX_INTERIOR]: "index",
  [TABLE_INTERIOR]: "inner",
};

interface PageCells {
  readonly kind: PageKind;
  readonly cells: readonly Cell[];
  /** Every cell was read. */
  readonly isWhole: boolean;
}

/** `start`: 100 on the first page, behind the header of the file. */
export function readCells(page: Buffer, start: number, overflow: Overflow): PageCells {
  const type = page[start] ?? 0;
  const kind = KINDS[type] ?? "other";
  if (kind === "other") return { kind, cells: [], isWhole: false };
  const hasChildren = type === TABLE_INTERIOR || type === INDEX_INTERIOR;
  const pointers = start + (hasChildren ? 12 : 8);
  const count = page.readUInt16BE(start + 3);
  const end = pointers + 2 * count;
  const cells: Cell[] = [];
  let isWhole = end <= page.length;
  for (let at = pointers; at < Math.min(end, page.length - 1); at += 2) {
    const place = page.readUInt16BE(at);
    const isInside = place >= end && place + 4 <= page.length;
    // A page above the leaves of a table holds no rows; its pointers tell whether it is one.
    if (isInside && kind === "inner") continue;
    const begin = place + (hasChildren ? 4 : 0);
    const cell = isInside ? readCell(page, begin, kind === "index", overflow) : undefined;
    if (cell) cells.push(cell);
    else isWhole = false;
  }
  return { kind, cells, isWhole };
}

/** Every row of a table that can begin anywhere in the page: for one whose own list of them is damaged. */
export function* searchCells(page: Buffer, overflow: Overflow): Generator<Cell> {
  for (let at = 0; at + 8 < page.length; at += 1) {
    const cell = mayBegin(page, at) ? readCell(page, at, false, overflow) : undefined;
    if (cell) yield cell;
  }
}

/** A quick look: behind two numbers, the length of a short header, and a first column that is empty or a text. */
function mayBegin(page: Buffer, from: number): boolean {
  let at = from;
  for (let number = 0; number < 2; number += 1, at += 1) while ((page[at] ?? 0) >= 0x80) at += 1;
  const [header = 0, first = 0] = [page[at], page[at + 1]];
  return header > 2 && header <= 2 * MOST_COLUMNS && (first === 0 || first >= 0x80 || (first >= 13 && first % 2 === 1));
}

function readCell(page: Buffer, at: number, isIndex: boolean, overflow: Overflow): Cell | undefined {
  const size = readVarint(page, at);
  const rowid = isIndex ? { value: 0, next: size.next } : readVarint(page, size.next);
  if (size.value < 3 || size.value > LARGEST || !(rowid.value >= 0)) return undefined;
  const payload = readPayload(page, rowid.next, { size: size.value, isIndex }, overflow);
  const values = payload && readRecord(payload.bytes);
  return values && { rowid: rowid.value, values, continued: payload.continued };
}

/** A value is at most this long in any store of ours. */
const LARGEST = 256 * 1024 * 1024;

interface Payload {
  readonly bytes: Buffer;
  readonly continued: readonly number[];
}

/** What does not fit into its share of the page goes on in a chain of other pages. */
function readPayload(
  page: Buffer,
  at: number,
  { size, isIndex }: { readonly size: number; readonly isIndex: boolean },
  overflow: Overflow,
): Payload | undefined {
  const usable = page.length;
  const most = isIndex ? Math.floor(((usable - 12) * 64) / 255) - 23 : usable - 35;
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const fitting = least + ((size - least) % (usable - 4));
  const local = size <= most ? size : fitting <= most ? fitting : least;
  if (at + local + (local < size ? 4 : 0) > usable) return undefined;
  if (local === size) return { bytes: page.subarray(at, at + size), continued: [] };
  // Before the chain is followed: what cannot be a row of ours is not worth it.
  if (!isRecordStart(page, at, local)) return undefined;
  const parts = [page.subarray(at, at + local)];
  const continued: number[] = [];
  let next = page.readUInt32BE(at + local);
  for (let rest = size - local; rest > 0; rest -= usable - 4) {
    const part = next > 0 ? overflow(next) : undefined;
    if (!part) return undefined;
    continued.push(next);
    parts.push(part.subarray(4, 4 + Math.min(rest, usable - 4)));
    next = part.readUInt32BE(0);
  }
  return { bytes: Buffer.concat(parts), continued };
}

/** No table of ours has more columns. */
const MOST_COLUMNS = 40;

function isRecordStart(page: Buffer, at: number, local: number): boolean {
  const header = readVarint(page, at);
  return header.value >= 2 && header.value <= Math.min(local, 9 * MOST_COLUMNS);
}

function readRecord(payload: Buffer): readonly Value[] | undefined {
  const header = readVarint(payload, 0);
  if (header.value < 2 || header.value > Math.min(payload.length, 9 * MOST_COLUMNS)) return undefined;
  const types: number[] = [];
  let at = header.next;
  while (at < header.value) {
    const type = readVarint(payload, at);
    types.push(type.value);
    at = type.next;
  }
  const sum = types.reduce((whole, type) => whole + sizeOf(type), 0);
  if (at !== header.value || header.value + sum !== payload.length || types.length > MOST_COLUMNS) return undefined;
  const values: Value[] = [];
  for (const type of types) {
    const value = readValue(payload, at, type);
    if (value === undefined) return undefined;
    values.push(value);
    at += sizeOf(type);
  }
  return values;
}

const SIZES = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0];
const BIG_INTEGER = 6;
const ONE = 9;

function sizeOf(type: number): number {
  return type < 12 ? (SIZES[type] ?? Number.NaN) : Math.floor((type - 12) / 2);
}

/** Undefined for what no column of ours holds: blobs, and numbers that are not whole. */
function readValue(payload: Buffer, at: number, type: number): Value | undefined {
  if (type === 0) return null;
  if (type >= 13 && type % 2 === 1) return payload.toString("utf8", at, at + sizeOf(type));
  if (type === 8 || type === ONE) return type - 8;
  if (type === BIG_INTEGER) return Number(payload.readBigInt64BE(at));
  return type < BIG_INTEGER ? payload.readIntBE(at, sizeOf(type)) : undefined;
}

interface Varint {
  readonly value: number;
  readonly next: number;
}

/** Seven bits a byte, the highest bit says that there are more; NaN behind the end and beyond what we count. */
function readVarint(bytes: Buffer, from: number): Varint {
  let value = 0;
  for (let at = from; at < Math.min(from + 8, bytes.length); at += 1) {
    const byte = bytes[at] ?? 0;
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return { value: value <= Number.MAX_SAFE_INTEGER ? value : Number.NaN, next: at + 1 };
  }
  return { value: Number.NaN, next: from + 9 };
}
