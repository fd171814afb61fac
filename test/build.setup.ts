import { build } from "esbuild";
import type { TestProject } from "vitest/node";
// @ts-expect-error: a plain script without types
import { ensureBuilt } from "../scripts/setup.mjs";
import { startPostgres } from "./postgres-server.js";
import { WORKER } from "./store/workers.js";
import { TASK_WORKER } from "./tasks/task-workers.js";

declare module "vitest" {
  interface ProvidedContext {
    /** A server where each suite makes a database of its own. */
    readonly postgres: string;
  }
}

/** Some tests start the built command, worker processes or a server; `vitest` alone must not test old ones. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  ensureBuilt();
  await Promise.all([buildWorker(), buildWorker("test/tasks/worker.ts", TASK_WORKER)]);
  const server = await startPostgres();
  provide("postgres", server.url);
  return () => server.stop();
}

export async function buildWorker(source = "test/store/worker.ts", outfile = WORKER): Promise<void> {
  await build({
    entryPoints: [source],
    outfile,
    bundle: true,
    platform: "node",
    target: "node20",
    format: "esm",
    external: ["@photostructure/sqlite", "pg"],
  });
}
