import sql from "sql-template-tag";
import type { Migration } from "../../src/store/migrations.js";

/** What a later version might bring: a table, a column, and writers of version 1 may go on. */
export const nextMigration: Migration = {
  version: 4,
  oldestWriter: 1,
  steps: () => [
    sql`CREATE TABLE milepost_later (name TEXT PRIMARY KEY)`,
    sql`ALTER TABLE milepost_streams ADD COLUMN later TEXT`,
  ],
};
