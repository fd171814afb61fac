import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const bin = fileURLToPath(new URL("../dist/milepost.cjs", import.meta.url));
let copy: string | undefined;

/**
 * The built command where another user can read it: the project may be below a folder that only root may enter.
 * Undefined where that user cannot even start Node.
 */
export function readableCommand(uid: number): string | undefined {
  const canRun = (...args: readonly string[]) =>
    spawnSync(process.execPath, args, { uid, gid: uid, cwd: "/", env: { PATH: process.env.PATH } }).status === 0;
  if (!canRun("--version")) return undefined;
  if (canRun(bin, "--version")) return bin;
  copy ??= copyCommand();
  return copy;
}

function copyCommand(): string {
  const folder = mkdtempSync(join(tmpdir(), "milepost-installed-"));
  chmodSync(folder, 0o755);
  cpSync(dirname(bin), join(folder, "dist"), { recursive: true });
  for (const name of ["@photostructure/sqlite", "node-gyp-build"]) {
    const path = join("node_modules", name);
    cpSync(join(dirname(bin), "..", path), join(folder, path), { recursive: true });
  }
  return join(folder, "dist", "milepost.cjs");
}
