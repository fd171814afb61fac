import { renameSync } from "node:fs";
import { join } from "node:path";
import { hearHook } from "../../src/app/hooks/hear-hook.js";
import { readHookInput } from "../../src/app/hooks/hook-input.js";
import { openHookStore } from "../../src/app/session/hook-store.js";
import { spoolPlace, waitingIn } from "../../src/app/spool/spool-place.js";
import type { StoredEvent } from "../../src/store/event-store.js";

// Hooks as `milepost hook` hears them, in this process.

export interface Place {
  readonly MILEPOST_HOME: string;
  readonly MILEPOST_STORE: string;
}

export async function hear(environment: Place, fields: object): Promise<string> {
  const input = readHookInput(JSON.stringify({ session_id: "s1", ...fields }), "m:1", { ...environment });
  if (!input.ok) throw new Error(input.error);
  const named = { ...environment };
  const open = async (patience?: number) => openHookStore(named, { patience });
  return hearHook({ environment: named, open }, input.value);
}

/** As if the time were over for which a store is left alone after a try: machines may be slow. */
export function rested(environment: Place): void {
  const { folder = "" } = spoolPlace({ ...environment }) ?? {};
  for (const name of waitingIn(folder))
    renameSync(join(folder, name), join(folder, name.replace(/[wt]\.json$/, "q.json")));
}

/** A fact that no id of its own protects from being recorded twice, and whose text is found in the log. */
export function asked(text: string): object {
  return { hook_event_name: "Notification", notification_type: "elicitation_dialog", message: text };
}

export async function eventsIn({ MILEPOST_HOME, MILEPOST_STORE }: Place): Promise<readonly StoredEvent[]> {
  const store = await openHookStore({ MILEPOST_HOME, MILEPOST_STORE });
  const events: StoredEvent[] = [];
  const pages = await store.read();
  if (!pages.ok) throw new Error(pages.error.message);
  for await (const page of pages.value) events.push(...page.events);
  await store.close();
  return events;
}

/** The texts of all that were asked, in the order of the log. */
export function askedIn(events: readonly StoredEvent[]): readonly unknown[] {
  return events.filter(({ type }) => type === "person.awaited").map(({ data }) => data.text);
}
