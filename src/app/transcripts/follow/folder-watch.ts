import { type FSWatcher, watch } from "node:fs";
import { basename } from "node:path";

/** Each costs the system a little, and some systems have few. */
const MOST_FOLDERS = 2000;

/** Something in a folder has changed; the name is that of a file or folder in it, where the system tells. */
type Changed = (folder: string, name: string | undefined) => void;

/** Watches folders, not files: an append to any file in them is noticed, and so is a new file. */
export class FolderWatch {
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #changed: Changed;
  /** Not every folder is watched: what changes there has to be looked for. */
  isBlind = false;

  constructor(changed: Changed) {
    this.#changed = changed;
  }

  /** Watches the first of these, and no others. True when one is new: what came into it before was not noticed. */
  watch(folders: readonly string[]): boolean {
    const wanted = new Set(folders.slice(0, MOST_FOLDERS));
    for (const folder of this.#watchers.keys()) if (!wanted.has(folder)) this.#drop(folder);
    this.isBlind = folders.length > MOST_FOLDERS;
    const fresh = [...wanted].filter((folder) => !this.#watchers.has(folder));
    for (const folder of fresh) this.#watch(folder);
    return fresh.some((folder) => this.#watchers.has(folder));
  }

  #watch(folder: string): void {
    try {
      const watcher = watch(folder, (_event, name) => this.#notice(folder, name ?? undefined));
      watcher.on("error", () => this.#drop(folder));
      this.#watchers.set(folder, watcher);
    } catch {
      this.isBlind = true;
    }
  }

  /** A folder that is removed reports its own name. One that comes in its place has to be watched anew. */
  #notice(folder: string, name: string | undefined): void {
    if (name === basename(folder)) this.#drop(folder);
    this.#changed(folder, name);
  }

  #drop(folder: string): void {
    this.#watchers.get(folder)?.close();
    this.#watchers.delete(folder);
  }

  close(): void {
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }
}
