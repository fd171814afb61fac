import { crc32 } from "node:zlib";
import type { BaseRow, EventRow, KeyRow, StreamRow } from "./queries.js";
import type { Reading } from "./readings/readings.js";

// CRC-32 finds every flipped byte and every burst up to 32 bits, which is what disks do; it is no seal against people.
// Name, version and time are in it, so a row that was swapped or renumbered is found as well. A damaged row can hold
// anything, so every field is taken as text.

export function eventChecksum(row: Omit<EventRow, "checksum">): number {
  const { stream, version, id, type, at, actor, data } = row;
  return crc32(`${stream}\n${version}\n${type}\n${at}\n${id ?? ""}\n${actor ?? ""}\n${data}`);
}

export function baseChecksum(row: Omit<BaseRow, "checksum">): number {
  return crc32(`${row.view}\n${row.stream}\n${row.revision}\n${row.version}\n${row.data}`);
}

export function viewsChecksum({ stream, views }: Pick<StreamRow, "stream" | "views">): number {
  return crc32(`${stream}\n${views}`);
}

export function keyChecksum({ key, stream, input, answer, at }: Omit<KeyRow, "checksum">): number {
  return crc32(`${key}\n${stream}\n${input}\n${at}\n${answer}`);
}

export function readingChecksum({ machine, path, session, at, data }: Reading): number {
  return crc32(`${machine}\n${path}\n${session}\n${at}\n${data}`);
}
