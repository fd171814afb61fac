import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { defineConfig, type Plugin } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
// @ts-expect-error: a plain script without types
import { textOfExtension } from "./scripts/extension-text.mjs";
import { leaveCertificatesOut } from "./test/machine-certificates.js";
import { sized } from "./test/sizes.js";

leaveCertificatesOut();

/**
 * Those that start processes and servers take longest, and must not be what is left at the end. They come first also
 * because a process that has grown takes long to start another: a millisecond for every 40 MB that it holds.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const ranked = sorted.map((file) => ({ file, rank: rankOf(file.moduleId) }));
    return ranked.sort((one, other) => one.rank - other.rank).map(({ file }) => file);
  }
}

function rankOf(path: string): number {
  if (!path.includes("/test/")) return 2;
  return /child_process|(?:process|workers?)\.js"/.test(readFileSync(path, "utf8")) ? 0 : 1;
}

/** As the build loads it. */
const shellText: Plugin = {
  name: "shell-text",
  enforce: "pre",
  transform: (code, id) => (id.endsWith(".sh") ? { code: `export default ${JSON.stringify(code)}`, map: null } : null),
};

/** As the build makes it. */
const extensionText: Plugin = {
  name: "extension-text",
  enforce: "pre",
  resolveId: (source, importer) =>
    source.endsWith(".js?text") && importer ? `${join(dirname(importer), source.slice(0, -8))}.ts?text` : null,
  async load(id) {
    return id.endsWith(".ts?text") ? `export default ${JSON.stringify(await textOfExtension(id.slice(0, -5)))}` : null;
  },
};

export default defineConfig({
  plugins: [shellText, extensionText],
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    setupFiles: ["test/random.setup.ts"],
    globalSetup: ["test/build.setup.ts"],
    testTimeout: sized(120_000, 1_800_000),
    hookTimeout: 120_000,
    // No test replaces a module, so files can share them; loading all of it anew for each file took a minute.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // One more than there are cores, because many tests wait; each has a PostgreSQL server of its own.
    maxWorkers: Math.min(4, availableParallelism() + 1),
  },
});
