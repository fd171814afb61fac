import type { Store } from "../src/store/store.js";

/** What a process that did nothing but replay says at its end. */
export interface Replayed {
  readonly events: number;
  readonly megabytes: number;
}

export async function readAll(store: Store): Promise<number> {
  const pages = await store.read();
  if (!pages.ok) throw new Error(pages.error.message);
  let events = 0;
  for await (const page of pages.value) events += page.events.length;
  return events;
}
