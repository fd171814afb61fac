// npm run bench:store: what the store costs beside the same work done bare, on the same disk, through the same
// library. Only ratios are goals: the machine is noisy, and another one has another disk.
import { mkdtempSync, readFileSync, realpathSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { type Row, report } from "./report.js";
import type { Placing } from "./rounds.js";
import { commitOnPostgres, commitOnSqlite } from "./store-commit.js";
import { openSessions } from "./store-open.js";
import { replay } from "./store-replay.js";

const folder = mkdtempSync(join(realpathSync(tmpdir()), "milepost-bench-"));
try {
  console.log(`in ${folder} on ${fileSystem(folder)}`);
  const sqlite = await commitOnSqlite(folder);
  const postgres = await commitOnPostgres();
  const opened = await openSessions(folder);
  const { placings: replayed, megabytes } = await replay(folder);
  report(
    "store",
    [
      ...rows(`SQLite on ${fileSystem(folder)}`, sqlite),
      ...rows("PostgreSQL, not synced", postgres ?? []),
      ...rows("SQLite, open and list", opened),
      ...rows("SQLite, 1,000,000 events", replayed),
      { where: "a process of its own", what: "peak memory of that read", "µs each": "", MB: megabytes.toFixed(0) },
    ],
    [
      {
        name: "durable commits to a list of 20 todos, beside a bare INSERT + COMMIT",
        actual: rateOf(sqlite),
        least: 0.5,
      },
      { name: "replay, beside a bare SELECT + JSON.parse", actual: rateOf(replayed), least: 0.5 },
      { name: "megabytes of memory for the replay", actual: megabytes, most: 200 },
      { name: "opening 100,000 events, in times of opening 100", actual: 1 / rateOf(opened), most: 3 },
    ],
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function rows(where: string, placings: readonly Placing[]): readonly Row[] {
  return placings.map(({ name, time, rate }) => ({
    where,
    what: name,
    "µs each": time.toFixed(time < 100 ? 2 : 0),
    "rate beside the first": rate.toFixed(2),
  }));
}

/** Of the first one that is ours. */
function rateOf(placings: readonly Placing[]): number {
  return placings[1]?.rate ?? Number.NaN;
}

/** What a sync costs depends on it more than on anything else. */
function fileSystem(path: string): string {
  try {
    const mounts = readFileSync("/proc/mounts", "utf8").split("\n");
    const found = mounts
      .map((line) => line.split(" "))
      .filter(([, place = "?"]) => `${path}${sep}`.startsWith(place.endsWith(sep) ? place : `${place}${sep}`))
      .sort(([, a = ""], [, b = ""]) => a.length - b.length)
      .at(-1);
    if (found?.[2]) return found[2];
  } catch {
    // Not Linux.
  }
  return `file system 0x${statfsSync(path).type.toString(16)}`;
}
