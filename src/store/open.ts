import { type Engine, limited } from "./engine.js";
import type { EventStore } from "./event-store.js";
import type { Workshop } from "./log/commit.js";
import { createEventStore } from "./log/event-log.js";
import { Recall } from "./log/recall.js";
import { MIGRATIONS, type Migration } from "./migrations.js";
import { Patience } from "./patience.js";
import type { Projection } from "./projection.js";
import { machineClock } from "./sqlite/machine-clock.js";
import { createStore, type Store } from "./store.js";
import { parseStoreUrl, type StorePlace } from "./url.js";

export interface OpenOptions {
  readonly projections: readonly Projection[];
  /** The folder of the file is Milepost's own, so its rights are set right. */
  readonly isOwnFolder?: boolean;
  /** Do not make a store where there is none: a wrong name must not look like an empty store. */
  readonly mustExist?: boolean;
  /** For one write by a process that ends at once, and does not even close. */
  readonly isBrief?: boolean;
  /** Nothing is written: neither events nor tables of a newer version. */
  readonly isReadOnly?: boolean;
  /**
   * Milliseconds that others may keep us waiting (a lock, an answer) while it is opened, and again for each write and
   * look; when brief, for all of it together. 0: one try. Default: 10 seconds.
   */
  readonly patience?: number;
  /** A word to the person, about something that was put right. */
  readonly notice?: (text: string) => void;
  readonly clock?: () => number;
  /** Called before each step that could be the last one; tests end the process there. */
  readonly trace?: (step: string) => void;
  /** Tests open stores of other versions. */
  readonly migrations?: readonly Migration[];
}

/** Opens the store, and makes it when there is none. Throws `StoreTrouble`. */
export async function openStore(url: string, options: OpenOptions): Promise<Store> {
  const place = parseStoreUrl(url);
  const engine = await openEngine(place, options);
  return createStore(engine, workshopOf(engine, withClock(place, options)));
}

/** Only the events of it, without what keeps a store in order: a third less to load. */
export async function openLog(url: string, options: OpenOptions): Promise<EventStore> {
  const place = parseStoreUrl(url);
  const engine = await openEngine(place, options);
  return createEventStore(engine, workshopOf(engine, withClock(place, options)));
}

/** A file is used by processes of one machine, so it goes by that machine's clock; a server has its own. */
function withClock({ type }: StorePlace, options: OpenOptions): OpenOptions {
  return type === "file" && !options.clock ? { ...options, clock: machineClock() } : options;
}

function workshopOf({ queries }: Engine, { projections, clock, migrations = MIGRATIONS }: OpenOptions): Workshop {
  return { queries, projections, clock, schema: migrations.at(-1)?.version ?? 0, recall: new Recall() };
}

async function openEngine(place: StorePlace, options: OpenOptions): Promise<Engine> {
  const { patience: milliseconds, isBrief } = options;
  if (milliseconds === undefined) return openPatient(place, options);
  const patience = new Patience(milliseconds);
  const engine = await openPatient(place, options, patience);
  return limited(engine, isBrief ? () => patience : () => new Patience(milliseconds));
}

async function openPatient(place: StorePlace, options: OpenOptions, patience?: Patience): Promise<Engine> {
  const { trace, isReadOnly } = options;
  const migrations = isReadOnly ? [] : (options.migrations ?? MIGRATIONS);
  if (place.type === "server") {
    const { openPostgres } = await import("./postgres/open.js");
    return openPostgres(place.url, { name: place.name, migrations, trace, patience });
  }
  const { openFile, openMemory } = await import("./sqlite/open.js");
  const sqlite = { ...options, migrations, patience };
  return place.type === "memory" ? openMemory(sqlite) : openFile(place.path, sqlite);
}
