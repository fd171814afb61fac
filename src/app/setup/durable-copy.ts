import { randomBytes } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, resolve, sep } from "node:path";
import { makeFolder } from "../../store/make-folder.js";
import type { World } from "./agents/agent.js";

export interface Copy {
  readonly from: string;
  readonly to: string;
  run(): void;
}

/** Milepost where it stays, and what has to be copied first. */
export interface Durable {
  readonly bundle: string;
  /** Undefined: it lies well where it is, or was copied before. */
  readonly copy?: Copy;
}

export function durableFolder({ home }: World): string {
  return join(resolve(home), "bin");
}

/** npx and the system sweep their folders; a path in there would be dead in a week. */
export function durableBundle(world: World): Durable {
  const { bundle, platform } = world.program;
  const to = durableFolder(world);
  if (isInside(bundle, to) || !isTemporary(bundle, world)) return { bundle };
  const from = dirname(dirname(bundle));
  const placed = join(to, "dist", basename(bundle));
  if (isSame(from, to, platform)) return { bundle: placed };
  return {
    bundle: placed,
    copy: { from, to, run: () => replaceFolder(to, (folder) => copyPackage(from, folder, platform)) },
  };
}

/** Somebody will sweep it. */
export function isTemporary(path: string, { program }: World): boolean {
  return isCached(path) || isInside(path, program.temporaryFolder);
}

function isCached(path: string): boolean {
  return path
    .split(/[\\/]/)
    .some((part) => ["_npx", "_cacache", ".npm", "npm-cache", "dlx"].includes(part) || part.startsWith("dlx-"));
}

export function isInside(path: string, folder: string): boolean {
  return `${realPath(path)}${sep}`.startsWith(`${realPath(folder)}${sep}`);
}

function realPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : resolve(path);
}

function bundlesOf(folder: string): readonly string[] {
  return namesIn(folder, "dist", (name) => name.endsWith(".cjs"));
}

/** SQLite's binaries beside our bundles, those of this system. */
function binariesOf(folder: string, platform: string): readonly string[] {
  return namesIn(folder, join("dist", "sqlite"), (name) => name.startsWith(`${platform}-`));
}

function namesIn(folder: string, below: string, isWanted: (name: string) => boolean): readonly string[] {
  const names = existsSync(join(folder, below)) ? readdirSync(join(folder, below)) : [];
  return names.filter(isWanted).map((name) => join(below, name));
}

function isSame(from: string, to: string, platform: string): boolean {
  const binaries = binariesOf(from, platform);
  const files = [...bundlesOf(from), ...binaries, "package.json"];
  const isWhole =
    binaries.length > 0 || sqliteOf(from) === undefined || sqliteOf(to)?.startsWith(realPath(to)) === true;
  return (
    isWhole &&
    bundlesOf(to).length === bundlesOf(from).length &&
    files.every(
      (file) => existsSync(join(to, file)) && readFileSync(join(from, file)).equals(readFileSync(join(to, file))),
    )
  );
}

function copyPackage(from: string, to: string, platform: string): void {
  mkdirSync(join(to, "dist"), { recursive: true });
  const binaries = binariesOf(from, platform);
  for (const file of [...bundlesOf(from), ...binaries, "package.json"]) cpSync(join(from, file), join(to, file));
  const sqlite = binaries.length > 0 ? undefined : sqliteOf(from);
  if (sqlite !== undefined) copySqlite(sqlite, join(to, "node_modules"), platform);
}

/** Where none is beside our bundles. Without its sources, and without the binaries for other systems: 10 MB of 30. */
function copySqlite(from: string, modules: string, platform: string): void {
  const to = join(modules, "@photostructure", "sqlite");
  const isNeeded = (path: string) => !/\.(?:map|mjs|ts|mts|cts|md)$/.test(path);
  for (const part of ["package.json", "LICENSE", "dist", "build/Release"])
    if (existsSync(join(from, part))) cpSync(join(from, part), join(to, part), { recursive: true, filter: isNeeded });
  const prebuilds = join(from, "prebuilds");
  for (const name of existsSync(prebuilds) ? readdirSync(prebuilds) : [])
    if (name.startsWith(`${platform}-`))
      cpSync(join(prebuilds, name), join(to, "prebuilds", name), { recursive: true });
  const loader = packageFolder(join(from, "package.json"), "node-gyp-build");
  if (loader !== undefined) cpSync(loader, join(modules, "node-gyp-build"), { recursive: true });
}

function sqliteOf(folder: string): string | undefined {
  return packageFolder(join(folder, "dist", "milepost.cjs"), "@photostructure/sqlite");
}

function packageFolder(from: string, name: string): string | undefined {
  try {
    return dirname(createRequire(from).resolve(`${name}/package.json`));
  } catch {
    return undefined;
  }
}

/** Complete beside it, then in its place: whoever starts meanwhile finds the old copy or the new one. */
export function replaceFolder(folder: string, fill: (folder: string) => void): void {
  const end = randomBytes(4).toString("hex");
  const [fresh, old] = [`${folder}.new-${end}`, `${folder}.old-${end}`];
  try {
    makeFolder(fresh);
    fill(fresh);
    if (existsSync(folder)) renameSync(folder, old);
    renameSync(fresh, folder);
  } catch (error) {
    if (existsSync(old) && !existsSync(folder)) renameSync(old, folder);
    throw error;
  } finally {
    for (const rest of [fresh, old]) rmSync(rest, { recursive: true, force: true });
  }
}
