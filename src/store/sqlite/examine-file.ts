import { closeSync, constants, copyFileSync, readSync, renameSync } from "node:fs";
import { dirname } from "node:path";
import { isTableFile } from "../foreign-tables.js";
import { ask } from "../script.js";
import { StoreTrouble } from "../trouble.js";
import { damage, type Finding, warning } from "../upkeep/integrity-check.js";
import { Connection } from "./connection.js";
import { QUERIES, SqliteEngine } from "./engine.js";
import { asTrouble, resultCode } from "./errors.js";
import { HeadFile, readHead } from "./head.js";
import { loadSqlite } from "./library.js";
import { identify, openReadOnly, refuseForeign } from "./open.js";
import { realPath } from "./real-path.js";
import { freeName, hasFreeFiles, headPath, mayWrite, openPlain, refuseForeignOwner, stat } from "./store-files.js";
import { inspectSurroundings } from "./surroundings.js";
import { scanWal } from "./wal.js";
import { CROWD, WriteLock } from "./write-lock.js";

/** What can be said of a store's files without changing a byte of them. */
export interface Examined {
  readonly findings: readonly Finding[];
  /** Read-only, for a look at the log; none when not even that is possible. */
  readonly engine?: SqliteEngine;
  readonly walSize: number;
}

/** From here on checkpoints do not keep up: some reader holds the journal open. */
const LARGE_WAL = 64 * 1024 * 1024;

export async function examineFile(given: string): Promise<Examined> {
  const path = realPath(given);
  const walSize = stat(`${path}-wal`)?.size ?? 0;
  const gone = inspectPresence(path);
  if (gone) return { findings: gone, walSize };
  const findings: Finding[] = [...inspectSurroundings(path), ...inspectWal(path, walSize)];
  const open = await loadSqlite();
  let connection: Connection | undefined;
  try {
    const isWritable = mayWrite(path) && mayWrite(dirname(path)) && hasFreeFiles(path);
    connection = new Connection(openReadOnly(open, { path, isWritable }));
    refuseForeign(connection, path);
    findings.push(...inspectPages(connection), ...inspectHead(connection, path));
    if (identify(connection)) return { findings, walSize, engine: readOnlyEngine(connection, path) };
  } catch (error) {
    if (error instanceof StoreTrouble) throw error;
    if (resultCode(error) === CANNOT_OPEN && !hasFreeFiles(path)) throw needsFiles(path, error);
    findings.push(unreadable(path, error as Error));
  }
  connection?.close();
  return { findings: isUnfinished(path, walSize) ? [unfinished(path)] : findings, walSize };
}

function needsFiles(path: string, error: unknown): StoreTrouble {
  return new StoreTrouble(
    "store-full",
    `The store ${path} cannot be checked: its disk has no inodes left, and its journal needs one. Nothing is wrong with it so far. Delete some files on that disk, then run milepost doctor`,
    error,
  );
}

const CANNOT_OPEN = 14;

/** As long as a page, or less. */
const SMALLEST_FILE = 4096;
/** A journal with less than a header and a page holds no commit. */
const SMALLEST_JOURNAL = 32 + 24 + 512;

/** Its process ended while it made the store. Only one that was opened to its end has a head: nothing is lost here. */
function isUnfinished(path: string, walSize: number): boolean {
  if (readHead(path).type !== "none" || (stat(path)?.size ?? 0) > SMALLEST_FILE) return false;
  return beginsLikeStore(path) && (walSize < SMALLEST_JOURNAL || scanWal(path).type === "sound");
}

/** SQLite's first word, or none yet: anything else is another file, or a damaged one. */
function beginsLikeStore(path: string): boolean {
  const file = openPlain(path, constants.O_RDONLY);
  try {
    const start = Buffer.alloc(16);
    const length = readSync(file, start, 0, start.length, 0);
    const text = start.toString("latin1", 0, length);
    return isTableFile(text) || start.every((byte) => byte === 0);
  } finally {
    closeSync(file);
  }
}

function unfinished(path: string): Finding {
  return warning(
    "unfinished-store",
    `The process that made ${path} ended before it was done. Nothing was stored in it yet; the next use finishes it.`,
  );
}

function readOnlyEngine(connection: Connection, path: string): SqliteEngine {
  return new SqliteEngine({ connection, path, lock: new WriteLock(CROWD), isWritable: false });
}

/** Nothing there is no finding: a store that was never made is made when it is first used. */
function inspectPresence(path: string): readonly Finding[] | undefined {
  const found = stat(path);
  if (found && !found.isFile()) return [damage("not-a-file", `${path} is not a regular file: it is not a store.`)];
  refuseForeignOwner(path);
  const size = found?.size;
  if (size !== undefined && size > 0) return undefined;
  const head = readHead(path);
  if (head.type === "none") return [];
  const had = head.type === "head" ? `It had ${head.seq} events.` : "";
  const [code, what] =
    size === undefined
      ? ["lost-file", `is gone, but ${headPath(path)} is still there.`]
      : ["emptied-file", `is empty, but ${headPath(path)} says that it was not.`];
  const advice = "Restore a backup, or start a new store: milepost doctor --accept-loss";
  return [damage(code, `${path} ${what} ${had} ${advice}`)];
}

function inspectWal(path: string, size: number): readonly Finding[] {
  const findings: Finding[] = [];
  const wal = scanWal(path);
  if (wal.type === "damaged" && scanWal(path).type === "damaged")
    findings.push(
      damage(
        "damaged-journal",
        wal.frame === 0
          ? `${path}-wal is not a journal: its header is wrong. Commits that are only in it are lost.`
          : `${path}-wal is damaged at frame ${wal.frame}: SQLite ignores all later commits. Copy the file before anything is written.`,
      ),
    );
  if (size > LARGE_WAL)
    findings.push(
      warning(
        "large-journal",
        `${path}-wal has grown to ${Math.round(size / 1024 / 1024)} MB: a process has had it open for reading for very long. It shrinks when that process ends.`,
      ),
    );
  return findings;
}

function inspectPages(connection: Connection): readonly Finding[] {
  const problems = connection.values("PRAGMA integrity_check(20)").map(String);
  if (problems.length === 1 && problems[0] === "ok") return [];
  return problems.map((problem) => damage("damaged-page", `SQLite finds the file damaged: ${problem}`));
}

function inspectHead(connection: Connection, path: string): readonly Finding[] {
  const head = readHead(path);
  if (head.type === "none") return [];
  if (head.type === "unreadable")
    return [warning("damaged-head", `${headPath(path)} is not a readable head file. The next commit rewrites it.`)];
  const found = identify(connection);
  if (found && head.store !== found.store)
    return [
      damage(
        "replaced-file",
        `${path} is not the store that ${headPath(path)} belongs to. If you replaced it, accept it: milepost doctor --accept-loss`,
      ),
    ];
  const seq = found?.seq ?? 0;
  return !found || head.seq > seq
    ? [
        damage(
          "lost-tail",
          `The store had ${head.seq} events, now it ends at ${seq}: the last ${head.seq - seq} are lost. Restore a backup, or continue without them: milepost doctor --accept-loss`,
        ),
      ]
    : [];
}

/** SQLite's own word for it, with ours before it. */
function unreadable(path: string, error: Error): Finding {
  const code = resultCode(error);
  if (code === 26)
    return damage(
      "damaged-header",
      `The header of ${path} is wrong: it is damaged, or not a SQLite file. (${error.message})`,
    );
  if (/schema/.test(error.message))
    return damage("damaged-schema", `The schema of ${path} is damaged. (${error.message})`);
  if (code === 11)
    return damage("damaged-page", `SQLite cannot read all of ${path}: it is damaged or truncated. (${error.message})`);
  return damage("unreadable-file", `${path} cannot be read. (${error.message})`);
}

/** A person goes on with what is left. The old head, and an emptied file's journal, are kept under another name. */
export async function acceptLoss(given: string): Promise<string | undefined> {
  const path = realPath(given);
  const head = headPath(path);
  if (!stat(head) || !mayWrite(dirname(path))) return undefined;
  const kept = freeName(`${head}.lost`);
  const old = readHead(path);
  const found = (stat(path)?.size ?? 0) === 0 ? undefined : await identifyFile(path);
  if (found) {
    const seq = Math.max(found.seq, old.type === "head" ? old.seq : 0);
    await raiseFloor(path, seq);
    copyFileSync(head, kept);
    new HeadFile(path, found.store).reset(seq);
  } else {
    // A new store begins here with the next use; a journal of the old one must not be read into it.
    for (const file of [`${path}-wal`, `${path}-shm`]) if (stat(file)) renameSync(file, freeName(`${file}.lost`));
    renameSync(head, kept);
  }
  return kept;
}

/** Positions given before the loss are not given again: a reader from then would pass over what comes now. */
async function raiseFloor(path: string, seq: number): Promise<void> {
  const open = await loadSqlite();
  const connection = new Connection(open(path, { timeout: 10_000 }));
  try {
    connection.run(ask(QUERIES.setMeta("floor", String(seq))));
    connection.value("PRAGMA wal_checkpoint(TRUNCATE)");
  } catch (error) {
    throw asTrouble(error, path);
  } finally {
    connection.close();
  }
}

async function identifyFile(path: string) {
  const open = await loadSqlite();
  try {
    const connection = new Connection(openReadOnly(open, { path, isWritable: true }));
    try {
      return identify(connection);
    } finally {
      connection.close();
    }
  } catch (error) {
    throw asTrouble(error, path);
  }
}
