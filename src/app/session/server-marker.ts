import { createHash } from "node:crypto";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../../store/make-folder.js";
import { realPath, refuseForeignFolder } from "../../store/sqlite/real-path.js";
import { readPlainOr } from "../read-plain.js";
import { type Environment, homeFolder } from "../store-place.js";

/** A server that hears its client's hooks: the numbers of both processes, and the server's command line. */
export interface MarkedServer {
  readonly client: number;
  readonly server: number;
  readonly words: readonly string[];
  /** Its client has no other server started alike beside it, but starts it again. Codex has one for each thread. */
  readonly isOnly: boolean;
}

/** Whether a process of this machine is there, by its number. */
type IsRunning = (number: number) => boolean;

/** A file `CLIENT-SERVER` for each server. A shell looks for it before it starts us: a name is all that it reads. */
export function markersFolder(environment: Environment): string {
  return join(homeFolder(environment), "servers");
}

const NAME = /^([1-9]\d{0,9})-([1-9]\d{0,9})$/;

/** Removes the mark again. Without one, hooks come as commands: nothing is lost, so no trouble is worth a word. */
export function markServer(environment: Environment, marked: MarkedServer): () => void {
  try {
    const folder = realPath(markersFolder(environment));
    makeFolder(folder);
    refuseForeignFolder(folder);
    const file = join(folder, `${marked.client}-${marked.server}`);
    writeFileSync(file, kindOf(marked), { mode: 0o600 });
    return () => remove(file);
  } catch {
    return () => undefined;
  }
}

/**
 * Takes away what servers left that were killed: where the client has ended too, and where this server has come in the
 * place of one, as after a reconnection. Another server that died keeps its mark: nobody hears its hooks.
 */
export function sweepMarkers(environment: Environment, own: MarkedServer, isRunning: IsRunning): void {
  try {
    const folder = realPath(markersFolder(environment));
    for (const name of readdirSync(folder)) {
      const [client = 0, server = 0] = NAME.exec(name)?.slice(1).map(Number) ?? [];
      if (client === 0 || server === own.server) continue;
      const file = join(folder, name);
      const isReplaced = () => own.isOnly && client === own.client && !isRunning(server) && isAlike(file, own);
      if (!isRunning(client) || isReplaced()) remove(file);
    }
  } catch {
    // No folder, or none of ours: then there is nothing to sweep.
  }
}

function isAlike(file: string, own: MarkedServer): boolean {
  return readPlainOr(file, "") === kindOf(own);
}

/** The same for servers that were started alike. Not the words themselves: a store's password may be among them. */
function kindOf({ words }: MarkedServer): string {
  return createHash("sha256").update(JSON.stringify(words)).digest("base64url");
}

function remove(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // A mark of a process that is not there leads to the command, which is right.
  }
}
