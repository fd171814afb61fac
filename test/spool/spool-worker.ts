import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { NodeProcess } from "../store/workers.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
export const SPOOL_WORKER = join(root, ".cache", "spool-worker.mjs");

/** A process of worker.ts. */
export class SpoolWorker extends NodeProcess {
  constructor(environment: NodeJS.ProcessEnv, job: "hear" | "take", first = 0) {
    super([SPOOL_WORKER, job, String(first)], environment);
  }
}
