import type { Cursor } from "./event-store.js";
import type { Position } from "./queries.js";
import type { Features } from "./query-text.js";

export const BEGINNING: Position = { xid: "0", seq: 0 };

/** Plain decimal digits that fit: anything else (signs, exponents, hex, blanks) is no cursor. */
const NUMBER = /^(?:0|[1-9]\d{0,18})$/;

export function formatCursor({ concurrentWriters }: Features, { xid, seq }: Position): Cursor {
  return concurrentWriters && seq > 0 ? `${xid}.${seq}` : `${seq}`;
}

export function parseCursor({ concurrentWriters }: Features, text: unknown): Position | undefined {
  if (text === "0") return BEGINNING;
  if (typeof text !== "string") return undefined;
  const [first = "", second, ...rest] = text.split(".");
  const [xid, seq] = concurrentWriters ? [first, second] : ["0", second === undefined ? first : undefined];
  if (rest.length > 0 || seq === undefined || !NUMBER.test(xid) || !NUMBER.test(seq)) return undefined;
  return Number.isSafeInteger(Number(seq)) ? { xid, seq: Number(seq) } : undefined;
}

export function isAfter(left: Position, right: Position): boolean {
  const [a, b] = [BigInt(left.xid), BigInt(right.xid)];
  return a === b ? left.seq > right.seq : a > b;
}
