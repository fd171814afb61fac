import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Attachment } from "../attachment.js";
import { isTranscriptName } from "../transcript-files.js";
import { FolderWatch } from "./folder-watch.js";
import { WakeSignal } from "./wake-signal.js";

/** Writers append in small pieces; a short rest gathers them. */
const GATHER_MS = 40;
/** Network drives report nothing, and reports can be lost. */
const SCAN_MS = 10_000;
/** Where not every folder can be watched; those that something grows in are. */
const BLIND_SCAN_MS = 2000;
/** A name that says nothing may be that of a new folder; agents write many such files. */
const DUE_SCAN_MS = 1000;

export interface FollowOptions {
  readonly signal: AbortSignal;
  /** Something was read, or so much time has passed that what was read long ago may mean something else. */
  readonly changed: () => Promise<void> | void;
  /** How often `changed` is called although nothing was read. */
  readonly everyMs: number;
}

/** Reads what grows as it grows, until the signal; everything else meanwhile, the newest first. */
export async function follow(attachment: Attachment, options: FollowOptions): Promise<void> {
  const follower = new Follower(attachment, options);
  await Promise.all([follower.readBacklog(), follower.readGrowing()]);
}

class Follower {
  readonly #attachment: Attachment;
  readonly #options: FollowOptions;
  readonly #watch: FolderWatch;
  readonly #wake = new WakeSignal();
  readonly #growing = new Set<string>();
  readonly #backlog: readonly string[];
  #isScanDue = false;
  #scannedAt = Date.now();
  #isNews = true;

  constructor(attachment: Attachment, options: FollowOptions) {
    this.#attachment = attachment;
    this.#options = options;
    this.#watch = new FolderWatch((folder, name) => this.#notice(folder, name));
    // Watched first, listed afterwards: what grows in between is seen by one of the two.
    this.#watch.watch(attachment.folders);
    this.#backlog = attachment.scan();
    options.signal.addEventListener("abort", () => this.#wake.set(), { once: true });
  }

  #notice(folder: string, name: string | undefined): void {
    // What is written to a database is in its journal first.
    const file = name?.replace(/-wal$/, "");
    const path = file !== undefined && isTranscriptName(file) ? join(folder, file) : undefined;
    if (path !== undefined && this.#attachment.isOurs(path)) this.#growing.add(path);
    else this.#isScanDue = true;
    this.#wake.set();
  }

  async readBacklog(): Promise<void> {
    const { signal } = this.#options;
    for (const path of this.#backlog) {
      if (signal.aborted) return;
      this.#isNews = (await this.#attachment.read(path, signal)) || this.#isNews;
    }
    this.#wake.set();
  }

  async readGrowing(): Promise<void> {
    const { signal, changed, everyMs } = this.#options;
    let changedAt = 0;
    try {
      while (!signal.aborted) {
        this.#scan();
        await this.#readAll();
        if (this.#isNews || Date.now() - changedAt >= everyMs) {
          this.#isNews = false;
          changedAt = Date.now();
          await changed();
        }
        await this.#wake.wait(Math.min(everyMs, Math.max(0, this.#scannedAt + this.#period() - Date.now())));
        if (!signal.aborted) await sleep(GATHER_MS);
      }
    } finally {
      this.#watch.close();
    }
  }

  async #readAll(): Promise<void> {
    const paths = [...this.#growing];
    this.#growing.clear();
    for (const path of paths)
      this.#isNews = (await this.#attachment.read(path, this.#options.signal, true)) || this.#isNews;
  }

  #period(): number {
    if (this.#isScanDue) return DUE_SCAN_MS;
    // Nothing to watch yet: the first agent may be started any moment.
    const isBlind = this.#watch.isBlind || this.#attachment.folders.length === 0;
    return isBlind ? BLIND_SCAN_MS : SCAN_MS;
  }

  #scan(): void {
    if (Date.now() - this.#scannedAt < this.#period()) return;
    this.#isScanDue = false;
    this.#scannedAt = Date.now();
    do {
      for (const path of this.#attachment.scan()) this.#growing.add(path);
      // Looked at once more when it is watched: what came in between would wait for the next look at everything.
    } while (this.#watch.watch(this.#attachment.folders));
  }
}
