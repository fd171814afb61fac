// Runs a bench as users run the product: bundled, without a compiler in between. node scripts/bench.mjs NAME
import { join } from "node:path";
import { ensureBuilt, root, run } from "./setup.mjs";

ensureBuilt();
const { build } = await import("esbuild");
const [name, ...rest] = process.argv.slice(2);
const folder = join(root, ".cache", "bench");
await build({
  absWorkingDir: root,
  entryPoints: [`bench/${name}.ts`, "bench/store-replay-child.ts", "bench/tasks-claims-child.ts"],
  outdir: folder,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  platform: "node",
  target: "node20",
  format: "esm",
  packages: "external",
});
process.exitCode = run(process.execPath, [join(folder, `${name}.mjs`), ...rest]);
