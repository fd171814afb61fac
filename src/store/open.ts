import type { Engine } from "./engine.js";
import { MIGRATIONS, type Migration } from "./migrations.js";
import type { Projection } from "./projection.js";
import { Recall } from "./recall.js";
import { createStore, type Store } from "./store.js";
import { parseStoreUrl, type StorePlace } from "./url.js";

export interface OpenOptions {
  readonly projections: readonly Projection[];
  /** The folder of the file is Milepost's own, so its rights are set right. */
  readonly isOwnFolder?: boolean;
  /** Do not make a store where there is none: a wrong name must not look like an empty store. */
  readonly mustExist?: boolean;
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
  const { projections, clock, migrations = MIGRATIONS } = options;
  const engine = await openEngine(parseStoreUrl(url), options);
  const schema = migrations.at(-1)?.version ?? 0;
  return createStore(engine, { queries: engine.queries, projections, clock, schema, recall: new Recall() });
}

async function openEngine(place: StorePlace, options: OpenOptions): Promise<Engine> {
  const { isOwnFolder = false, notice = () => undefined, migrations = MIGRATIONS, trace, mustExist = false } = options;
  if (place.type === "server") {
    const { openPostgres } = await import("./postgres/open.js");
    return openPostgres(place.url, { name: place.name, migrations, trace });
  }
  const { openFile, openMemory } = await import("./sqlite/open.js");
  const sqlite = { isOwnFolder, notice, migrations, trace, mustExist };
  return place.type === "memory" ? openMemory(sqlite) : openFile(place.path, sqlite);
}
