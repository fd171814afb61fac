import { terminalText } from "../../core/text/terminal-text.js";

// What the live view and its notices write to a terminal besides text. Only this file and paint.ts know escape
// characters; every text that goes into a code here is made harmless here, whoever wrote it.

const ESC = "\u001b";
const BEL = "\u0007";

/** Keeps the title that is there, then: a screen of its own, no cursor, pastes told from keys, the wheel reported. */
export const ENTER_VIEW = `${ESC}[22;0t${ESC}[?1049h${ESC}[?25l${ESC}[?2004h${ESC}[?1000h${ESC}[?1006h`;

/**
 * Everything back, in any order of events: a frame that was not finished is let go, colours end, and each mode is
 * switched off even if it never was on. So it can be written after a crash, and twice.
 */
export const LEAVE_VIEW =
  `${ESC}[?2026l${ESC}[0m${ESC}[?1006l${ESC}[?1000l${ESC}[?2004l` + `${ESC}[?25h${ESC}[?1049l${ESC}[23;0t`;

/** A frame between these two appears at once, where the terminal can; others pass over them. */
export const SYNC_BEGIN = `${ESC}[?2026h`;
export const SYNC_END = `${ESC}[?2026l`;

export const SHOW_CURSOR = `${ESC}[?25h`;
export const HIDE_CURSOR = `${ESC}[?25l`;

/** What stands between the cursor and the end of its row goes. */
export const CLEAR_REST = `${ESC}[K`;

/** Rows and columns count from 1; what is no place is the nearest one. */
export function moveTo(row: number, column: number): string {
  return `${ESC}[${place(row)};${place(column)}H`;
}

function place(number: number): number {
  return Math.min(9999, Math.max(1, Math.trunc(number) || 1));
}

/** Some terminals show no more, and some cut in the middle of a code when there is more. */
const TITLE_MAX = 120;
const TEXT_MAX = 240;

/** Names the window or the tab. */
export function titleCode(text: string): string {
  return `${ESC}]2;${harmless(text, TITLE_MAX)}${BEL}`;
}

export function bellCode(): string {
  return BEL;
}

/** Which code for a desktop notice a terminal takes: iTerm2's has a text only, that of rxvt a title too. */
export type DesktopWay = "osc9" | "osc777";

/** `isTmux`: packed up, so that tmux hands it to the terminal around it; tmux has to allow that. */
export function desktopCodes(
  title: string,
  text: string,
  { way, isTmux }: { readonly way: DesktopWay; readonly isTmux: boolean },
): string {
  const [name, words] = [harmless(title, TITLE_MAX), harmless(text, TEXT_MAX)];
  // A number first would be another command of OSC 9: a bar of progress, a folder. So our name comes first.
  const code =
    way === "osc9"
      ? `${ESC}]9;Milepost: ${name}: ${words}${BEL}`
      : `${ESC}]777;notify;Milepost: ${name};${words}${BEL}`;
  return isTmux ? `${ESC}Ptmux;${code.replaceAll(ESC, ESC + ESC)}${ESC}\\` : code;
}

/** Nothing that ends a code or begins the next part of one. */
function harmless(text: string, longest: number): string {
  const shown = terminalText(text).replaceAll(";", ",");
  return Array.from(shown).slice(0, longest).join("");
}
