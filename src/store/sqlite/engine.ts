import { closeSync, openSync } from "node:fs";
import sql from "sql-template-tag";
import type { Durability, Engine, Watch, Written } from "../engine.js";
import { createQueries } from "../queries.js";
import type { Script } from "../script.js";
import { StoreTrouble } from "../trouble.js";
import type { Connection } from "./connection.js";
import { asTrouble, isBusy } from "./errors.js";
import type { HeadFile } from "./head.js";
import type { Turn } from "./turn.js";
import { SqliteWatch } from "./watch.js";
import { WriteQueue } from "./write-queue.js";

interface Parts {
  readonly connection: Connection;
  readonly path: string;
  readonly turn: Turn;
  readonly isWritable: boolean;
  readonly head?: HeadFile | undefined;
}

/** Another number whenever another connection has committed. */
const DATA_VERSION = "PRAGMA data_version";

export class SqliteEngine implements Engine {
  readonly queries = createQueries({ concurrentWriters: false });
  readonly #parts: Parts;
  readonly #queue = new WriteQueue();
  /** Commits of this process: SQLite only tells about those of others. */
  #commits = 0;
  #dataVersion: unknown;
  #wake = new Set<() => void>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async write<T>(script: () => Script<Written<T>>, durability: Durability): Promise<T> {
    const { turn, isWritable } = this.#parts;
    if (!isWritable) return this.#pretend(script);
    return this.#queue.run(durability, async (answer) => {
      const written = await this.#transact(script, durability);
      answer(written.value);
      // Whoever asked has its answer; only the next write of this process steps back.
      if (written.save) await turn.stepBack(this.#othersWrote());
    });
  }

  async #transact<T>(script: () => Script<Written<T>>, durability: Durability): Promise<Written<T>> {
    const { connection, path, turn, head } = this.#parts;
    try {
      if (durability === "observed") connection.exec("PRAGMA synchronous = NORMAL");
      await turn.take(() => this.#begin(), path);
      const written = this.#finish(connection.run(script()));
      if (written.save) this.#announce();
      if (written.position) head?.advance(written.position.seq);
      return written;
    } catch (error) {
      this.#rollBack();
      throw asTrouble(error, path);
    } finally {
      if (durability === "observed") connection.exec("PRAGMA synchronous = FULL");
    }
  }

  #begin(): boolean {
    try {
      this.#parts.connection.exec("BEGIN IMMEDIATE");
      return true;
    } catch (error) {
      if (isBusy(error)) return false;
      throw error;
    }
  }

  #finish<T>(written: Written<T>): Written<T> {
    this.#parts.connection.exec(written.save ? "COMMIT" : "ROLLBACK");
    return written;
  }

  /** A full disk may have rolled back already. */
  #rollBack(): void {
    try {
      this.#parts.connection.exec("ROLLBACK");
    } catch {
      // No transaction is open.
    }
  }

  /** A store that cannot be written can still decide; only what would be saved is refused. */
  async #pretend<T>(script: () => Script<Written<T>>): Promise<T> {
    const { path } = this.#parts;
    const written = await this.read(script);
    if (!written.save) return written.value;
    throw new StoreTrouble(
      "store-read-only",
      `The store ${path} cannot be written: it is read-only. Nothing was changed.`,
    );
  }

  async read<T>(script: () => Script<T>): Promise<T> {
    const { connection, path } = this.#parts;
    try {
      connection.exec("BEGIN");
      return connection.run(script());
    } catch (error) {
      throw asTrouble(error, path);
    } finally {
      this.#rollBack();
    }
  }

  #othersWrote(): boolean {
    const version = this.#parts.connection.value(DATA_VERSION);
    const isChanged = version !== this.#dataVersion;
    this.#dataVersion = version;
    return isChanged;
  }

  watch(): Watch {
    return new SqliteWatch({
      seen: () => `${this.#parts.connection.value(DATA_VERSION)} ${this.#commits}`,
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

  async copyTo(path: string): Promise<void> {
    const { connection } = this.#parts;
    try {
      // Made by us first, so that it has our rights from its first byte on.
      closeSync(openSync(path, "wx", 0o600));
      connection.ask(sql`VACUUM INTO ${path}`);
    } catch (error) {
      throw asTrouble(error, path);
    }
  }

  async close(): Promise<void> {
    await this.#queue.idle();
    this.#parts.head?.close();
    this.#parts.connection.close();
  }
}
