import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { inject } from "vitest";

export interface Place {
  /** A store that nobody has used. */
  readonly fresh: () => Promise<string>;
  /** A second handle sees the same store; a store in memory has only one. */
  readonly isShared: boolean;
  readonly setUp?: () => Promise<void>;
  readonly tearDown?: () => Promise<void>;
}

/** Every engine, for a contract; `name` keeps files and databases of several contracts apart. */
export function placesFor(name: string): Readonly<Record<string, Place>> {
  return { memory: { fresh: async () => "memory:", isShared: false }, sqlite: files(name), postgres: databases(name) };
}

function files(name: string): Place {
  const folder = mkdtempSync(join(tmpdir(), `milepost-${name}-`));
  let made = 0;
  return {
    fresh: async () => join(folder, `${++made}`, "milepost.db"),
    isShared: true,
    tearDown: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

function databases(name: string): Place {
  const server = inject("postgres");
  let made = 0;
  let admin: pg.Client;
  return {
    setUp: async () => {
      admin = new pg.Client(server);
      await admin.connect();
    },
    fresh: async () => {
      const database = `${name}_${process.pid}_${++made}`;
      await admin.query(`CREATE DATABASE ${database}`);
      return server.replace(/\/postgres$/, `/${database}`);
    },
    isShared: true,
    tearDown: () => admin.end(),
  };
}
