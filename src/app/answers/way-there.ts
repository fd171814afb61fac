import { quoteForPosix } from "../../core/text/shell-quote.js";
import { terminalText } from "../../core/text/terminal-text.js";
import { isProcessThere, numberHere, terminalOf } from "../session/process-life.js";
import { shellWord } from "../terminal/next-step.js";
import type { Pane } from "./tmux-panes.js";

interface ClientAtWork {
  readonly process: string;
  readonly folder: string | null;
  readonly resume: string | null;
}

interface Around {
  readonly pane?: Pane | undefined;
  /** This program runs in tmux, too. */
  readonly isInTmux: boolean;
  readonly proc?: string | undefined;
}

/** How a person gets to a session: its pane, its terminal, or the command that goes on with it in its folder. */
export function wayThere(session: ClientAtWork, { pane, isInTmux, proc }: Around): string {
  if (pane) return `It waits in a pane of tmux: ${paneCommand(pane, isInTmux)}`;
  const { process } = session;
  const again = resumeIn(session);
  const number = numberHere(process);
  if (number === undefined || isProcessThere(process, proc) === false)
    return again === undefined ? "Nobody told in which terminal it runs." : `To go on with it: ${again}`;
  const tty = terminalOf(process, proc);
  const where = tty === undefined ? `process ${number}` : `the terminal ${tty}, process ${number}`;
  return `It waits in ${where}.${again === undefined ? "" : ` If that terminal is lost: ${again}`}`;
}

/** A name that tmux would read as an id, a pattern or a flag is told as a name. */
function paneCommand({ id, target }: Pane, isInTmux: boolean): string {
  if (isInTmux) return `tmux switch-client -t ${quoteForPosix(id)}`;
  const isPlain = /^\w/.test(target);
  return `tmux attach -t ${isPlain ? shellWord(target) : `'=${terminalText(target).replaceAll("'", "'\\''")}'`}`;
}

/** The command to resume it, run where it was. */
export function resumeIn({ folder, resume }: Pick<ClientAtWork, "folder" | "resume">): string | undefined {
  if (resume === null) return undefined;
  return folder === null ? resume : `cd ${shellWord(folder)} && ${resume}`;
}
