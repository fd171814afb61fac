import sql from "sql-template-tag";
import type { Written } from "../engine.js";
import { migrateScript, readSchema } from "../migrate.js";
import type { Migration } from "../migrations.js";
import type { Patience } from "../patience.js";
import { ask, askIf, type Script } from "../script.js";
import { StoreTrouble } from "../trouble.js";
import { PostgresEngine, type Trace } from "./engine.js";
import { Listener } from "./listener.js";
import { Sockets } from "./sockets.js";

export interface PostgresOptions {
  readonly name: string;
  readonly migrations: readonly Migration[];
  readonly trace?: Trace | undefined;
  /** For opening only. */
  readonly patience?: Patience | undefined;
}

/**
 * Nobody waits longer for a connection, a lock or an answer than for the lock of a file, unless the address says so.
 */
const PATIENCE_MS = 10_000;
/** A server that lives ends a statement itself, and says why; one that is silent does not. */
const LAST_WORD_MS = 1000;
const INT8 = 20;
/** Positions need transaction ids that never come round again. */
const OLDEST_SERVER = 130_000;

export async function openPostgres(url: string, options: PostgresOptions): Promise<PostgresEngine> {
  const { default: pg } = await import("pg");
  const { name } = options;
  const types = {
    // Our numbers are versions and milliseconds: they fit.
    getTypeParser: ((oid: number, format?: "text") =>
      oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
  };
  const address = readAddress(url, name);
  const sockets = new Sockets();
  const settings = {
    connectionString: address.url,
    connectionTimeoutMillis: (address.number("connect_timeout") ?? 0) * 1000 || PATIENCE_MS,
    application_name: "milepost",
    lock_timeout: PATIENCE_MS,
    statement_timeout: PATIENCE_MS,
    query_timeout: silenceMs(address.number("statement_timeout")),
    // A dead network is noticed.
    keepAlive: true,
    stream: sockets.create,
    types,
  };
  const pool = new pg.Pool({ ...settings, max: 8 });
  // A connection that dies is noticed by whoever uses it next; without listeners it would end the process.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  const listener = new Listener(async () => {
    const client = new pg.Client(settings);
    client.on("error", () => undefined);
    await client.connect();
    return client;
  });
  const limits = {
    lock: limitOf(address.number("lock_timeout")),
    statement: limitOf(address.number("statement_timeout")),
  };
  const engine = new PostgresEngine({ pool, sockets, name, listener, limits, trace: options.trace });
  try {
    await engine.write(() => prepare(engine, options.migrations), "durable", options.patience);
    return engine;
  } catch (error) {
    // Not waited for: a pool whose first connection could not even be tried never ends.
    void engine.close();
    throw error;
  }
}

interface Address {
  readonly url: string;
  /** An option that is a number; undefined where it is none, or not there. */
  readonly number: (option: string) => number | undefined;
}

/** pg would throw a bare TypeError, much later, for what cannot be an address at all. */
function readAddress(url: string, name: string): Address {
  // Without slashes everything would be the name of a database, a password among it.
  const address = /^\w+:\/\//.test(url) && URL.canParse(url) ? new URL(url) : undefined;
  if (!address || (address.hostname === "" && address.port !== ""))
    throw new StoreTrouble(
      "bad-store",
      `${name} is not a server address. Use postgres://user:password@host:port/database, with / # ? % in a password as %2F %23 %3F %25.`,
    );
  const { searchParams } = address;
  const number = (option: string) => Number(searchParams.get(option) ?? Number.NaN);
  return {
    url: hasOtherTls(searchParams) ? withStrictTls(address) : url,
    number: (option) => (number(option) >= 0 ? number(option) : undefined),
  };
}

/** How long an answer may take; 0, as for the server, is for ever. */
function silenceMs(statementMs = PATIENCE_MS): number {
  return statementMs === 0 ? 0 : statementMs + LAST_WORD_MS;
}

function limitOf(milliseconds = PATIENCE_MS): number {
  return milliseconds || Number.POSITIVE_INFINITY;
}

/** The client takes these for verify-full, and writes a warning of six lines first. */
function hasOtherTls(options: URLSearchParams): boolean {
  const mode = options.get("sslmode") ?? "";
  return /^(?:prefer|require|verify-ca)$/.test(mode) && options.get("uselibpqcompat") !== "true";
}

function withStrictTls(address: URL): string {
  address.searchParams.set("sslmode", "verify-full");
  return address.href;
}

/** Under a lock of its own, so that many processes that start at once make the tables once. */
function* prepare(engine: PostgresEngine, migrations: readonly Migration[]): Script<Written<undefined>> {
  const { queries } = engine;
  const [{ version } = { version: 0 }] = yield* ask(sql`SELECT current_setting('server_version_num')::int AS version`);
  if (Number(version) < OLDEST_SERVER)
    throw new StoreTrouble(
      "bad-store",
      `PostgreSQL 13 or newer is required; this server is ${Number(version) / 10_000}.`,
    );
  const [sync] = yield* ask(sql`SELECT current_setting('synchronous_commit') AS level`);
  engine.isLazy = sync?.level === "off";
  const latest = migrations.at(-1)?.version ?? 0;
  const found = yield* readSchema(queries);
  if (found >= latest) return { save: false, value: undefined };
  yield* ask(sql`SELECT pg_advisory_xact_lock(hashtextextended('milepost migrations', 0))`);
  // Empty tables are made in a moment: a server that falls silent meanwhile is given up like at any other time.
  if (found > 0) yield* askIf(queries.unhurried());
  yield* migrateScript(queries, migrations, crypto.randomUUID());
  return { save: true, value: undefined };
}
