import { closeSync, constants, fstatSync, readSync, type Stats } from "node:fs";
import { openPlain, stat } from "../sqlite/store-files.js";
import { type Journal, NO_JOURNAL, readJournal } from "./journal-frames.js";

// The pages of a store's files, read with the file API alone: SQLite refuses what is damaged, and writes beside it.
// Never in a process that has the same file open through SQLite: closing it drops SQLite's locks.

/** The format: SQLite documentation, "Database File Format". */
const MAGIC = "SQLite format 3\0";
const PAGE_SIZE = 16;
const FREE_LIST = 32;
const USER_VERSION = 60;
/** Ours are made with this one. */
const USUAL_SIZE = 4096;

export class PageImages {
  readonly pageSize: number;
  /** Pages of the store, as its last commit left it. */
  readonly count: number;
  readonly journal: Journal;
  readonly isHeaderSound: boolean;
  readonly #file: number | undefined;
  readonly #journalFile: number | undefined;
  readonly #filePages: number;
  readonly #before: string;
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
    this.#before = traces(path);
    this.#file = openSound(path);
    this.#journalFile = openSound(`${path}-wal`);
    const header = Buffer.alloc(100);
    if (this.#file !== undefined) readSync(this.#file, header, 0, header.length, 0);
    this.isHeaderSound = header.toString("latin1", 0, MAGIC.length) === MAGIC;
    const told = header.readUInt16BE(PAGE_SIZE);
    const fileSize = isPageSize(told) ? told : USUAL_SIZE;
    this.journal = this.#journalFile === undefined ? NO_JOURNAL : readJournal(this.#journalFile, fileSize);
    this.pageSize = this.journal.pageSize ?? fileSize;
    this.#filePages = Math.ceil((this.#file === undefined ? 0 : fstatSync(this.#file).size) / this.pageSize);
    const { pages, isBroken } = this.journal;
    this.count = pages === 0 || isBroken ? Math.max(pages, this.#filePages) : pages;
  }

  /** Newest first. A page that lies behind the end of a truncated file has none. */
  *of(page: number): Generator<Buffer> {
    for (const at of [...(this.journal.images.get(page) ?? [])].reverse()) yield this.#read(this.#journalFile, at);
    if (page <= this.#filePages) yield this.#read(this.#file, (page - 1) * this.pageSize);
  }

  newest(page: number): Buffer | undefined {
    const { value } = this.of(page).next();
    return value ?? undefined;
  }

  /** Images in the journal by their place in it: `damaged` and `unfinished` of `Journal`. */
  inJournal(at: number): Buffer {
    return this.#read(this.#journalFile, at);
  }

  #read(file: number | undefined, at: number): Buffer {
    const image = Buffer.alloc(this.pageSize);
    if (file !== undefined) readSync(file, image, 0, image.length, at);
    return image;
  }

  /** The version of the tables, as the header tells it. */
  userVersion(): number {
    return this.newest(1)?.readUInt32BE(USER_VERSION) ?? 0;
  }

  /** What was deleted stays in free pages until they are used again: nothing there is part of the store. */
  freePages(): ReadonlySet<number> {
    const free = new Set<number>();
    let trunk = this.isHeaderSound ? (this.newest(1)?.readUInt32BE(FREE_LIST) ?? 0) : 0;
    while (trunk > 0 && trunk <= this.count && !free.has(trunk)) {
      free.add(trunk);
      const page = this.newest(trunk);
      const leaves = Math.min(page?.readUInt32BE(4) ?? 0, this.pageSize / 4 - 2);
      for (let leaf = 0; leaf < leaves; leaf += 1) free.add(page?.readUInt32BE(8 + 4 * leaf) ?? 0);
      trunk = page?.readUInt32BE(0) ?? 0;
    }
    return free;
  }

  /** Nobody has written to the files since they were opened. */
  isUnchanged(): boolean {
    return traces(this.#path) === this.#before;
  }

  close(): void {
    for (const file of [this.#file, this.#journalFile]) if (file !== undefined) closeSync(file);
  }
}

function openSound(path: string): number | undefined {
  return stat(path) ? openPlain(path, constants.O_RDONLY) : undefined;
}

function isPageSize(size: number): boolean {
  return size >= 512 && size <= 32_768 && (size & (size - 1)) === 0;
}

function traces(path: string): string {
  const of = (file: Stats | undefined) => file && [file.dev, file.ino, file.size, file.mtimeMs];
  return JSON.stringify([path, `${path}-wal`].map((name) => of(stat(name))));
}
