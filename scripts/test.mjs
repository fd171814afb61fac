// npm test: everything that proves the project, from a fresh clone, in one command.
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ensureInstalled, root } from "./setup.mjs";

const report = join(root, ".cache", "vitest.json");
mkdirSync(join(root, ".cache"), { recursive: true });
rmSync(report, { force: true });
ensureInstalled();

const tool = (path, ...args) => [join(root, "node_modules", path), ...args];

/** In the order in which their output is shown. */
const steps = {
  lint: tool("@biomejs/biome/bin/biome", "check", "--error-on-warnings", "."),
  types: tool("typescript/bin/tsc", "-p", ".", "--incremental", "--tsBuildInfoFile", ".cache/types.tsbuildinfo"),
  // Types are checked by the step above.
  build: ["scripts/build.mjs", "--unchecked"],
  tests: tool("vitest/vitest.mjs", "run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`),
  knip: tool("knip/bin/knip.js"),
  publint: tool("publint/src/cli.js", "--strict"),
};
const names = Object.keys(steps);
const failed = [];
const finished = new Set();
const waiting = new Map(names.map((name) => [name, []]));
let shown = 0;

// Two lanes: the tests often wait, for disks, servers and processes; meanwhile everything else is done.
const built = runStep("build");
await Promise.all([
  built.then(() => runStep("tests")),
  runStep("lint")
    .then(() => runStep("types"))
    .then(() => built)
    .then(() => runStep("knip"))
    .then(() => runStep("publint")),
]);

const { numPassedTests = 0, numFailedTests = 0 } = readReport();
console.log(failed.length === 0 ? "\nAll steps passed." : `\nFailed: ${failed.join(", ")}`);
console.log(`${numPassedTests} passed, ${numFailedTests} failed`);
process.exitCode = failed.length === 0 ? 0 : 1;

async function runStep(name) {
  const start = Date.now();
  say(name, `\n== ${name}\n`);
  const isOk = (await exitOf(name)) === 0;
  if (!isOk) failed.push(name);
  say(name, `== ${name}: ${isOk ? "ok" : "FAILED"} (${((Date.now() - start) / 1000).toFixed(1)} s)\n`);
  end(name);
}

function exitOf(name) {
  const color = process.stdout.isTTY && !process.env.NO_COLOR ? { FORCE_COLOR: "1" } : {};
  const child = spawn(process.execPath, steps[name], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...color },
  });
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => say(name, chunk));
  child.on("error", (error) => say(name, `${error.message}\n`));
  return new Promise((resolve) => child.on("close", resolve));
}

/** Steps are read one after the other: what one says waits until those before it have ended. */
function say(name, text) {
  if (names.indexOf(name) === shown) process.stdout.write(text);
  else waiting.get(name).push(text);
}

function end(name) {
  finished.add(name);
  while (finished.has(names[shown])) {
    shown += 1;
    for (const text of waiting.get(names[shown]) ?? []) process.stdout.write(text);
  }
}

function readReport() {
  try {
    return JSON.parse(readFileSync(report, "utf8"));
  } catch {
    return {};
  }
}
