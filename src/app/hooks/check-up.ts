import { isNoStore, openHookStore, storeName } from "../session/hook-store.js";
import type { Environment } from "../store-place.js";
import { troubleLine } from "./hear-hook.js";

/** No client has this event: doctor sends it, and wants to know whether hooks find their store. */
const CHECK_UP = "Doctor";

export function isCheckUp({ event }: { readonly event: string }): boolean {
  return event === CHECK_UP;
}

/** The store by its name, or what is wrong with it; one that nobody has made yet is well. Writes nothing. */
export async function checkUp(environment: Environment): Promise<string> {
  try {
    await openHookStore(environment, { mustExist: true });
  } catch (error) {
    if (!isNoStore(error)) return JSON.stringify({ systemMessage: troubleLine(error) });
  }
  return JSON.stringify({ store: storeName(environment) });
}
