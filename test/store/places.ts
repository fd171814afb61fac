import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freshDatabase } from "../databases.js";

export interface Place {
  /** A store that nobody has used. */
  readonly fresh: () => Promise<string>;
  /** A second handle sees the same store; a store in memory has only one. */
  readonly isShared: boolean;
  readonly tearDown?: () => Promise<void>;
}

/** Every engine, for a contract; `name` keeps files and databases of several contracts apart. */
export function placesFor(name: string): Readonly<Record<string, Place>> {
  return {
    memory: { fresh: async () => "memory:", isShared: false },
    sqlite: files(name),
    postgres: { fresh: () => freshDatabase(name), isShared: true },
  };
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
