// Stands in for the global `crypto` in the command line, which makes an id of it and nothing else: Node takes 3 ms to
// load the real one.
import { closeSync, openSync, readSync } from "node:fs";

/** The kernel's own, as Node would ask for it. */
function randomBytes(count) {
  const bytes = Buffer.alloc(count);
  const file = openSync("/dev/urandom", "r");
  try {
    if (readSync(file, bytes) === count) return bytes;
  } finally {
    closeSync(file);
  }
  throw new Error("/dev/urandom gave too little");
}

/** Version 4. */
function randomUUID() {
  const bytes = randomBytes(16);
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

export const crypto = {
  randomUUID() {
    try {
      return randomUUID();
    } catch {
      // There is no such file here.
      return globalThis.crypto.randomUUID();
    }
  },
};
