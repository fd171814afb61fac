import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PROJECTIONS } from "../src/app/views.js";
import type { NewEvent } from "../src/store/event-store.js";
import { openStore } from "../src/store/open.js";
import { type Database, loadSqlite } from "../src/store/sqlite/library.js";
import type { Store } from "../src/store/store.js";
import { compete, microseconds, type Placing } from "./rounds.js";
import { called, fill, plan, renamed } from "./store-events.js";
import { type Replayed, readAll } from "./store-replay-all.js";

export const EVENTS = 1_000_000;
const COMMIT = 1000;
const ROUNDS = 5;

/** A busy store: tools report more than lists change. */
const SESSIONS = 4;
const CALLS = 16;

export interface Replay {
  /** Beside a bare SELECT, which comes first. */
  readonly placings: readonly Placing[];
  /** The most memory a process had that did nothing but replay, in megabytes. */
  readonly megabytes: number;
}

export async function replay(folder: string): Promise<Replay> {
  const path = join(folder, "replay.db");
  const store = await openStore(path, { projections: PROJECTIONS });
  const bare = (await loadSqlite())(path, { readOnly: true });
  try {
    const total = await write(store);
    const placings = await compete(ROUNDS, [
      {
        name: "bare SELECT + JSON.parse",
        run: () => microseconds(total, async () => expectAll(bareRead(bare), total)),
      },
      { name: "read of all pages", run: () => microseconds(total, async () => expectAll(await readAll(store), total)) },
    ]);
    return { placings, megabytes: memory(path, total) };
  } finally {
    bare.close();
    await store.close();
  }
}

async function write(store: Store): Promise<number> {
  const turns = Array.from({ length: SESSIONS + CALLS }, () => 0);
  for (let session = 0; session < SESSIONS; session += 1) await plan(store, `replay-${session}`);
  for (let written = 0; written < EVENTS; written += COMMIT) {
    const index = (written / COMMIT) % turns.length;
    const isSession = index < SESSIONS;
    const start = turns[index] ?? 0;
    const make: (turn: number) => NewEvent = isSession ? renamed : called;
    const events = Array.from({ length: COMMIT }, (_, offset) => make(start + offset));
    await fill(store, isSession ? `session:replay-${index}` : `calls:replay-${index}`, events);
    turns[index] = start + COMMIT;
  }
  return (await store.totals()).events;
}

/** Everything an event says, in pages as large as ours (faster than row by row); only the checksum is left out. */
function bareRead(database: Database): number {
  const page = database.prepare(
    "SELECT seq, stream, version, id, type, at, actor, data FROM milepost_events WHERE seq > ? ORDER BY seq LIMIT 1000",
  );
  let events = 0;
  for (let rows = page.all(0); rows.length > 0; rows = page.all(rows.at(-1)?.seq)) {
    for (const row of rows) row.data = JSON.parse(String(row.data));
    events += rows.length;
  }
  return events;
}

function expectAll(found: number, total: number): void {
  if (found !== total) throw new Error(`${found} of ${total} events were read`);
}

/** A process of its own: this one has written them all, and remembers it. */
function memory(path: string, total: number): number {
  const child = fileURLToPath(new URL("store-replay-child.mjs", import.meta.url));
  const said = execFileSync(process.execPath, [child, path], { encoding: "utf8" });
  const { events, megabytes }: Replayed = JSON.parse(said);
  expectAll(events, total);
  return megabytes;
}
