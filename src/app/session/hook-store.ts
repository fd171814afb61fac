import type { EventStore } from "../../store/event-store.js";
import { openLog } from "../../store/open.js";
import { StoreTrouble } from "../../store/trouble.js";
import { parseStoreUrl } from "../../store/url.js";
import { chooseStore, type Environment } from "../store-place.js";
import { PROJECTIONS } from "../views.js";

export type HookStore = EventStore;

interface Opening {
  readonly mustExist?: boolean;
  /** Milliseconds that others may keep us waiting, in all. */
  readonly patience?: number | undefined;
}

/**
 * Milliseconds that a hook waits for others, in all: an agent waits for it. With what it takes to give up, and with the
 * way to a server, that makes 300.
 */
export const HOOK_PATIENCE = 180;

/** For a process that makes one write and ends: opened without checks, and never closed. */
export function openHookStore(environment: Environment, opening: Opening = {}): Promise<HookStore> {
  const { mustExist = false, patience = HOOK_PATIENCE } = opening;
  const { url, isOwnFolder } = chooseStore(undefined, environment);
  return openLog(url, { projections: PROJECTIONS, isOwnFolder, isBrief: true, mustExist, patience });
}

/** Safe to show: without a password. */
export function storeName(environment: Environment): string {
  return parseStoreUrl(chooseStore(undefined, environment).url).name;
}

/** There is no store yet: not an error for a command that only reads. */
export function isNoStore(error: unknown): boolean {
  return error instanceof StoreTrouble && error.code === "no-store";
}

export function tooLate(milliseconds: number): StoreTrouble {
  return new StoreTrouble("store-busy", `The store gave no answer within ${milliseconds} ms; given up.`);
}
