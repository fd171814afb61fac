import { MIGRATIONS } from "../migrations.js";
import type { Projection } from "../projection.js";
import { readHead } from "../sqlite/head.js";
import { realPath } from "../sqlite/real-path.js";
import { refuseForeignOwner, stat } from "../sqlite/store-files.js";
import { StoreTrouble } from "../trouble.js";
import { parseStoreUrl } from "../url.js";
import { FoundRows } from "./found-rows.js";
import { PageImages } from "./page-images.js";
import { type Amend, Salvage } from "./salvage.js";
import { scanPages } from "./scan-pages.js";
import { readServer } from "./server-rows.js";

export interface DamagedOptions {
  readonly projections: readonly Projection[];
  readonly amend?: Amend;
  readonly progress: (text: string) => void;
}

/** Everything of a store that can be read. Its files are only ever read, whatever state they are in. */
export async function readDamaged(url: string, options: DamagedOptions): Promise<Salvage> {
  const place = parseStoreUrl(url);
  if (place.type === "memory")
    throw new StoreTrouble("bad-store", "A store in memory ends with its process: there is nothing to salvage.");
  const found = await FoundRows.open();
  try {
    const unreadablePages =
      place.type === "file"
        ? readFile(place.path, found, options)
        : await readFromServer(place.url, place.name, found, options);
    return new Salvage(found, { ...options, unreadablePages });
  } catch (error) {
    found.close();
    throw error;
  }
}

function readFile(given: string, found: FoundRows, { progress }: DamagedOptions): number {
  const path = realPath(given);
  const [file, journal] = [stat(path), stat(`${path}-wal`)];
  refuseForeignOwner(path);
  if (file && !file.isFile())
    throw new StoreTrouble("not-a-store", `${path} is not a file. Pass a file for the store.`);
  if (!file && !journal?.isFile())
    throw new StoreTrouble("no-store", `There is no store at ${path}. Nothing was created; check the path.`);
  const head = readHead(path);
  found.acknowledged = head.type === "head" ? head.seq : 0;
  const images = new PageImages(path);
  try {
    const hurt = scanPages(images, found, (page) => progress(`Read ${page} of ${images.count} pages`));
    if (!images.isUnchanged()) throw inUse(path);
    refuseNewer(path, images.userVersion(), Number(found.settings.get("schema")));
    // Another store in its place: its head says nothing about this one.
    if (head.type === "head" && head.store !== (found.settings.get("store") ?? head.store)) found.acknowledged = 0;
    if (found.streams().length === 0 && !found.settings.has("store")) throw nothingLeft(path);
    return hurt;
  } finally {
    images.close();
  }
}

async function readFromServer(
  url: string,
  name: string,
  found: FoundRows,
  { projections, progress }: DamagedOptions,
): Promise<number> {
  const { openPostgres } = await import("../postgres/open.js");
  const engine = await openPostgres(url, { name, migrations: MIGRATIONS });
  const views = (stream: string) => projections.filter(({ covers }) => covers(stream)).map((one) => one.name);
  try {
    return await readServer(engine, found, views, (events) => progress(`Read ${events} events`));
  } finally {
    await engine.close();
  }
}

/** A newer version may have tables that this one would leave out. One number alone may be damaged. */
function refuseNewer(path: string, told: number, schema: number): void {
  if (told !== schema || schema <= (MIGRATIONS.at(-1)?.version ?? 0)) return;
  throw new StoreTrouble(
    "store-newer",
    `The store ${path} was written by a newer Milepost (schema ${schema}). Nothing was created; update Milepost to salvage it.`,
  );
}

function inUse(path: string): StoreTrouble {
  return new StoreTrouble(
    "store-busy",
    `The store ${path} was written to while it was read. Nothing was created. Stop all agents, then try again.`,
  );
}

function nothingLeft(path: string): StoreTrouble {
  return new StoreTrouble(
    "store-lost",
    `Nothing that Milepost wrote can be read in ${path}. Nothing was created. Restore a backup.`,
  );
}
