import { closeSync, openSync, statSync } from "node:fs";
import sql from "sql-template-tag";
import type { Durability, Engine, Watch, WriteScript, Written } from "../engine.js";
import { type Patience, tooLate } from "../patience.js";
import { createQueries } from "../queries.js";
import type { Script } from "../script.js";
import { StoreTrouble } from "../trouble.js";
import type { Connection } from "./connection.js";
import { SqliteWatch } from "./data-version-watch.js";
import { asTrouble, unlessBusy } from "./errors.js";
import type { HeadFile } from "./head.js";
import { stat } from "./store-files.js";
import type { WriteLock } from "./write-lock.js";
import { WriteQueue } from "./write-queue.js";

interface Parts {
  readonly connection: Connection;
  readonly path: string;
  readonly lock: WriteLock;
  readonly isWritable: boolean;
  /** Why it cannot be written, where there is more to say than that. */
  readonly trouble?: StoreTrouble | undefined;
  readonly head?: HeadFile | undefined;
  /** One write, and then nobody closes. */
  readonly isBrief?: boolean | undefined;
  /** Device and number of the file when it was opened. */
  readonly place?: string | undefined;
}

/** How long a look at the file's name holds: a call an agent makes is always later, a busy loop pays for it rarely. */
const PLACE_MS = 10;

interface Transacted<T> {
  readonly written: Written<T>;
  /** Others have written since we last did. */
  readonly isCrowded: boolean;
}

/** When nobody closes, the next one who opens reads all of the journal again: so it has to stay short. */
const LONG_JOURNAL = 256 * 1024;

function journalSize(path: string): number {
  return statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}

export const QUERIES = createQueries({ concurrentWriters: false });

/** Another number whenever another connection has committed. */
const DATA_VERSION = "PRAGMA data_version";

export class SqliteEngine implements Engine {
  readonly queries = QUERIES;
  readonly #parts: Parts;
  readonly #queue = new WriteQueue();
  /** Commits of this process: SQLite only tells about those of others. */
  #commits = 0;
  #hasCommitted = false;
  #placeChecked = 0;
  #dataVersion: unknown;
  #synced: Durability = "durable";
  #wake = new Set<() => void>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async write<T>(script: WriteScript<T>, durability: Durability, patience?: Patience): Promise<T> {
    const { lock, isWritable, path } = this.#parts;
    if (!isWritable) return this.#pretend(script, patience);
    // Who does not wait does not stand in a queue either.
    if (patience?.left === 0) return (await this.#transact(script, durability, patience)).written.value;
    const limit = patience && { patience, late: () => tooLate(path, patience) };
    const work = async (answer: (value: T) => void) => {
      const { written, isCrowded, waited } = await this.#transact(script, durability, patience);
      answer(written.value);
      // The caller has its answer by now; only the next write of this process waits.
      if (written.save) await lock.stepBack(waited, isCrowded);
    };
    return this.#queue.run(durability, work, limit);
  }

  async #transact<T>(script: WriteScript<T>, durability: Durability, patience?: Patience) {
    const { connection, path, lock } = this.#parts;
    try {
      let transacted: Transacted<T> | undefined;
      const attempt = () => {
        try {
          transacted = this.#attempt(script, durability);
        } catch (error) {
          // Before anybody else can run: what comes next would be inside of this transaction.
          connection.rollBack();
          throw error;
        }
        return transacted !== undefined;
      };
      const waited = await lock.take(attempt, path, patience);
      if (!transacted) throw new Error("A write ended without an outcome");
      this.#hasCommitted ||= transacted.written.save && durability === "durable";
      return { ...transacted, waited };
    } catch (error) {
      throw asTrouble(error, path);
    }
  }

  /** Only outside of a transaction; for each attempt, because others of another durability may come in between. */
  #syncFor(durability: Durability): void {
    if (this.#synced === durability) return;
    this.#parts.connection.exec(`PRAGMA synchronous = ${durability === "observed" ? "NORMAL" : "FULL"}`);
    this.#synced = durability;
  }

  /** From BEGIN to COMMIT without a pause: a read of this process in between would be inside the transaction. */
  #attempt<T>(script: WriteScript<T>, durability: Durability): Transacted<T> | undefined {
    const { connection, head, path, isBrief } = this.#parts;
    const begin = () => {
      this.#syncFor(durability);
      connection.command("BEGIN IMMEDIATE");
      return true;
    };
    if (!unlessBusy(begin)) return undefined;
    const version = connection.value(DATA_VERSION);
    const isAlone = version === this.#dataVersion;
    const isCrowded = !isAlone && this.#dataVersion !== undefined;
    this.#dataVersion = version;
    const written = connection.run(script(isAlone));
    this.#checkPlace(isAlone);
    connection.command(written.save ? "COMMIT" : "ROLLBACK");
    if (!written.save) return { written, isCrowded };
    written.committed?.();
    connection.mark("committed");
    // Only what is on the disk for sure: after a power cut a head that is ahead would make a sound store look damaged.
    if (written.position && durability === "durable") head?.advance(written.position.seq, isAlone);
    connection.mark("head written");
    if (isBrief && journalSize(path) > LONG_JOURNAL) this.#emptyJournal();
    this.#announce();
    return { written, isCrowded };
  }

  /**
   * Refuses writes when the file was deleted or replaced: they would be acknowledged and lost. Each time when somebody
   * else has written: whoever puts another file in its place writes to the old one.
   */
  #checkPlace(isAlone = true): void {
    const { path, place } = this.#parts;
    const now = Date.now();
    // Absolute difference: a clock that was set back must not postpone the check.
    if (place === undefined || (isAlone && Math.abs(now - this.#placeChecked) < PLACE_MS)) return;
    this.#placeChecked = now;
    const found = stat(path);
    if (found && `${found.dev} ${found.ino}` === place) return;
    throw new StoreTrouble(
      "store-lost",
      `The store ${path} was deleted or replaced while it was in use. Nothing was written. Run milepost doctor, then start again.`,
    );
  }

  /** Read-only store: the script runs, and is refused only if it would write. */
  async #pretend<T>(script: WriteScript<T>, patience?: Patience): Promise<T> {
    const { path, trouble } = this.#parts;
    const written = await this.read(() => script(false), patience);
    if (!written.save) return written.value;
    const message = `The store ${path} cannot be written: it is read-only. Nothing was changed; reading commands work.`;
    throw trouble ?? new StoreTrouble("store-read-only", message);
  }

  async read<T>(script: () => Script<T>, patience?: Patience): Promise<T> {
    const { connection, path, lock } = this.#parts;
    const look = () => {
      this.#checkPlace();
      connection.command("BEGIN");
      try {
        return connection.run(script());
      } finally {
        connection.rollBack();
      }
    };
    try {
      // Readers do not wait for writers, only for the recovery of a journal after a crash.
      return await lock.until(look, path, patience);
    } catch (error) {
      throw asTrouble(error, path);
    }
  }

  /** Undefined while another connection has an exclusive lock; that counts as a change. */
  #seenVersion(): unknown {
    this.#checkPlace();
    try {
      return unlessBusy(() => this.#parts.connection.value(DATA_VERSION));
    } catch (error) {
      throw asTrouble(error, this.#parts.path);
    }
  }

  watch(): Watch {
    return new SqliteWatch({
      seen: () => `${this.#seenVersion()} ${this.#commits}`,
      onCommit: (wake) => {
        this.#wake.add(wake);
        return () => this.#wake.delete(wake);
      },
    });
  }

  #announce(): void {
    this.#commits += 1;
    for (const wake of this.#wake) wake();
  }

  async scrub(): Promise<void> {
    const { connection, path, lock } = this.#parts;
    // Loaded when it is needed: a hook never is.
    const { scrubFile } = await import("./scrub-file.js");
    try {
      await lock.until(() => this.#syncFor("durable"), path);
      await scrubFile(connection, (work) => lock.until(work, path));
    } catch (error) {
      connection.rollBack();
      const { message } = error as Error;
      throw new StoreTrouble(
        "store-busy",
        `It is deleted, but ${path} could not be cleaned, so traces may remain in it. Run the same command again. (${message})`,
        error,
      );
    }
    this.#emptyJournal();
  }

  async copyTo(path: string): Promise<void> {
    const { connection } = this.#parts;
    try {
      // Made by us first, so that it has our rights from its first byte on.
      closeSync(openSync(path, "wx", 0o600));
      this.#syncFor("durable");
      connection.ask(sql`VACUUM INTO ${path}`);
    } catch (error) {
      throw asTrouble(error, path);
    }
  }

  async close(): Promise<void> {
    await this.#queue.idle();
    if (this.#hasCommitted) this.#emptyJournal();
    this.#parts.head?.close();
    this.#parts.connection.close();
  }

  /** So that the file alone is the store again. SQLite's own way, at the last close, waits for garbage collection. */
  #emptyJournal(): void {
    try {
      this.#parts.connection.value("PRAGMA wal_checkpoint(TRUNCATE)");
    } catch {
      // Others are at work, or the disk is full: everything is safe in the journal.
    }
  }
}
