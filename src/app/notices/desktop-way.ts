import type { Environment } from "../store-place.js";
import type { DesktopWay } from "../terminal/screen-codes.js";

/** How a desktop notice gets to the terminal that a person sits at. */
export interface DesktopPlace {
  readonly way: DesktopWay;
  readonly isTmux: boolean;
}

/** What `tmux` prints when it is asked with these words; undefined where it does not answer. */
export type AskTmux = (words: readonly string[]) => Promise<string | undefined>;

/** Whether codes may pass through, and which terminal is around it: its own name for itself, else that of TERM. */
const TMUX_WORDS = ["display-message", "-p", "#{allow-passthrough} #{client_termtype} #{client_termname}"];

/** tmux 3.3 says 1. */
const PASSES = ["on", "all", "1"];

/**
 * Undefined where no code is known to work. Inside tmux it is asked each time: a person may have come back from another
 * terminal.
 */
export async function desktopPlace(environment: Environment, askTmux: AskTmux): Promise<DesktopPlace | undefined> {
  if (environment.TMUX) {
    const [passes, ...names] = ((await askTmux(TMUX_WORDS)) ?? "").trim().split(" ");
    const way = PASSES.includes(passes ?? "") ? wayOf(names.join(" ")) : undefined;
    return way && { way, isTmux: true };
  }
  const { TERM = "", TERM_PROGRAM = "", LC_TERMINAL = "", VTE_VERSION, STY } = environment;
  // GNU screen prints what it does not know, or eats it.
  if (STY || TERM.startsWith("screen")) return undefined;
  const way = wayOf([TERM_PROGRAM, LC_TERMINAL, VTE_VERSION ? "vte" : "", TERM].join(" "));
  return way && { way, isTmux: false };
}

/** Terminals that take a code, and which; the first name that is found counts. */
const WAYS: readonly (readonly [RegExp, DesktopWay | undefined])[] = [
  [/iterm/i, "osc9"],
  [/kitty|ghostty|wezterm|foot|rxvt|vte|contour|konsole|warp/i, "osc777"],
  // These say xterm and have no such notice.
  [/apple_terminal|vscode|linux|dumb/i, undefined],
  // Who says xterm passes over a code that it does not know, and over ssh nobody tells more.
  [/xterm/i, "osc777"],
];

function wayOf(names: string): DesktopWay | undefined {
  return WAYS.find(([name]) => name.test(names))?.[1];
}
