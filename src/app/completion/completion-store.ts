import type { EventStore } from "../../store/event-store.js";
import { openLog } from "../../store/open.js";
import { within } from "../hooks/time-limit.js";
import { chooseStore, type Environment } from "../store-place.js";
import type { TypedLine } from "./typed-line.js";

/** Where and for whom a line is completed. */
export interface Surroundings {
  readonly environment: Environment;
  /** The folder the person is in. */
  readonly folder: string;
  /** The person's own folder. */
  readonly userFolder: string;
  /** Milliseconds that a store is looked into at most. */
  readonly longestLook?: number;
}

/** A person waits for the next sign to appear: whoever holds a lock longer than this is not waited for. */
const PATIENCE_MS = 25;
/** A server may be far away. With what is known without it this is still less than half a second. */
const LONGEST_LOOK_MS = 250;

/**
 * What the store of this line says; `without` where there is none, it is locked, damaged or far away. It is neither
 * made nor changed, and it is not closed: the process ends at once.
 */
export async function lookInto<T>(
  around: Surroundings,
  line: TypedLine,
  look: (store: EventStore) => Promise<T>,
  without: T,
): Promise<T> {
  const work = async () => look(await openStore(around, line));
  try {
    return await within(around.longestLook ?? LONGEST_LOOK_MS, work, () => new Error("Too late"));
  } catch {
    return without;
  }
}

function openStore({ environment, userFolder }: Surroundings, { flags }: TypedLine): Promise<EventStore> {
  const asked = flags.get("--store")?.at(-1);
  // Shells expand it only when the line is run.
  const path = asked?.startsWith("~/") ? `${userFolder}${asked.slice(1)}` : asked;
  const { url, isOwnFolder } = chooseStore(path, environment);
  if (url === "memory:") return Promise.reject(new Error("A store in memory is always empty"));
  return openLog(url, {
    // Nothing is written, so no view is kept.
    projections: [],
    isOwnFolder,
    isBrief: true,
    isReadOnly: true,
    mustExist: true,
    patience: PATIENCE_MS,
  });
}
