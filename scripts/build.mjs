// dist/bin.cjs: the small dispatcher; dist/cli.cjs: the command line; dist/index.js: the library, with types beside it.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import packageJson from "../package.json" with { type: "json" };
import { ensureInstalled, root, runTool } from "./setup.mjs";

ensureInstalled();
const { build } = await import("esbuild");

const dist = join(root, "dist");
rmSync(dist, { recursive: true, force: true });

const shared = {
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  target: "node20",
  legalComments: "none",
  // A real import() in a CommonJS file starts the ES module loader; a require does not, and is twice as fast.
  supported: { "dynamic-import": false },
  define: { MILEPOST_VERSION: JSON.stringify(packageJson.version) },
};

/** The dispatcher loads a surface as a file of its own: what is not asked for costs no start-up time. */
const surfacesApart = {
  name: "surfaces-apart",
  setup(builder) {
    builder.onResolve({ filter: /^\.\/cli\/run\.js$/ }, () => ({ path: "./cli.cjs", external: true }));
  },
};

await Promise.all([
  build({
    ...shared,
    entryPoints: ["src/bin.ts"],
    outfile: "dist/bin.cjs",
    format: "cjs",
    minifySyntax: true,
    plugins: [surfacesApart],
  }),
  build({ ...shared, entryPoints: ["src/cli/run.ts"], outfile: "dist/cli.cjs", format: "cjs", minify: true }),
  build({ ...shared, entryPoints: ["src/index.ts"], outfile: "dist/index.js", format: "esm" }),
]);
if (runTool("typescript/bin/tsc", ["-p", "tsconfig.types.json"]) !== 0) process.exit(1);
writeFileSync(join(dist, ".built"), "");
