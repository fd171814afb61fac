import xtermHeadless from "@xterm/headless";
import { TODAYS_WIDTHS } from "./character-widths.js";

/** What a program has changed about the terminal beside its text. */
export interface Modes {
  readonly isAlternate: boolean;
  readonly isCursorHidden: boolean;
  readonly mouse: "none" | "x10" | "vt200" | "drag" | "any";
  /** Places of the mouse as decimal numbers: without it, none beyond column 223 can be told. */
  readonly isSgrMouse: boolean;
  readonly isBracketedPaste: boolean;
  readonly isFocusReported: boolean;
  readonly isSynchronized: boolean;
  readonly isApplicationCursor: boolean;
  readonly isWrapping: boolean;
  /** Flags of the kitty keyboard protocol that were pushed and not popped. */
  readonly pushedKeyboards: number;
  readonly title: string;
  /** Every title that was set, in order. */
  readonly titles: readonly string[];
}

/** As the shell had it before. */
const SHELL_TITLE = "shell";

/**
 * Whether a program has left the terminal as it was. A title cannot be read, only pushed and popped, which not every
 * terminal does: an empty one, at which terminals show their own, counts as put back.
 */
export function leftOver(modes: Modes): readonly string[] {
  const checks: Readonly<Record<string, boolean>> = {
    "alternate screen": modes.isAlternate,
    "hidden cursor": modes.isCursorHidden,
    "mouse tracking": modes.mouse !== "none" || modes.isSgrMouse,
    "bracketed paste": modes.isBracketedPaste,
    "focus reports": modes.isFocusReported,
    "synchronized output": modes.isSynchronized,
    "application cursor keys": modes.isApplicationCursor,
    "no wrapping": !modes.isWrapping,
    "keyboard protocol": modes.pushedKeyboards > 0,
    title: ![SHELL_TITLE, ""].includes(modes.title),
  };
  return Object.keys(checks).filter((name) => checks[name]);
}

/** A screen of xterm, and the modes that it does not tell. */
export function watchedScreen(columns: number, rows: number) {
  const xterm = new xtermHeadless.Terminal({
    cols: columns,
    rows,
    scrollback: 1000,
    allowProposedApi: true,
    windowOptions: { pushTitle: true, popTitle: true },
  });
  xterm.unicode.register(TODAYS_WIDTHS);
  xterm.unicode.activeVersion = TODAYS_WIDTHS.version;
  const own = { isCursorHidden: false, isSgrMouse: false, pushedKeyboards: 0, titles: [] as string[] };
  watchModes(xterm, own);
  xterm.write(`\u001b]0;${SHELL_TITLE}\u0007`, () => own.titles.splice(0, 1));
  let title = SHELL_TITLE;
  xterm.onTitleChange((text) => {
    title = text;
    own.titles.push(text);
  });
  return {
    xterm,
    rows(): readonly string[] {
      const { active } = xterm.buffer;
      return Array.from({ length: xterm.rows }, (_, row) => textOf(active, row, xterm.cols));
    },
    modes: (): Modes => ({
      isAlternate: xterm.buffer.active.type === "alternate",
      isCursorHidden: own.isCursorHidden,
      mouse: xterm.modes.mouseTrackingMode,
      isSgrMouse: own.isSgrMouse,
      isBracketedPaste: xterm.modes.bracketedPasteMode,
      isFocusReported: xterm.modes.sendFocusMode,
      isSynchronized: xterm.modes.synchronizedOutputMode,
      isApplicationCursor: xterm.modes.applicationCursorKeysMode,
      isWrapping: xterm.modes.wraparoundMode,
      pushedKeyboards: own.pushedKeyboards,
      title,
      titles: [...own.titles],
    }),
  };
}

type Xterm = InstanceType<typeof xtermHeadless.Terminal>;

/** A line that was longer before the screen became narrower has kept its end, which nobody sees. */
function textOf(buffer: Xterm["buffer"]["active"], row: number, columns: number): string {
  return (buffer.getLine(buffer.baseY + row)?.translateToString(true, 0, columns) ?? "").trimEnd();
}

const CURSOR = 25;
const SGR_MOUSE = 1006;

function watchModes(
  { parser }: Xterm,
  own: { isCursorHidden: boolean; isSgrMouse: boolean; pushedKeyboards: number },
): void {
  for (const [final, isSet] of [
    ["h", true],
    ["l", false],
  ] as const)
    parser.registerCsiHandler({ prefix: "?", final }, (params) => {
      if (params.includes(CURSOR)) own.isCursorHidden = !isSet;
      if (params.includes(SGR_MOUSE)) own.isSgrMouse = isSet;
      // xterm does with it what it does.
      return false;
    });
  for (const [prefix, step] of [
    [">", 1],
    ["<", -1],
  ] as const)
    parser.registerCsiHandler({ prefix, final: "u" }, () => {
      own.pushedKeyboards = Math.max(0, own.pushedKeyboards + step);
      return false;
    });
}
