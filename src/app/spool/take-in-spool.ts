import type { EventStore } from "../../store/event-store.js";
import { StoreTrouble } from "../../store/trouble.js";
import { failureOf } from "../escaped-error.js";
import { recordFact } from "../hooks/hook-facts.js";
import { writeLog } from "../log-file.js";
import { readSettings } from "../settings.js";
import type { Environment } from "../store-place.js";
import { type SpoolPlace, waitingIn } from "./spool-place.js";
import { type TakenIn, takeIn } from "./take-in.js";

/** For whoever has the store open: records what waits for it, for so many milliseconds. Throws `StoreTrouble`. */
export async function takeInSpool(
  store: EventStore,
  place: SpoolPlace,
  environment: Environment,
  within: number,
): Promise<TakenIn> {
  if (waitingIn(place.folder).length === 0) return { taken: 0, left: 0 };
  const log = (line: string) => writeLog(environment, "spool", line);
  return takeIn(store, place, { settings: readSettings(environment), record: recordFact, log, within });
}

/** For whom it is not what they came for: what cannot be taken in now goes on waiting. */
export async function takeInQuietly(...given: Parameters<typeof takeInSpool>): Promise<void> {
  try {
    await takeInSpool(...given);
  } catch (error) {
    const [, , environment] = given;
    if (!(error instanceof StoreTrouble)) writeLog(environment, "spool", failureOf(error).message);
  }
}
