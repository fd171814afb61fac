import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// Disks of a test's own: only root on Linux can mount them, and not in every container.

function isDone(command: string, ...args: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: "ignore" }).status === 0;
}

export interface Mounted {
  readonly folder: string;
  unmount(): boolean;
}

function mount(folder: string, ...args: readonly string[]): Mounted | undefined {
  mkdirSync(folder, { recursive: true });
  if (!isDone("mount", ...args, folder)) return undefined;
  return {
    folder,
    // SQLite may have a file open until its statements are collected: then it goes when they are.
    unmount: () => isDone("umount", folder) || isDone("umount", "-l", folder),
  };
}

/** In memory, with room for so many files. */
export function mountTiny(folder: string, files: number): Mounted | undefined {
  return mount(folder, "-t", "tmpfs", "-o", `size=16m,nr_inodes=${files}`, "none");
}

export function makeImage(file: string): boolean {
  writeFileSync(file, "");
  truncateSync(file, 64 * 1024 * 1024);
  return isDone("mkfs.ext4", "-q", "-F", file);
}

export function mountImage(file: string, folder: string): Mounted | undefined {
  return mount(folder, "-o", "loop", file);
}

/** Looked at once: what cannot be mounted is not tested, and the test says so. */
export function canMount(): boolean {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  const folder = mkdtempSync(join(tmpdir(), "milepost-mount-"));
  try {
    const image = join(folder, "image");
    const mounted = makeImage(image) ? mountImage(image, join(folder, "disk")) : undefined;
    mounted?.unmount();
    return mounted !== undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
