import { type FSWatcher, watch } from "node:fs";

/** Each costs the system a little, and some systems have few. */
const MOST_FOLDERS = 1000;

/** Something in a folder has changed; the name is that of a file or folder in it, where the system tells. */
type Changed = (folder: string, name: string | undefined) => void;

/** Watches folders, not files: an append to any file in them is noticed, and so is a new file. */
export class FolderWatch {
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #changed: Changed;
  #isBlind = false;

  constructor(changed: Changed) {
    this.#changed = changed;
  }

  /** Not every folder is watched: what changes there has to be looked for. */
  get isBlind(): boolean {
    return this.#isBlind;
  }

  add(folders: readonly string[]): void {
    for (const folder of folders) if (!this.#watchers.has(folder)) this.#watch(folder);
  }

  #watch(folder: string): void {
    if (this.#watchers.size >= MOST_FOLDERS) {
      this.#isBlind = true;
      return;
    }
    try {
      const watcher = watch(folder, (_event, name) => this.#changed(folder, name ?? undefined));
      watcher.on("error", () => this.#drop(folder));
      this.#watchers.set(folder, watcher);
    } catch {
      this.#isBlind = true;
    }
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
