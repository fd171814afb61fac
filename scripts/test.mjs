// npm test: everything that proves the project, from a fresh clone, in one command.
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ensureInstalled, root, run, runTool } from "./setup.mjs";

const report = join(root, ".cache", "vitest.json");
mkdirSync(join(root, ".cache"), { recursive: true });
rmSync(report, { force: true });
ensureInstalled();

const steps = {
  lint: () => runTool("@biomejs/biome/bin/biome", ["check", "--error-on-warnings", "."]),
  types: () => runTool("typescript/bin/tsc", ["-p", "."]),
  build: () => run(process.execPath, ["scripts/build.mjs"]),
  tests: () =>
    runTool("vitest/vitest.mjs", ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`]),
  conform: () => run(process.execPath, ["scripts/run.mjs", "test/conform/main.ts"]),
  knip: () => runTool("knip/bin/knip.js", []),
  publint: () => runTool("publint/src/cli.js", ["--strict"]),
};

const failed = [];
for (const [name, step] of Object.entries(steps)) {
  const start = Date.now();
  console.log(`\n== ${name}`);
  const ok = step() === 0;
  if (!ok) failed.push(name);
  console.log(`== ${name}: ${ok ? "ok" : "FAILED"} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
}

const { numPassedTests = 0, numFailedTests = 0 } = readReport();
console.log(failed.length === 0 ? "\nAll steps passed." : `\nFailed: ${failed.join(", ")}`);
console.log(`${numPassedTests} passed, ${numFailedTests} failed`);
process.exitCode = failed.length === 0 ? 0 : 1;

function readReport() {
  try {
    return JSON.parse(readFileSync(report, "utf8"));
  } catch {
    return {};
  }
}
