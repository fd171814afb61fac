import type { Migration } from "./migrations.js";
import type { Queries } from "./queries.js";
import { ask, askOne, type Script } from "./script.js";

/** Brings the tables up to date. Runs inside one transaction and under a lock, so it happens once or not at all. */
export function* migrateScript(queries: Queries, migrations: readonly Migration[], newStore: string): Script<void> {
  const found = yield* readSchema(queries);
  for (const { version, oldestWriter, steps } of migrations) {
    if (version <= found) continue;
    for (const step of steps(queries.features)) yield* ask(step);
    if (version === 1) yield* ask(queries.setMeta("store", newStore));
    yield* ask(queries.setMeta("schema", String(version)));
    yield* ask(queries.setMeta("oldest_writer", String(oldestWriter)));
  }
}

/** 0 for a database that has none of our tables. */
export function* readSchema(queries: Queries): Script<number> {
  const [table] = yield* ask(queries.hasTables());
  return table ? Number((yield* askOne(queries.meta("schema")))?.value ?? 0) : 0;
}
