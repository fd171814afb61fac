import { rmSync } from "node:fs";
import { build } from "esbuild";
import type { TestProject } from "vitest/node";
// @ts-expect-error: a plain script without types
import { extensionText } from "../scripts/extension-text.mjs";
// @ts-expect-error: a plain script without types
import { ensureBuilt } from "../scripts/setup.mjs";
import { startPostgres } from "./postgres-server.js";
import { makeScratchFolder } from "./scratch-folder.js";
import { SPOOL_WORKER } from "./spool/spool-worker.js";
import { WORKER } from "./store/workers.js";
import { TASK_WORKER } from "./tasks/task-workers.js";

declare module "vitest" {
  interface ProvidedContext {
    /** A server for each worker, where suites make databases of their own: databases.ts. */
    readonly postgres: readonly string[];
  }
}

/** Some tests start the built command, worker processes or a server; `vitest` alone must not test old ones. */
export default async function setup({ config, provide }: TestProject): Promise<() => Promise<void>> {
  // Workers, and what they start, take it from here.
  const scratch = makeScratchFolder();
  process.env.TMPDIR = scratch;
  ensureBuilt();
  await Promise.all([
    buildWorker(),
    buildWorker("test/tasks/worker.ts", TASK_WORKER),
    buildWorker("test/spool/worker.ts", SPOOL_WORKER),
  ]);
  const servers = await Promise.all(Array.from({ length: config.maxWorkers }, () => startPostgres()));
  provide(
    "postgres",
    servers.map(({ url }) => url),
  );
  return async () => {
    for (const server of servers) await server.stop();
    rmSync(scratch, { recursive: true, force: true });
  };
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
    loader: { ".sh": "text" },
    plugins: [extensionText],
  });
}
