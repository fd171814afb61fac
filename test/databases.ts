import pg from "pg";
import { inject } from "vitest";

let made = 0;

/**
 * This worker's own server. One server for all would do, but a transaction that is open in any of its databases holds
 * back what readers may see in all of them.
 */
function serverUrl(): string {
  const servers = inject("postgres");
  const worker = Number(process.env.VITEST_POOL_ID ?? 1);
  return servers[(worker - 1) % servers.length] ?? "";
}

/** The address of a new database that nobody has used; `name` says in the server's log whose it was. */
export async function freshDatabase(name: string): Promise<string> {
  const server = serverUrl();
  const database = `${name}_${process.pid}_${++made}`;
  const admin = new pg.Client(server);
  await admin.connect();
  await admin.query(`CREATE DATABASE ${database}`);
  await admin.end();
  return server.replace(/\/postgres$/, `/${database}`);
}
