// A process that replays a store and does nothing else: node store-replay-child.ts PATH
import { readFileSync } from "node:fs";
import { PROJECTIONS } from "../src/app/views.js";
import { openStore } from "../src/store/open.js";
import { type Replayed, readAll } from "./store-replay-all.js";

const store = await openStore(process.argv[2] ?? "", { projections: PROJECTIONS });
const events = await readAll(store);
await store.close();
const replayed: Replayed = { events, megabytes: peakKilobytes() / 1024 };
console.log(JSON.stringify(replayed));

/** Linux counts the memory of the process that started this one into `maxRSS`; its own record is without it. */
function peakKilobytes(): number {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
    if (kilobytes !== undefined) return Number(kilobytes);
  } catch {
    // Not Linux.
  }
  return process.resourceUsage().maxRSS;
}
