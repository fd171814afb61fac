import type { Pool, PoolClient, QueryConfig } from "pg";
import type { Durability, Engine, Watch, WriteScript } from "../engine.js";
import type { Patience } from "../patience.js";
import { createQueries } from "../queries.js";
import type { Row, Script } from "../script.js";
import { StoreTrouble } from "../trouble.js";
import { asTrouble, asUnsure, isLost, isRaceLost, withoutCrowd } from "./errors.js";
import type { Listener } from "./listener.js";
import type { Sockets } from "./sockets.js";

export type Trace = (step: string) => void;

interface Parts {
  readonly pool: Pool;
  readonly sockets: Sockets;
  /** Where the store is, without its password. */
  readonly name: string;
  readonly listener: Listener;
  /** What the address allows in any case, in milliseconds. */
  readonly limits: { readonly lock: number; readonly statement: number };
  readonly trace?: Trace | undefined;
}

interface Beginning {
  readonly begin: string;
  readonly patience: Patience | undefined;
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

/** An answer that comes this soon was not waited for: servers may be far away. */
const ROUND_TRIP_MS = 100;

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

  async write<T>(script: WriteScript<T>, durability: Durability, patience?: Patience): Promise<T> {
    const begin = durability === "observed" ? `${BEGIN}; ${NOT_SYNCED}` : this.isLazy ? `${BEGIN}; ${SYNCED}` : BEGIN;
    for (let retry = 0; ; retry += 1) {
      try {
        return await this.#transact({ begin, patience }, async (client) => {
          const written = await this.#run(client, script(false), patience);
          await this.#end(client, written.save, patience);
          return written.value;
        });
      } catch (error) {
        if (!isRaceLost(error) || retry >= MOST_RETRIES) throw error;
      }
    }
  }

  read<T>(script: () => Script<T>, patience?: Patience): Promise<T> {
    return this.#transact({ begin: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", patience }, async (client) => {
      const value = await this.#run(client, script(), patience);
      await this.#send(client, { text: "COMMIT" }, patience);
      return value;
    });
  }

  async #transact<T>({ begin, patience }: Beginning, work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#connect(patience);
    let isBroken = false;
    try {
      await this.#step(client, patience ? `${begin}; ${this.#serverLimits(patience)}` : begin, patience);
      return await work(client);
    } catch (error) {
      isBroken = isLost(error) || !(await this.#rollBack(client, patience));
      throw error;
    } finally {
      // A connection that cannot even roll back must not be handed to the next one.
      client.release(isBroken);
    }
  }

  /** A server that lives ends a wait itself, and the connection stays usable. */
  #serverLimits({ left }: Patience): string {
    const { limits } = this.#parts;
    const lock = Math.max(1, Math.ceil(Math.min(left, limits.lock)));
    const statement = Math.ceil(Math.min(left + ROUND_TRIP_MS / 2, limits.statement));
    return `SET LOCAL lock_timeout = ${lock}; SET LOCAL statement_timeout = ${statement}`;
  }

  /** What was given up before COMMIT was sent never happens: the server ends it with the connection. */
  async #end(client: PoolClient, save: boolean, patience: Patience | undefined): Promise<void> {
    try {
      await this.#step(client, save ? "COMMIT" : "ROLLBACK", patience);
    } catch (error) {
      throw save ? asUnsure(error, this.#parts.name) : error;
    }
  }

  async #connect(patience: Patience | undefined): Promise<PoolClient> {
    const { pool, name } = this.#parts;
    // For an address that cannot be used it throws at once.
    const connecting = (async () => pool.connect())();
    try {
      return await (patience ? patience.waitFor(connecting, name, ROUND_TRIP_MS) : connecting);
    } catch (error) {
      // The next one may have it, if it still comes.
      connecting.then(
        (client) => client.release(),
        () => undefined,
      );
      const isCrowded = pool.totalCount >= (pool.options.max ?? 0);
      throw asTrouble(isCrowded ? error : withoutCrowd(error), name);
    }
  }

  #rollBack(client: PoolClient, patience: Patience | undefined): Promise<boolean> {
    return this.#send(client, { text: "ROLLBACK" }, patience).then(
      () => true,
      () => false,
    );
  }

  async #run<T>(client: PoolClient, script: Script<T>, patience: Patience | undefined): Promise<T> {
    const unhurried = this.queries.unhurried()?.text;
    let slow: Pick<Sent, "query_timeout"> | undefined;
    let step = script.next();
    while (!step.done) {
      const { text, values } = step.value;
      if (text === unhurried) slow = { query_timeout: UNHURRIED_MS };
      this.#parts.trace?.(text);
      const query = { name: this.#nameOf(text), text, values: [...values], ...slow };
      step = script.next(await this.#send(client, query, patience));
    }
    return step.value;
  }

  #nameOf(text: string): string {
    const name = this.#names.get(text) ?? `milepost_${this.#names.size}`;
    this.#names.set(text, name);
    return name;
  }

  async #step(client: PoolClient, text: string, patience: Patience | undefined): Promise<void> {
    this.#parts.trace?.(text);
    await this.#send(client, { text }, patience);
  }

  /** Whatever goes wrong here is the server's or the network's; what a script throws is ours, and stays what it is. */
  async #send(client: PoolClient, query: Sent, patience: Patience | undefined): Promise<readonly Row[]> {
    const { name } = this.#parts;
    try {
      const answer = client.query<Row>(query);
      return (await (patience ? patience.waitFor(answer, name, ROUND_TRIP_MS) : answer)).rows;
    } catch (error) {
      throw asTrouble(error, name);
    }
  }

  watch(): Watch {
    return this.#parts.listener.watch();
  }

  /** Readers stop before the oldest transaction that still runs; what is committed behind it is waited for. */
  settle(patience?: Patience): Promise<void> {
    return patience ? patience.waitFor(this.#settled(), this.#parts.name, ROUND_TRIP_MS) : this.#settled();
  }

  async #settled(): Promise<void> {
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
