import type { EventStore } from "../store/event-store.js";
import { openLog } from "../store/open.js";
import { PROJECTIONS } from "./lists.js";
import { chooseStore, type Environment } from "./store-place.js";

export type HookStore = EventStore;

/** For a process that does one thing and ends: opened without a look around, and left open. */
export function openHookStore(environment: Environment): Promise<HookStore> {
  const { url, isOwnFolder } = chooseStore(undefined, environment);
  return openLog(url, { projections: PROJECTIONS, isOwnFolder, isBrief: true });
}
