import { hearHook } from "../../src/app/hooks/hear-hook.js";
import { readHookInput } from "../../src/app/hooks/hook-input.js";
import { openHookStore } from "../../src/app/session/hook-store.js";
import { spoolPlace } from "../../src/app/spool/spool-place.js";
import { takeInSpool } from "../../src/app/spool/take-in-spool.js";

// A process that dies: node spool-worker.mjs hear|take FIRST, with the home and the store in its environment.

const [job = "", first = "1"] = process.argv.slice(2);
const environment = process.env;

const say = (line: string) => process.stdout.write(`${line}\n`);

/** A fact that no id of its own protects from being recorded twice. */
function asked(number: number): string {
  const hook_event_name = "Notification";
  const message = `fact ${number}`;
  return JSON.stringify({ session_id: "s1", hook_event_name, notification_type: "elicitation_dialog", message });
}

const jobs: Record<string, () => Promise<void>> = {
  /** Hears hooks, one after the other, and says which are over. */
  async hear() {
    for (let number = Number(first); ; number += 1) {
      const input = readHookInput(asked(number), "m:1", environment);
      if (!input.ok) throw new Error(input.error);
      await hearHook({ environment, open: (patience) => openHookStore(environment, { patience }) }, input.value);
      say(String(number));
    }
  },
  /** Takes in what waits, until nothing does. */
  async take() {
    const place = spoolPlace(environment);
    const store = await openHookStore(environment);
    say("ready");
    if (place) await takeInSpool(store, place, environment, Number.POSITIVE_INFINITY);
    say("done");
    await store.close();
  },
};

await jobs[job]?.();
