import { join } from "node:path";
import { commandWords } from "../setup/command-line.js";
import type { Environment } from "../store-place.js";
import type { RunShort } from "../watching/short-program.js";
import type { Notice } from "./session-news.js";

/** Milliseconds: enough for a message over a network. */
const LIMIT = 10_000;

export interface OwnCommand {
  /** The setting `notify.command`, of the person's own file. */
  readonly line: string;
  readonly environment: Environment;
  readonly userFolder: string;
  readonly start: RunShort;
}

/**
 * Starts the person's own program: no shell, and not in a project's folder. Title and text are arguments of their own,
 * which never begin with a dash. Returns what went wrong.
 */
export async function startOwnCommand(command: OwnCommand, notice: Notice): Promise<string | undefined> {
  const { line, environment, userFolder, start } = command;
  const [first = "", ...words] = commandWords(line);
  const run = await start({
    program: first.startsWith("~/") ? join(userFolder, first.slice(2)) : first,
    words: [...words, `Milepost: ${notice.title}`, notice.text],
    environment: { ...environment, ...variablesOf(notice) },
    folder: userFolder,
    limitMs: LIMIT,
    mostBytes: 0,
    mayOutlive: true,
  });
  if (run.how === "missing") return `notify.command cannot be started: ${first}`;
  if (run.how === "late") return `notify.command took longer than ${LIMIT / 1000} s and was ended: ${first}`;
  return run.code === 0 ? undefined : `notify.command ended with ${run.code ?? "a signal"}: ${first}`;
}

function variablesOf({ kind, session, title, text }: Notice): Environment {
  return {
    MILEPOST_NOTICE_KIND: kind,
    MILEPOST_NOTICE_SESSION: session,
    MILEPOST_NOTICE_TITLE: title,
    MILEPOST_NOTICE_TEXT: text,
  };
}
