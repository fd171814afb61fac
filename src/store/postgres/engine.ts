import type { Pool, PoolClient } from "pg";
import type { Durability, Engine, Watch, WriteScript } from "../engine.js";
import { createQueries } from "../queries.js";
import type { Query, Row, Script } from "../script.js";
import { StoreTrouble } from "../trouble.js";
import { asTrouble, isRaceLost } from "./errors.js";
import type { Listener } from "./listener.js";

export type Trace = (step: string) => void;

interface Parts {
  readonly pool: Pool;
  /** Where the store is, without its password. */
  readonly name: string;
  readonly listener: Listener;
  readonly trace?: Trace | undefined;
}

/** What a durable write asks of a server that would answer before it has synced. */
const SYNCED = "SET LOCAL synchronous_commit = on";
const NOT_SYNCED = "SET LOCAL synchronous_commit = off";

/** The same whatever the server's defaults are: locks are taken by name, so each query may see the newest state. */
const BEGIN = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE";

const SETTLE_MS = 10_000;

/** Deadlocks and lost races end a transaction through no fault of its own: it is run again. */
const MOST_RETRIES = 20;

export class PostgresEngine implements Engine {
  readonly queries = createQueries({ concurrentWriters: true });
  readonly #parts: Parts;
  readonly #names = new Map<string, string>();
  /** The server's own setting would acknowledge before it syncs. Stricter ones than ours stay as they are. */
  isLazy = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async write<T>(script: WriteScript<T>, durability: Durability): Promise<T> {
    const begin = durability === "observed" ? `${BEGIN}; ${NOT_SYNCED}` : this.isLazy ? `${BEGIN}; ${SYNCED}` : BEGIN;
    for (let retry = 0; ; retry += 1) {
      try {
        return await this.#transact(begin, async (client) => {
          const written = await this.#run(client, script(false));
          await this.#step(client, written.save ? "COMMIT" : "ROLLBACK");
          return written.value;
        });
      } catch (error) {
        if (!isRaceLost(error) || retry >= MOST_RETRIES) throw asTrouble(error, this.#parts.name);
      }
    }
  }

  async read<T>(script: () => Script<T>): Promise<T> {
    try {
      return await this.#transact("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", async (client) => {
        const value = await this.#run(client, script());
        await client.query("COMMIT");
        return value;
      });
    } catch (error) {
      throw asTrouble(error, this.#parts.name);
    }
  }

  async #transact<T>(begin: string, work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#parts.pool.connect();
    let broken: unknown;
    try {
      await this.#step(client, begin);
      return await work(client);
    } catch (error) {
      broken = await client.query("ROLLBACK").then(
        () => undefined,
        (lost: unknown) => lost,
      );
      throw error;
    } finally {
      // A connection that cannot even roll back must not be handed to the next one.
      client.release(broken !== undefined);
    }
  }

  async #run<T>(client: PoolClient, script: Script<T>): Promise<T> {
    let step = script.next();
    while (!step.done) step = script.next(await this.#ask(client, step.value));
    return step.value;
  }

  async #ask(client: PoolClient, query: Query): Promise<readonly Row[]> {
    const { text } = query;
    this.#parts.trace?.(text);
    const name = this.#names.get(text) ?? `milepost_${this.#names.size}`;
    this.#names.set(text, name);
    return (await client.query<Row>({ name, text, values: query.values as unknown[] })).rows;
  }

  async #step(client: PoolClient, text: string): Promise<void> {
    this.#parts.trace?.(text);
    await client.query(text);
  }

  watch(): Watch {
    return this.#parts.listener.watch();
  }

  /** Readers stop before the oldest transaction that still runs; what is committed behind it is waited for. */
  async settle(): Promise<void> {
    const { pool, name } = this.#parts;
    try {
      const { rows } = await pool.query("SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS xmax");
      for (let waited = 0; waited < SETTLE_MS; waited += 20) {
        const text = "SELECT pg_snapshot_xmin(pg_current_snapshot()) >= $1::xid8 AS settled";
        if ((await pool.query(text, [rows[0]?.xmax])).rows[0]?.settled) return;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    } catch (error) {
      throw asTrouble(error, name);
    }
    throw new StoreTrouble(
      "store-busy",
      `A transaction on the server of ${name} has been open for ${SETTLE_MS / 1000} s; later commits cannot be read until it ends. Try again then.`,
    );
  }

  async close(): Promise<void> {
    await this.#parts.listener.close();
    await this.#parts.pool.end();
  }
}
