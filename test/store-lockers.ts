import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import pg from "pg";
import { loadSqlite } from "../src/store/sqlite/library.js";

// Somebody else who has the store, for as long as a test wants: real locks, and a server that is really stopped.

/** Lets go. */
export type Release = () => Promise<void>;

export type FileLock = "BEGIN IMMEDIATE" | "BEGIN EXCLUSIVE" | "locking_mode=EXCLUSIVE";

const STATEMENTS: Readonly<Record<FileLock, string>> = {
  "BEGIN IMMEDIATE": "BEGIN IMMEDIATE",
  "BEGIN EXCLUSIVE": "BEGIN EXCLUSIVE",
  // Set before the file is read, it keeps everybody out, readers too.
  "locking_mode=EXCLUSIVE": "PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; CREATE TABLE x (y); ROLLBACK",
};

export async function holdFile(path: string, lock: FileLock): Promise<Release> {
  const database = (await loadSqlite())(path, { timeout: 5000 });
  database.exec(STATEMENTS[lock]);
  return async () => database.close();
}

/** Holds tables of a server: `writers` only, or `everybody`. */
export async function holdTables(url: string, whom: "writers" | "everybody"): Promise<Release> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(
    whom === "writers"
      ? "BEGIN; LOCK TABLE milepost_streams, milepost_events IN SHARE MODE"
      : "BEGIN; LOCK TABLE milepost_meta IN ACCESS EXCLUSIVE MODE",
  );
  return () => client.end();
}

/** The byte of a WAL index that its writer locks, as SQLite's documentation numbers them. */
export const WAL_WRITE_LOCK = 120;

const LOCKER = `
import fcntl, os, struct, sys
fcntl.fcntl(os.open(sys.argv[1], os.O_RDWR), fcntl.F_SETLK, struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, int(sys.argv[2]), int(sys.argv[3]), 0))
print("locked", flush=True)
sys.stdin.read()`;

/** Node cannot lock bytes of a file. */
export const canLockBytes = process.platform === "linux" && spawnSync("python3", ["-c", "import fcntl"]).status === 0;

export async function holdBytes(path: string, first: number, count: number): Promise<Release> {
  const locker = spawn("python3", ["-c", LOCKER, path, String(first), String(count)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const [said] = await Promise.race([once(locker.stdout, "data"), once(locker, "exit")]);
  if (!String(said).startsWith("locked")) throw new Error(`${path} could not be locked`);
  return async () => {
    locker.stdin.end();
    await once(locker, "exit");
  };
}

/** Stops the processes of this worker's server that answer a database: SIGSTOP, as a machine that hangs. */
export async function freezeServer(url: string): Promise<Release> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query(
    "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND datname = current_database()",
  );
  const pids: readonly number[] = rows.map(({ pid }) => Number(pid));
  const parent = Number(spawnSync("ps", ["-o", "ppid=", "-p", String(pids[0])], { encoding: "utf8" }).stdout);
  const all = [parent, ...pids];
  for (const pid of all) process.kill(pid, "SIGSTOP");
  client.on("error", () => undefined);
  return async () => {
    for (const pid of all) process.kill(pid, "SIGCONT");
    await client.end();
  };
}
