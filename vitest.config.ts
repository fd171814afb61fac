import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    setupFiles: ["test/random.setup.ts"],
    globalSetup: ["test/build.setup.ts"],
    testTimeout: 30_000,
    isolate: false,
    maxWorkers: availableParallelism(),
  },
});
