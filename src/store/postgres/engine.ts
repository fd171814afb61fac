import type { Pool, PoolClient } from "pg";
import type { Durability, Engine, Watch, WriteScript } from "../engine.js";
import { createQueries } from "../queries.js";
import type { Query, Row, Script } from "../script.js";
import { asTrouble, isRaceLost } from "./errors.js";
import { PostgresWatch } from "./watch.js";

export type Trace = (step: string) => void;

interface Parts {
  readonly pool: Pool;
  /** Where the store is, without its password. */
  readonly name: string;
  readonly trace?: Trace | undefined;
}

/** Deadlocks and lost races end a transaction through no fault of its own: it is run again. */
const MOST_RETRIES = 20;

export class PostgresEngine implements Engine {
  readonly queries = createQueries({ concurrentWriters: true });
  readonly #parts: Parts;
  readonly #names = new Map<string, string>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async write<T>(script: WriteScript<T>, durability: Durability): Promise<T> {
    // The server decides what "durable" is; only the weaker class is ours to ask for.
    const begin = durability === "observed" ? "BEGIN; SET LOCAL synchronous_commit = off" : "BEGIN";
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
    return new PostgresWatch(() => this.#parts.pool.connect());
  }

  async close(): Promise<void> {
    await this.#parts.pool.end();
  }
}
