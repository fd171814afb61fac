import sql from "sql-template-tag";
import type { Written } from "../engine.js";
import { migrateScript, readSchema } from "../migrate.js";
import type { Migration } from "../migrations.js";
import { ask, type Script } from "../script.js";
import { StoreTrouble } from "../trouble.js";
import { PostgresEngine, type Trace } from "./engine.js";
import { Listener } from "./listener.js";

export interface PostgresOptions {
  readonly name: string;
  readonly migrations: readonly Migration[];
  readonly trace?: Trace | undefined;
}

const CONNECT_MS = 10_000;
const INT8 = 20;
/** Positions need transaction ids that never come round again. */
const OLDEST_SERVER = 130_000;

export async function openPostgres(url: string, options: PostgresOptions): Promise<PostgresEngine> {
  const { default: pg } = await import("pg");
  const types = {
    // Our numbers are versions and milliseconds: they fit.
    getTypeParser: ((oid: number, format?: "text") =>
      oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
  };
  const settings = {
    connectionString: checkUrl(url, options.name),
    connectionTimeoutMillis: CONNECT_MS,
    application_name: "milepost",
    // Nobody waits longer for a lock than on a file; and a dead network is noticed.
    lock_timeout: CONNECT_MS,
    keepAlive: true,
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
  const engine = new PostgresEngine({ pool, name: options.name, listener, trace: options.trace });
  try {
    await engine.write(() => prepare(engine, options.migrations), "durable");
    return engine;
  } catch (error) {
    await pool.end();
    throw error;
  }
}

/** pg would throw a bare TypeError, much later, for what cannot be an address at all. */
function checkUrl(url: string, name: string): string {
  try {
    const { port, hostname } = new URL(url);
    // Without slashes everything would be the name of a database, a password among it.
    if (/^\w+:\/\//.test(url) && (hostname !== "" || port === "")) return url;
  } catch {
    // Said below.
  }
  throw new StoreTrouble(
    "bad-store",
    `${name} is not a server address. Use postgres://user:password@host:port/database, with / # ? % in a password as %2F %23 %3F %25.`,
  );
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
  if ((yield* readSchema(queries)) >= latest) return { save: false, value: undefined };
  yield* ask(sql`SELECT pg_advisory_xact_lock(hashtextextended('milepost migrations', 0))`);
  yield* migrateScript(queries, migrations, crypto.randomUUID());
  return { save: true, value: undefined };
}
