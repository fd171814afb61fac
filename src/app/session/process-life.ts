import { existsSync } from "node:fs";
import { hostname } from "node:os";

/**
 * Whether a client's process, told as machine and number, is still there. Undefined where nobody can tell: on another
 * machine, or without /proc.
 */
export function isProcessThere(process: string): boolean | undefined {
  // One that had to be guessed says so with a question mark.
  const [, machine, number] = /^(.*):(\d+)\??$/s.exec(process) ?? [];
  if (machine !== hostname() || !existsSync("/proc/self")) return undefined;
  return existsSync(`/proc/${number}`);
}
