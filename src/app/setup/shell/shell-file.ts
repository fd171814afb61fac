import { basename, dirname, join } from "node:path";
import { ok } from "../../../core/result.js";
import type { FileEdit, Wired } from "../agents/agent.js";
import { readCommand, readLine } from "../command-line.js";
import { launcherFolder, WIRING } from "../launch.js";
// @ts-expect-error: a text, which the build and the tests load as one
import text from "./milepost.sh";

// Agents' files hold short lines, and what those do is in one file of ours that a person can read.

export const SHELL_TEXT: string = text;

const NAME = "milepost.sh";

/** In Milepost's own folder; the file itself tells from its place which folder that is. */
export function shellFileIn(home: string): string {
  return join(launcherFolder(home), NAME);
}

export function isShellFile(file: string): boolean {
  return basename(file) === NAME && basename(dirname(file)) === WIRING;
}

/** Put there or replaced where it is wanted, else removed. Nothing of anybody else is in it. */
export function shellFileEdit(file: string, isWanted: boolean): FileEdit<undefined> {
  return {
    file,
    wire: () => ok({ text: isWanted ? SHELL_TEXT : undefined, notes: [] }),
    unwire: () => ok({ text: undefined, notes: [] }),
  };
}

/** Those that an agent's files name now. */
export function shellFilesOf({ server, hooks, statusLine }: Wired): readonly string[] {
  const written = [
    server && readCommand([server.command, ...server.args], "mcp"),
    ...hooks.map((line) => readLine(line, "hook")),
    readLine(statusLine, "statusline"),
  ];
  return [...new Set(written.flatMap((one) => one?.shellFile ?? []))];
}
