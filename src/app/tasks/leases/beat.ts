import type { EventStore } from "../../../store/event-store.js";
import { keepAlive } from "./keep-leases.js";
import { tick } from "./wake-waiting.js";

/** Renews these holders' leases, and ends overdue waits. `shortest`: milliseconds of a lease; `idle`: hold none. */
export async function beat<Holder extends { readonly session: string; readonly owner: string }>(
  store: EventStore,
  holders: readonly Holder[],
): Promise<{ readonly shortest: number; readonly idle: readonly Holder[] }> {
  let shortest = Number.POSITIVE_INFINITY;
  const idle: Holder[] = [];
  for (const holder of holders) {
    const ttl = await keepAlive(store, holder.session, holder.owner);
    if (ttl === undefined) idle.push(holder);
    else shortest = Math.min(shortest, ttl);
  }
  await tick(store);
  return { shortest, idle };
}
