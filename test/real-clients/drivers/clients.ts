import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { withCertificates } from "../../machine-certificates.js";
import { runProcess } from "./run-process.js";

/** The versions our dialects and hooks were checked against. */
const CLIENTS = { "@anthropic-ai/claude-code": "2.1.325", "@openai/codex": "0.166.0" };
const TERMINAL = { "@xterm/headless": "5.5.0" };
const INSPECTOR = { "@modelcontextprotocol/inspector": "2.12.0" };
const INSTALL_TIMEOUT_MS = 600_000; // the two clients are 800 MB
// Not below node_modules: npm ci would take them away, and they are fetched anew for minutes.
const cache = process.env.MILEPOST_CLIENTS ?? resolve(".cache/clients");

type Packages = Readonly<Record<string, string>>;

export interface ClientBinaries {
  readonly claude: string;
  readonly codex: string;
}

/** Finds the pinned clients, or installs them first. Throws with the reason when this platform has none. */
export async function ensureClients(): Promise<ClientBinaries> {
  await ensure(cache, { ...CLIENTS, ...TERMINAL });
  return {
    claude: findBinary("@anthropic-ai/claude-code", "claude"),
    codex: findBinary("@openai/codex", "codex"),
  };
}

/** xterm without a screen, to see what a person would see. Only after `ensureClients`. */
export function loadTerminal(options: object): HeadlessTerminal {
  const { Terminal } = createRequire(join(cache, "package.json"))("@xterm/headless");
  return new Terminal(options);
}

/** The part of it that is used here; its own types are where the clients are. */
export interface HeadlessTerminal {
  readonly buffer: { readonly active: ScreenBuffer };
  write(data: Uint8Array): void;
  onData(listen: (text: string) => void): void;
  dispose(): void;
}

interface ScreenBuffer {
  /** The first visible row. */
  readonly baseY: number;
  readonly length: number;
  getLine(row: number): { translateToString(trimRight: boolean): string } | undefined;
}

/** The command lines of MCP's own inspector, apart from the clients: `mcpdo` keeps a connection, and shows forms. */
export async function ensureInspector(name: "mcp-inspector" | "mcpdo" = "mcp-inspector"): Promise<string> {
  const folder = join(cache, "inspector");
  await ensure(folder, INSPECTOR);
  const home = join(folder, "node_modules", "@modelcontextprotocol", "inspector");
  const { bin } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
  return join(home, typeof bin === "string" ? bin : bin[name]);
}

/** A folder of its own for what other agents need. Returns the path of what is installed there. */
export async function ensureAgent(name: string, packages: Packages): Promise<string> {
  const folder = join(cache, name);
  await ensure(folder, packages);
  return join(folder, "node_modules");
}

async function ensure(folder: string, packages: Packages): Promise<void> {
  if (isInstalled(folder, packages) && !existsSync(lockOf(folder))) return;
  const unlock = await lock(folder);
  try {
    if (!isInstalled(folder, packages)) await install(folder, packages);
  } finally {
    unlock();
  }
}

const lockOf = (folder: string) => join(folder, ".installing");
const LOCK_LOOK_MS = 500;

/** Test files run side by side, and two npm in one folder leave half of the packages out. */
async function lock(folder: string): Promise<() => void> {
  mkdirSync(folder, { recursive: true });
  const place = lockOf(folder);
  for (;;) {
    try {
      mkdirSync(place);
      return () => rmSync(place, { recursive: true });
    } catch {
      // An installation takes no longer: whoever began it has been killed.
      if (ageOf(place) > INSTALL_TIMEOUT_MS) rmSync(place, { recursive: true, force: true });
      await sleep(LOCK_LOOK_MS);
    }
  }
}

function ageOf(place: string): number {
  return Date.now() - (statSync(place, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
}

function isInstalled(folder: string, packages: Packages): boolean {
  return Object.entries(packages).every(([name, version]) => {
    const file = join(folder, "node_modules", name, "package.json");
    return existsSync(file) && JSON.parse(readFileSync(file, "utf8")).version === version;
  });
}

async function install(folder: string, packages: Packages): Promise<void> {
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, dependencies: packages }));
  const { exit, err } = await runProcess({
    command: "npm",
    args: ["install", "--ignore-scripts", "--no-audit", "--no-fund"], // the binaries come in packages of their own
    cwd: folder,
    env: withCertificates(),
    timeoutMs: INSTALL_TIMEOUT_MS,
  });
  if (exit !== 0) throw new Error(`npm could not install ${Object.keys(packages).join(", ")} into ${folder}:\n${err}`);
}

function findBinary(client: string, name: string): string {
  const folder = join(cache, "node_modules", `${client}-${process.platform}-${process.arch}`);
  const wanted = process.platform === "win32" ? `${name}.exe` : name;
  const found = existsSync(folder) ? filesBelow(folder).find((file) => file.endsWith(join("/", wanted))) : undefined;
  if (found) return found;
  const platform = `${process.platform}-${process.arch}`;
  throw new Error(
    `${client} has no binary for ${platform} in ${folder}. Delete ${cache} if it was installed elsewhere.`,
  );
}

function filesBelow(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
