import { execFile } from "node:child_process";
import type { Environment } from "../store-place.js";

// The person's own tmux, asked with a list of arguments and never through a shell.

export interface TmuxPlace {
  readonly environment: Environment;
  /** Not a project's folder: it could bring a program called tmux. */
  readonly userFolder: string;
}

export interface Pane {
  /** `%3`. */
  readonly id: string;
  /** `work:1.0`, as `tmux attach -t` takes it. */
  readonly target: string;
  /** Keys reach the program in this pane, and no other: it is not scrolled, nor typed into together with others. */
  readonly isPlain: boolean;
}

const FORMAT = [
  "#{pane_id} #{pane_tty} #{pane_in_mode} #{pane_synchronized} #{pane_dead}",
  "#{window_index}.#{pane_index} #{session_name}",
].join(" ");

/** The name comes last: it is free text. */
const ROW = /^(?<id>%\d{1,9}) (?<tty>\/dev\/\S+) (?<flags>\d+ \d+ \d*) (?<place>\d+\.\d+) (?<name>.+)$/;

/** Milliseconds. A server that hangs must not hang us. */
const LIMIT = 2000;

/** The pane whose terminal this is. */
export async function findPane(tty: string, place: TmuxPlace): Promise<Pane | undefined> {
  const listed = await tmux(["list-panes", "-a", "-F", FORMAT], place);
  for (const row of listed?.split("\n") ?? []) {
    const { id, tty: own, flags = "", place: where, name } = ROW.exec(row)?.groups ?? {};
    if (own === tty && id) return { id, target: `${name}:${where}`, isPlain: /^0 0 0?$/.test(flags) };
  }
  return undefined;
}

/** The rows that are visible in it; undefined where it is gone. */
export function screenOf({ id }: Pane, place: TmuxPlace): Promise<string | undefined> {
  return tmux(["capture-pane", "-p", "-t", id], place);
}

/** False where tmux refused. */
export async function pressDigit({ id }: Pane, digit: number, place: TmuxPlace): Promise<boolean> {
  if (!Number.isInteger(digit) || digit < 1 || digit > 9) return false;
  return (await tmux(["send-keys", "-t", id, "-l", `${digit}`], place)) !== undefined;
}

/** What it printed; undefined where there is no tmux, or it failed. */
function tmux(words: readonly string[], { environment, userFolder }: TmuxPlace): Promise<string | undefined> {
  const options = { env: { ...environment }, cwd: userFolder, timeout: LIMIT, windowsHide: true };
  return new Promise((resolve) => {
    const child = execFile("tmux", words, options, (error, printed) => resolve(error ? undefined : printed));
    child.stdin?.end();
  });
}
