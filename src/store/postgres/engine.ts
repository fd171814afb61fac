import type { Pool, PoolClient, QueryConfig } from "pg";
import type { Durability, Engine, Watch, WriteScript } from "../engine.js";
import { createQueries } from "../queries.js";
import type { Row, Script } from "../script.js";
import { StoreTrouble } from "../trouble.js";
import { asTrouble, isLost, isRaceLost, withoutCrowd } from "./errors.js";
import type { Listener } from "./listener.js";
import type { Sockets } from "./sockets.js";

export type Trace = (step: string) => void;

interface Parts {
  readonly pool: Pool;
  readonly sockets: Sockets;
  /** Where the store is, without its password. */
  readonly name: string;
  readonly listener: Listener;
  readonly trace?: Trace | undefined;
}

/** The client can be told how long to wait, though its types do not say so. */
type Sent = QueryConfig & { readonly query_timeout?: number };

/** What a durable write asks of a server that would answer before it has synced. */
const SYNCED = "SET LOCAL synchronous_commit = on";
const NOT_SYNCED = "SET LOCAL synchronous_commit = off";

/** The same whatever the server's defaults are: locks are taken by name, so each query may see the newest state. */
const BEGIN = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE";

const SETTLE_MS = 10_000;

/** For work over whole tables, which the server does not end either. */
const UNHURRIED_MS = 24 * 60 * 60 * 1000;

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
        if (!isRaceLost(error) || retry >= MOST_RETRIES) throw error;
      }
    }
  }

  read<T>(script: () => Script<T>): Promise<T> {
    return this.#transact("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", async (client) => {
      const value = await this.#run(client, script());
      await this.#send(client, { text: "COMMIT" });
      return value;
    });
  }

  async #transact<T>(begin: string, work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#connect();
    let isBroken = false;
    try {
      await this.#step(client, begin);
      return await work(client);
    } catch (error) {
      isBroken = isLost(error) || !(await this.#rollBack(client));
      throw error;
    } finally {
      // A connection that cannot even roll back must not be handed to the next one.
      client.release(isBroken);
    }
  }

  async #connect(): Promise<PoolClient> {
    const { pool, name } = this.#parts;
    try {
      return await pool.connect();
    } catch (error) {
      const isCrowded = pool.totalCount >= (pool.options.max ?? 0);
      throw asTrouble(isCrowded ? error : withoutCrowd(error), name);
    }
  }

  #rollBack(client: PoolClient): Promise<boolean> {
    return client.query("ROLLBACK").then(
      () => true,
      () => false,
    );
  }

  async #run<T>(client: PoolClient, script: Script<T>): Promise<T> {
    const unhurried = this.queries.unhurried()?.text;
    let patience: Pick<Sent, "query_timeout"> | undefined;
    let step = script.next();
    while (!step.done) {
      const { text, values } = step.value;
      if (text === unhurried) patience = { query_timeout: UNHURRIED_MS };
      this.#parts.trace?.(text);
      const rows = await this.#send(client, { name: this.#nameOf(text), text, values: [...values], ...patience });
      step = script.next(rows);
    }
    return step.value;
  }

  #nameOf(text: string): string {
    const name = this.#names.get(text) ?? `milepost_${this.#names.size}`;
    this.#names.set(text, name);
    return name;
  }

  async #step(client: PoolClient, text: string): Promise<void> {
    this.#parts.trace?.(text);
    await this.#send(client, { text });
  }

  /** Whatever goes wrong here is the server's or the network's; what a script throws is ours, and stays what it is. */
  async #send(client: PoolClient, query: Sent): Promise<readonly Row[]> {
    try {
      return (await client.query<Row>(query)).rows;
    } catch (error) {
      throw asTrouble(error, this.#parts.name);
    }
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
    const { listener, pool, sockets } = this.#parts;
    listener.close();
    await pool.end();
    sockets.release();
  }
}
