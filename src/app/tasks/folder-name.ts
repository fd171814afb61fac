import { createHash } from "node:crypto";
import { basename } from "node:path";

const LONGEST_NAME = 64;

/** An id that a person can still read: the last part of a place, and what tells it from others called the same. */
export function placeName(place: string): string {
  const name = basename(place)
    .replace(/[^A-Za-z0-9_]+/g, "-")
    .replace(/^[-_]+|[-_]+$/g, "")
    .slice(0, LONGEST_NAME);
  return `${name || "folder"}-${createHash("sha256").update(place).digest("hex").slice(0, 8)}`;
}
