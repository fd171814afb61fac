import { migrateScript, readSchema } from "../migrate.js";
import type { Migration } from "../migrations.js";
import type { Patience } from "../patience.js";
import { toPosition } from "../rows.js";
import { ask, askOne } from "../script.js";
import { SAVE_REST, StoreTrouble } from "../trouble.js";
import { Connection, TIDY_PAGES, type Trace } from "./connection.js";
import { QUERIES as queries, SqliteEngine } from "./engine.js";
import { asTrouble } from "./errors.js";
import { HeadFile, type HeadState, readHead } from "./head.js";
import { type Database, loadSqlite, type OpenDatabase } from "./library.js";
import { createFile, type FileOptions, findFile, headPath, type StoreFile, stat, tighten } from "./store-files.js";
import { CROWD, WriteLock } from "./write-lock.js";

export interface SqliteOptions extends FileOptions {
  readonly migrations: readonly Migration[];
  readonly trace?: Trace | undefined;
  /** For one write by a process that ends at once, and does not even close. */
  readonly isBrief?: boolean;
  readonly isReadOnly?: boolean;
  /** For opening only. Default: 10 seconds for each step of it. */
  readonly patience?: Patience | undefined;
}

/** Does what throws while another process has the lock as soon as it can be done. Others are heard meanwhile. */
type WhenFree = <T>(action: () => T) => Promise<T>;

/** "MILE": how `file` and other tools, and we, know a store from any other SQLite file. */
const APPLICATION_ID = 0x4d494c45;

const SETTINGS = [
  "PRAGMA trusted_schema = OFF",
  "PRAGMA mmap_size = 0",
  "PRAGMA cell_size_check = ON",
  // Costs nothing, and `forget` relies on it: see `scrub-file.ts`.
  "PRAGMA secure_delete = FAST",
  "PRAGMA synchronous = FULL",
  // macOS calls data synced that is still in the disk's own memory.
  "PRAGMA fullfsync = ON",
  "PRAGMA checkpoint_fullfsync = ON",
  // 16 MB: a commit in 1,000 pays for moving pages into the file, and a crash leaves little to read again.
  "PRAGMA wal_autocheckpoint = 4000",
  "PRAGMA journal_size_limit = 33554432",
];

/** What tells one file from another of the same name. */
function placeOf(path: string): string | undefined {
  const found = stat(path);
  return found && `${found.dev} ${found.ino}`;
}

export async function openMemory(options: SqliteOptions): Promise<SqliteEngine> {
  const open = await loadSqlite();
  const connection = new Connection(open(":memory:", {}), options.trace);
  makeTables(connection, options.migrations);
  return new SqliteEngine({ connection, path: ":memory:", lock: new WriteLock(CROWD), isWritable: true });
}

export async function openFile(given: string, options: SqliteOptions): Promise<SqliteEngine> {
  const open = await loadSqlite();
  const file = findFile(given, options);
  // The head first, the store second: commits in between can only make the store longer.
  const head = readHead(file.path);
  if (file.size === 0) {
    if ((stat(file.path)?.size ?? 0) === 0) refuseEmptied(file.path, head);
    createFile(file.path);
  }
  try {
    const whenFree: WhenFree = (action) => OPENING.until(action, file.path, options.patience);
    if (head.type === "head" && !options.isBrief) await lookFirst(open, file, head, whenFree);
    return await openChecked(open, file, head, options);
  } catch (error) {
    const trouble = asTrouble(error, file.path);
    const isFull = trouble instanceof StoreTrouble && NO_ROOM.includes(trouble.code);
    if (!options.isBrief || !isFull || !file.isWritable) throw trouble;
    // On a full disk SQLite cannot even make what it shares with other readers; but the file can be read.
    const unwritable = { ...file, isWritable: false, trouble };
    return await openChecked(open, unwritable, head, options).catch(() => {
      throw trouble;
    });
  }
}

/** No room for a byte, or none for one more file. */
const NO_ROOM: readonly string[] = ["store-full", "store-unreachable"];

/** Opening for writing can change a used store (new tables, an emptied journal): so it is looked at first. */
async function lookFirst(open: OpenDatabase, file: StoreFile, head: HeadState, whenFree: WhenFree): Promise<void> {
  const connection = new Connection(openReadOnly(open, file, 0));
  try {
    await whenFree(() => refuseForeign(connection, file.path));
    await checkUsed(connection, file.path, head, whenFree);
  } finally {
    connection.close();
  }
}

async function checkUsed(
  connection: Connection,
  path: string,
  head: HeadState,
  whenFree: WhenFree,
): Promise<Identity | undefined> {
  const missing = () => whenFree(() => missingBytes(connection, path));
  for (let looks = 1; (await missing()) > 0; looks += 1) {
    // Seen while others write, the two numbers may be of different moments; for long they are not.
    if (looks === 5) throw cutOff(path, await missing());
    await CROWD.sleep(10);
  }
  const found = await whenFree(() => identify(connection));
  checkHead(head, found, path);
  return found;
}

async function openChecked(
  open: OpenDatabase,
  file: StoreFile & { readonly trouble?: StoreTrouble },
  knownHead: HeadState,
  options: SqliteOptions,
): Promise<SqliteEngine> {
  const { path, trouble } = file;
  const { isBrief = false, isReadOnly = false, migrations, notice } = options;
  const isWritable = file.isWritable && !isReadOnly;
  const whenFree: WhenFree = (action) => OPENING.until(action, path, options.patience);
  const database = isWritable ? open(path, { timeout: 0 }) : openReadOnly(open, file, 0);
  const connection = new Connection(database, options.trace);
  try {
    await whenFree(() => connection.exec(SETTINGS.join(";")));
    await whenFree(() => refuseForeign(connection, path));
    // It has not changed anything yet, and without being closed it does not empty a damaged journal.
    const known =
      isBrief && knownHead.type === "head" ? await checkUsed(connection, path, knownHead, whenFree) : undefined;
    if (isWritable && !isBrief) tighten(path, notice);
    if (isWritable) await makeReady(connection, whenFree, migrations);
    const { store, seq } = known ?? (await whenFree(() => identify(connection))) ?? noStore(path);
    const head = isWritable ? new HeadFile(path, store) : undefined;
    head?.advance(seq);
    const lock = new WriteLock(CROWD);
    return new SqliteEngine({ connection, path, lock, isWritable, trouble, head, place: placeOf(path), isBrief });
  } catch (error) {
    if (!isBrief) connection.close();
    throw error;
  }
}

/** SQLite itself would wait with the whole process, and unfairly. */
const OPENING = new WriteLock(CROWD);

/** For a person's look at a file. */
const LOOKING_MS = 10_000;

export function openReadOnly(
  open: OpenDatabase,
  { path, isWritable }: Omit<StoreFile, "size">,
  timeout = LOOKING_MS,
): Database {
  const hasJournal = (stat(`${path}-wal`)?.size ?? 0) > 0;
  if (isWritable || hasJournal) return open(path, { readOnly: true, timeout });
  // Where no journal can be made there is nobody who writes one: the file itself is all there is.
  return openImmutable(open, path);
}

/** Without locks, and without a file beside it. */
export function openImmutable(open: OpenDatabase, path: string): Database {
  const url = encodeURI(path).replace(/[?#]/g, encodeURIComponent);
  return open(`file:${url}?immutable=1`, { readOnly: true });
}

/** WAL and the tables, each once, whoever comes first. */
async function makeReady(connection: Connection, whenFree: WhenFree, migrations: readonly Migration[]): Promise<void> {
  await whenFree(() => connection.exec("PRAGMA journal_mode = WAL"));
  const latest = migrations.at(-1)?.version ?? 0;
  if (Number(await whenFree(() => connection.value("PRAGMA user_version"))) >= latest) return;
  await whenFree(() => migrate(connection, migrations));
}

/** Without a pause: a second store that this process opens would wait for the lock, and keep us from letting it go. */
function migrate(connection: Connection, migrations: readonly Migration[]): void {
  connection.exec("BEGIN IMMEDIATE");
  try {
    makeTables(connection, migrations);
    connection.exec("COMMIT");
  } catch (error) {
    connection.rollBack();
    throw error;
  }
}

function makeTables(connection: Connection, migrations: readonly Migration[]): void {
  const isNew = connection.run(readSchema(queries)) === 0;
  connection.run(migrateScript(queries, migrations, crypto.randomUUID()));
  if (isNew) connection.run(ask(queries.setMeta(TIDY_PAGES, "1")));
  connection.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
  connection.exec(`PRAGMA user_version = ${connection.run(readSchema(queries))}`);
}

export function refuseForeign(connection: Connection, path: string): void {
  if (isForeignFile(connection))
    throw new StoreTrouble(
      "not-a-store",
      `${path} is a SQLite file of another program. Nothing was changed; choose another file.`,
    );
}

/** A file that nobody has put anything into may become ours; anything else belongs to somebody. */
function isForeignFile(connection: Connection): boolean {
  // One look: another process may be making the tables at this very moment.
  connection.command("BEGIN");
  try {
    const application = Number(connection.value("PRAGMA application_id"));
    if (application === APPLICATION_ID) return false;
    if (connection.run(askOne(queries.hasTables()))) throw damagedSchema();
    const tables = Number(connection.value("SELECT count(*) FROM sqlite_master"));
    return application !== 0 || tables > 0 || Number(connection.value("PRAGMA user_version")) !== 0;
  } finally {
    connection.rollBack();
  }
}

function cutOff(path: string, missing: number): StoreTrouble {
  return new StoreTrouble(
    "store-damaged",
    `The store ${path} is truncated: ${missing} bytes are missing at its end. Nothing was changed. Restore a backup. ${SAVE_REST}`,
  );
}

/** With a journal, the end of the file may lie in there. */
function missingBytes(connection: Connection, path: string): number {
  const wanted = Number(connection.value("PRAGMA page_count")) * Number(connection.value("PRAGMA page_size"));
  const size = stat(path)?.size ?? 0;
  return (stat(`${path}-wal`)?.size ?? 0) > 0 ? 0 : Math.max(0, wanted - size);
}

interface Identity {
  readonly store: string;
  readonly seq: number;
}

/** Which store it is and how far it has come; undefined for a file without tables. */
export function identify(connection: Connection): Identity | undefined {
  // One look: another process may be making the tables at this very moment.
  connection.command("BEGIN");
  try {
    const schema = connection.run(readSchema(queries));
    // Both are written by the same step: where they differ, what is believed of the tables is wrong.
    if (Number(connection.value("PRAGMA user_version")) !== schema) throw damagedSchema();
    if (schema === 0) return undefined;
    const store = connection.run(askOne(queries.meta("store")))?.value;
    const head = connection.run(askOne(queries.head()));
    return { store: String(store), seq: head ? toPosition(head).seq : 0 };
  } finally {
    connection.rollBack();
  }
}

/** In SQLite's own words, for whoever turns them into ours and knows the path. */
function damagedSchema(): Error {
  return Object.assign(new Error("malformed database schema: its version is not that of the tables"), { errcode: 11 });
}

function noStore(path: string): never {
  throw new StoreTrouble("not-a-store", `${path} has no store in it, and cannot be written.`);
}

function refuseEmptied(path: string, head: HeadState): void {
  if (head.type === "none") return;
  throw new StoreTrouble(
    "store-lost",
    `The store ${path} is gone or empty, but ${headPath(path)} says that there was one${head.type === "head" ? ` with ${head.seq} events` : ""}. Restore a backup, or start a new store: milepost doctor --accept-loss`,
  );
}

function checkHead(head: HeadState, found: Identity | undefined, path: string): void {
  if (head.type !== "head") return;
  if (found && head.store !== found.store)
    throw new StoreTrouble(
      "store-lost",
      `The store ${path} is not the one that ${headPath(path)} belongs to: the file was replaced. If you replaced it, accept it: milepost doctor --accept-loss`,
    );
  const seq = found?.seq ?? 0;
  if (!found || head.seq > seq)
    throw new StoreTrouble(
      "store-damaged",
      `The store ${path} has lost events: it had ${head.seq}, now it ends at ${seq}. Nothing was changed. Restore a backup, or continue without them (milepost doctor --accept-loss). ${SAVE_REST}`,
    );
}
