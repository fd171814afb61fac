import type { FoundRows } from "./found-rows.js";
import { type Cell, readCells, searchCells } from "./page-cells.js";
import type { PageImages } from "./page-images.js";
import { toFoundRow, toIndexedEvent, toSetting } from "./table-rows.js";

/** SQLite keeps its locks at this place of the file, and never puts anything there. */
const LOCKS_AT = 0x40000000;

/** Behind the header of the file. */
const FIRST_START = 100;

/** Every row in every page, whatever the tree above it says. Returns how many pages could not be read whole. */
export function scanPages(images: PageImages, found: FoundRows, progress: (page: number) => void): number {
  const scan = new Scan(images, found);
  const free = images.freePages();
  for (let page = 1; page <= images.count; page += 1) {
    if (!free.has(page) && page !== LOCKS_AT / images.pageSize + 1) scan.page(page);
    if (page % 1000 === 0) progress(page);
  }
  return scan.finish();
}

class Scan {
  readonly #images: PageImages;
  readonly #found: FoundRows;
  /** Pages that long values of sound rows go on in. */
  readonly #continued = new Set<number>();
  readonly #hurt = new Set<number>();
  /** Whose own list of rows cannot be believed. */
  readonly #broken = new Set<number>();

  constructor(images: PageImages, found: FoundRows) {
    this.#images = images;
    this.#found = found;
  }

  page(number: number): void {
    const image = this.#images.newest(number);
    const read = image && readCells(image, number === 1 ? FIRST_START : 0, this.#overflow);
    if (!read?.isWhole) this.#broken.add(number);
    if (!read?.isWhole) this.#hurt.add(number);
    for (const cell of read?.cells ?? [])
      if (read?.kind === "index") this.#takeIndexed(cell);
      else if (!this.#take(cell)) this.#hurt.add(number);
  }

  /** A page that is hurt may be whole in an older image; a row never changes, so any image of it will do. */
  finish(): number {
    const { journal, count } = this.#images;
    for (const page of this.#hurt)
      if (!this.#continued.has(page)) for (const image of this.#images.of(page)) this.#search(image);
    for (const at of journal.damaged) this.#search(this.#images.inJournal(at));
    // Which image is the newest is not certain then.
    for (let page = 1; journal.isBroken && page <= count; page += 1)
      for (const image of this.#images.of(page)) this.#readSound(image);
    for (const at of journal.unfinished) this.#searchUnfinished(this.#images.inJournal(at));
    return [...this.#broken].filter((page) => !this.#continued.has(page)).length;
  }

  readonly #overflow = (page: number): Buffer | undefined =>
    page <= this.#images.count ? this.#images.newest(page) : undefined;

  /** False for a row of ours that is damaged. */
  #take(cell: Cell): boolean {
    const row = toFoundRow(cell);
    const setting = row ? undefined : toSetting(cell);
    if (row) this.#found.add(row);
    if (setting) this.#found.settings.set(...setting);
    if (row && !row.isSound) return false;
    for (const page of cell.continued) this.#continued.add(page);
    return true;
  }

  #takeIndexed(cell: Cell): void {
    for (const page of cell.continued) this.#continued.add(page);
    const entry = toIndexedEvent(cell);
    if (entry) this.#found.addIndexed(entry);
  }

  #readSound(image: Buffer): void {
    const { kind, cells } = readCells(image, 0, this.#overflow);
    if (kind === "table") for (const cell of cells) this.#takeSound(cell);
  }

  #search(image: Buffer): void {
    for (const cell of searchCells(image, this.#overflow)) this.#takeSound(cell);
  }

  #takeSound(cell: Cell): void {
    const row = toFoundRow(cell);
    if (row?.isSound) this.#found.add(row);
  }

  /** Events alone: whether the rest of that commit was ever true is not known. */
  #searchUnfinished(image: Buffer): void {
    for (const cell of searchCells(image, this.#overflow)) {
      const row = toFoundRow(cell);
      if (row?.isSound && row.table === "event") this.#found.addUnfinished(row.row);
    }
  }
}
