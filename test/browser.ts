import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium } from "playwright-core";

// A real Chromium, for what only a browser can show: that of the machine, never a downloaded one.

let isTried = false;

/** Undefined where there is none. On a Debian of our own (a container, as root) it is installed. */
export function findBrowser(): string | undefined {
  return known() ?? (install() ? known() : undefined);
}

function known(): string | undefined {
  const { CHROMIUM_PATH: named, PATH = "" } = process.env;
  if (named !== undefined && existsSync(named)) return named;
  const folders = PATH.split(delimiter);
  return ["chromium", "google-chrome"]
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
}

/** Four minutes at most, and once: without a network it fails at once. */
function install(): boolean {
  if (isTried || process.getuid?.() !== 0 || !existsSync("/etc/debian_version")) return false;
  isTried = true;
  const quick = ["-o", "Acquire::Retries=0", "-o", "Acquire::http::Timeout=5", "-qq"];
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const apt = (...args: string[]) =>
    spawnSync("apt-get", [...quick, ...args], { stdio: "ignore", timeout: 240_000, env });
  const add = () => apt("install", "-y", "--no-install-recommends", "chromium").status === 0;
  return add() || (apt("update").status === 0 && add());
}

export function startBrowser(path: string): Promise<Browser> {
  const isRoot = process.getuid?.() === 0;
  return chromium.launch({
    executablePath: path,
    args: [
      ...(isRoot ? ["--no-sandbox"] : []),
      "--disable-gpu",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}
