// Makes a fresh clone ready: dependencies when they are missing or outdated, a build when sources are newer.
// Everything it says goes to stderr, so that a script's own output stays clean.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));

/** Runs a tool and returns its exit code; its standard output goes to our standard error when asked. */
export function run(command, args, { quiet = false, env = {} } = {}) {
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: ["inherit", quiet ? process.stderr : "inherit", "inherit"],
    env: { ...process.env, ...env },
    // npm is a .cmd file on Windows, and only a shell finds it; a path with blanks must not go through one.
    shell: process.platform === "win32" && command === "npm",
  });
  if (error) throw error;
  return status ?? 1;
}

/** A tool of ours, started with this very Node: no shell, no PATH, no npx. */
export function runTool(path, args, options) {
  return run(process.execPath, [join(root, "node_modules", path), ...args], options);
}

export function ensureInstalled() {
  const installed = modified(join(root, "node_modules", ".package-lock.json"));
  if (installed >= modified(join(root, "package-lock.json"))) return;
  console.error("Installing dependencies (npm ci) ...");
  if (run("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], { quiet: true }) !== 0)
    giveUp("npm ci failed; see above.");
}

export function ensureBuilt() {
  ensureInstalled();
  const built = modified(join(root, "dist", ".built"));
  const inputs = [
    "src",
    "scripts/build.mjs",
    "package.json",
    "package-lock.json",
    "tsconfig.json",
    "tsconfig.types.json",
  ];
  if (inputs.every((input) => newest(join(root, input)) <= built)) return;
  console.error("Building ...");
  if (run(process.execPath, ["scripts/build.mjs"], { quiet: true }) !== 0) giveUp("The build failed; see above.");
}

/** What went wrong was printed by the tool itself; a stack of ours would hide it. */
function giveUp(message) {
  console.error(message);
  process.exit(1);
}

function modified(path) {
  return existsSync(path) ? statSync(path).mtimeMs : 0;
}

function newest(path) {
  if (!statSync(path).isDirectory()) return modified(path);
  return Math.max(modified(path), ...readdirSync(path).map((name) => newest(join(path, name))));
}

// node scripts/setup.mjs: only the dependencies, for scripts that call a tool by name.
if (process.argv[1] === fileURLToPath(import.meta.url)) ensureInstalled();
