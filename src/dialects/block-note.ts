// Core has no status for a blocked todo: it is a pending one with the note "blocked", or "blocked: why", that other
// dialects, readers and views show.

export const BLOCKED = "blocked";

export function isBlockNote(note: string): boolean {
  return note === BLOCKED || note.startsWith(`${BLOCKED}: `);
}
