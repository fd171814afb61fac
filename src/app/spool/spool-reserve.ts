import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { isForeign } from "../../store/sqlite/real-path.js";
import { LAST_SLOT, reserveOf } from "./spool-place.js";

// For a disk that is full: files with real blocks, made while there is room, and overwritten in place when there is
// none. Removing them first would not do: whoever fills the disk would take the room.

/** Enough for the facts of some eighty calls. */
const SLOTS = 1 + Number(LAST_SLOT.slice(-3));
const SLOT_BYTES = 4096;

const SLOT = /^slot-\d{3}$/;

function slotName(number: number): string {
  return `slot-${String(number).padStart(3, "0")}`;
}

/** The last first: it is what a look at the reserve looks for. */
function slotsIn(folder: string): readonly string[] {
  try {
    return readdirSync(reserveOf(folder))
      .filter((name) => SLOT.test(name))
      .sort()
      .reverse();
  } catch {
    return [];
  }
}

/** Makes those that are missing, as far as there is room. The folder itself is there, and ours. */
export function fillReserve(folder: string, makeOwn: (folder: string) => void): void {
  const there = new Set(slotsIn(folder));
  if (there.size === SLOTS) return;
  makeOwn(reserveOf(folder));
  // Not zeros: some disks keep those as a hole.
  const filling = Buffer.alloc(SLOT_BYTES, "milepost reserve\n");
  for (let number = 0; number < SLOTS; number += 1) {
    const name = slotName(number);
    if (!there.has(name) && !makeSlot(join(reserveOf(folder), name), filling)) return;
  }
}

function makeSlot(path: string, filling: Buffer): boolean {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o600);
    if (writeSync(file, filling) === filling.length) return true;
  } catch {
    // Another process makes it too, or there is no room.
  } finally {
    if (file !== undefined) closeSync(file);
  }
  if (file !== undefined) rmSync(path, { force: true });
  return file === undefined;
}

/** Whoever moves a slot has it. False when none is left, or none is large enough. */
export function claimSlot(folder: string, path: string, bytes: Buffer): boolean {
  if (bytes.length > SLOT_BYTES) return false;
  for (const name of slotsIn(folder)) {
    try {
      renameSync(join(reserveOf(folder), name), path);
    } catch (error) {
      // Another process was faster; or the folder has no room for a name.
      if ((error as NodeJS.ErrnoException).code === "ENOENT") continue;
      return false;
    }
    return isOverwritten(path, bytes);
  }
  return false;
}

/** Not on a disk that never writes in place: there the slot is given up. */
function isOverwritten(path: string, bytes: Buffer): boolean {
  try {
    overwrite(path, bytes);
    return true;
  } catch {
    rmSync(path, { force: true });
    return false;
  }
}

function overwrite(path: string, bytes: Buffer): void {
  const file = openSync(path, constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    const found = fstatSync(file);
    if (!found.isFile() || isForeign(found)) throw new Error("not a slot of ours");
    if (writeSync(file, bytes, 0, bytes.length, 0) !== bytes.length) throw new Error("no room for it");
    ftruncateSync(file, bytes.length);
  } finally {
    closeSync(file);
  }
}

/** Gives back the room of so many bytes, and of a name; how many slots that were. */
export function freeSlots(folder: string, bytes: number): number {
  const given = slotsIn(folder).slice(0, 1 + Math.ceil(bytes / SLOT_BYTES));
  for (const name of given) rmSync(join(reserveOf(folder), name), { force: true });
  return given.length;
}
