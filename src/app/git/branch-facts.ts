import { existsSync } from "node:fs";
import { join } from "node:path";
import { branchOf, readText, worktreeOf } from "../session/git-folder.js";
import type { Environment } from "../store-place.js";
import type { RunShort } from "../watching/short-program.js";
import { runGit } from "./run-git.js";

/** `upstream` null: the branch follows none, and both counts are 0. */
export interface BranchState {
  readonly branch: string;
  readonly ahead: number;
  readonly behind: number;
  readonly upstream: string | null;
}

export interface BranchWorld {
  readonly environment: Environment;
  readonly now?: () => number;
  readonly start?: RunShort;
  /** Something that `get` answers has changed. */
  readonly onChange?: () => void;
}

const MOST_AT_ONCE = 2;
/** Milliseconds until a folder is looked at again. */
const AGAIN_AFTER = 30_000;
const MOST_FOLDERS = 1000;

interface Known {
  readonly state: BranchState | undefined;
  readonly at: number;
}

/**
 * How the branches of folders stand to what they follow. Never waited for: `get` answers what is known, `refresh` asks
 * in the background for the folders that a person sees, and `onChange` tells when that brought something new.
 */
export class BranchFacts {
  readonly #world: BranchWorld;
  readonly #now: () => number;
  readonly #known = new Map<string, Known>();
  #waiting: readonly string[] = [];
  readonly #asked = new Set<string>();
  #isWithoutGit = false;

  constructor(world: BranchWorld) {
    this.#world = world;
    this.#now = world.now ?? Date.now;
  }

  /**
   * Undefined: not known yet, no repository, no branch, or a branch that follows another one and no Git to ask. Names
   * are as they stand in the repository: whoever shows them makes them safe.
   */
  get(folder: string): BranchState | undefined {
    return this.#known.get(folder)?.state;
  }

  /** The folders that are seen now; whom nobody sees any more is not asked for. */
  refresh(folders: readonly string[]): void {
    const now = this.#now();
    this.#waiting = [...new Set(folders)].filter((folder) => {
      const at = this.#known.get(folder)?.at;
      return !this.#asked.has(folder) && (at === undefined || Math.abs(now - at) >= AGAIN_AFTER);
    });
    this.#askNext();
  }

  #askNext(): void {
    const [folder, ...others] = this.#waiting;
    if (folder === undefined || this.#asked.size >= MOST_AT_ONCE) return;
    this.#waiting = others;
    this.#asked.add(folder);
    void this.#ask(folder)
      // A folder that cannot be looked into is one without a branch.
      .catch(() => undefined)
      .then((state) => {
        this.#asked.delete(folder);
        this.#keep(folder, state);
        this.#askNext();
      });
    this.#askNext();
  }

  async #ask(folder: string): Promise<BranchState | undefined> {
    const branch = branchOf(folder);
    if (branch === undefined) return undefined;
    const alone = { branch, ahead: 0, behind: 0, upstream: null };
    if (!mayFollow(folder, branch)) return alone;
    if (this.#isWithoutGit) return undefined;
    const { environment, start } = this.#world;
    const run = await runGit({
      folder,
      environment,
      ...(start && { start }),
      words: ["for-each-ref", "--format=%(upstream:short)%00%(upstream:track,nobracket)", "--", `refs/heads/${branch}`],
    });
    // A folder that has just gone looks alike.
    if (run.how === "missing") this.#isWithoutGit = existsSync(folder);
    const old = this.get(folder);
    if (run.how === "late" && old?.branch === branch) return old;
    if (run.how !== "ended" || run.code !== 0) return undefined;
    const [upstream = "", track = ""] = run.said.trimEnd().split("\0");
    return upstream === ""
      ? alone
      : { branch, ahead: countIn(track, "ahead"), behind: countIn(track, "behind"), upstream };
  }

  #keep(folder: string, state: BranchState | undefined): void {
    const old = this.#known.get(folder)?.state;
    this.#known.delete(folder);
    this.#known.set(folder, { state, at: this.#now() });
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST_FOLDERS && oldest !== undefined) this.#known.delete(oldest);
    if (JSON.stringify(old) !== JSON.stringify(state)) this.#world.onChange?.();
  }
}

/** Git's own file tells that most branches follow nothing: no process is needed for those. */
function mayFollow(folder: string, branch: string): boolean {
  const config = readText(join(worktreeOf(folder)?.common ?? folder, "config"));
  const name = branch.replaceAll("\\", "\\\\").replaceAll('"', '\\"');
  return config.includes(`"${name}"]`) || /\[\s*(?:include|branch\.)/i.test(config);
}

/** Of `ahead 2, behind 1`. */
function countIn(track: string, word: string): number {
  return Number(new RegExp(`${word} (\\d{1,9})`).exec(track)?.[1] ?? 0);
}
