import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// Everything that tests and what they start put into the temporary folder is below one folder, and goes with it. It is in
// memory where that is possible: most of what tests wait for is a disk that they do not test.

const MEMORY = "/dev/shm";
const NAME = "milepost-tests-";
const ROOM = 2 * 1024 ** 3;

export function makeScratchFolder(): string {
  const inMemory = hasRoom(MEMORY) ? makeBelow(MEMORY) : undefined;
  if (inMemory === undefined) return makeBelow(tmpdir());
  if (canRun(inMemory)) return inMemory;
  rmSync(inMemory, { recursive: true });
  return makeBelow(tmpdir());
}

function makeBelow(parent: string): string {
  for (const name of readdirSync(parent)) if (isLeftOver(name)) remove(join(parent, name));
  const folder = mkdtempSync(join(parent, `${NAME}${process.pid}-`));
  // PostgreSQL does not run as root, and some tests are about another user.
  chmodSync(folder, 0o755);
  return folder;
}

/** A run that was killed leaves its folder behind. */
function isLeftOver(name: string): boolean {
  const owner = name.startsWith(NAME) ? Number.parseInt(name.slice(NAME.length), 10) : Number.NaN;
  if (Number.isNaN(owner)) return false;
  try {
    process.kill(owner, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // Another user's.
  }
}

function hasRoom(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize > ROOM;
}

/** Containers often forbid it there. */
function canRun(folder: string): boolean {
  const script = join(folder, "script");
  writeFileSync(script, "#!/bin/sh\n", { mode: 0o755 });
  const { status } = spawnSync(script);
  rmSync(script);
  return status === 0;
}
