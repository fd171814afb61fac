import type { Patience } from "./patience.js";
import type { Position, Queries } from "./queries.js";
import type { Script } from "./script.js";

/** `durable`: on disk when it resolves. `observed`: survives the end of the process; a power cut may take it. */
export type Durability = "durable" | "observed";

/** What a write script hands back: whether there is something to commit, and its last position. */
export interface Written<T> {
  readonly save: boolean;
  readonly value: T;
  readonly position?: Position | undefined;
  /** Called in the very moment it is committed, before anybody else can write. */
  readonly committed?: (() => void) | undefined;
}

/** A write script. `isAlone`: nobody else has written since the last write through this engine. */
export type WriteScript<T> = (isAlone: boolean) => Script<Written<T>>;

/** A database that runs scripts. Everything else about the store is written once, above this. */
export interface Engine {
  readonly queries: Queries;
  /**
   * One write transaction, all or nothing; waits for its turn. The script may be run again from its start. A write that
   * was given up because the patience is over is not done later either.
   */
  write<T>(script: WriteScript<T>, durability: Durability, patience?: Patience): Promise<T>;
  /** One consistent look. */
  read<T>(script: () => Script<T>, patience?: Patience): Promise<T>;
  /** Begins to notice commits of anybody, from now on. */
  watch(): Watch;
  /** Waits until readers can see everything that is committed now, where that is not always so. */
  settle?(patience?: Patience): Promise<void>;
  /** Leaves no trace of what was deleted in the files, where that is ours to do. */
  scrub?(): Promise<void>;
  /** The whole store as one file, where the engine can do that by itself. */
  copyTo?(path: string): Promise<void>;
  close(): Promise<void>;
}

export interface Watch {
  /** Resolves when something may have been committed since the last time it resolved, or when the signal fires. */
  next(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** The same engine for somebody who does not wait as long. */
export function limited(engine: Engine, patience: () => Patience): Engine {
  return {
    queries: engine.queries,
    write: (script, durability, given = patience()) => engine.write(script, durability, given),
    read: (script, given = patience()) => engine.read(script, given),
    watch: () => engine.watch(),
    settle: async (given = patience()) => engine.settle?.(given),
    scrub: async () => engine.scrub?.(),
    ...(engine.copyTo ? { copyTo: (path: string) => engine.copyTo?.(path) ?? Promise.resolve() } : undefined),
    close: () => engine.close(),
  };
}
