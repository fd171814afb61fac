import type { Modes } from "./watched-screen.js";

/** What a terminal sends for a key that is no character. */
const KEYS = {
  enter: "\r",
  esc: "\u001b",
  tab: "\t",
  "shift+tab": "\u001b[Z",
  backspace: "\u007f",
  delete: "\u001b[3~",
  space: " ",
  pageup: "\u001b[5~",
  pagedown: "\u001b[6~",
  "ctrl+c": "\u0003",
  "ctrl+d": "\u0004",
  "ctrl+l": "\u000c",
  "ctrl+z": "\u001a",
} as const;

/** Keys that are sent otherwise where a program has asked for it. */
const CURSOR_KEYS = { up: "A", down: "B", right: "C", left: "D", home: "H", end: "F" } as const;

export type Key = keyof typeof KEYS | keyof typeof CURSOR_KEYS;

export function bytesOf(key: Key, { isApplicationCursor }: Pick<Modes, "isApplicationCursor">): string {
  if (key in CURSOR_KEYS)
    return `\u001b${isApplicationCursor ? "O" : "["}${CURSOR_KEYS[key as keyof typeof CURSOR_KEYS]}`;
  return KEYS[key as keyof typeof KEYS];
}

/** Lines that terminals scroll at one turn of the wheel. */
const LINES = 3;

/**
 * One turn of the wheel. A program on the alternate screen that does not ask for the mouse gets arrow keys, as from most
 * terminals.
 */
export function wheelBytes(
  direction: "up" | "down",
  { row, column }: { readonly row: number; readonly column: number },
  modes: Modes,
): string {
  if (modes.mouse === "none") return modes.isAlternate ? bytesOf(direction, modes).repeat(LINES) : "";
  const button = direction === "up" ? 64 : 65;
  if (modes.isSgrMouse) return `\u001b[<${button};${column + 1};${row + 1}M`;
  return `\u001b[M${[button, column + 1, row + 1].map((value) => String.fromCharCode(32 + value)).join("")}`;
}
