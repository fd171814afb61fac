import { cpSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** A machine as a test leaves it, put aside or back. SQLite's own files may go while they are copied. */
export function copyFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true, mode: statSync(from).mode });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) copyFolder(source, target);
    else if (!source.endsWith("-shm")) copyFile(source, target);
  }
}

function copyFile(source: string, target: string): void {
  try {
    cpSync(source, target, { preserveTimestamps: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT" || !source.endsWith("-wal")) throw error;
  }
}
