import type { Failure } from "../core/result.js";

/** Only the memory store exists yet. A store that was asked for must not be silently left out. */
export function checkStore(url: string | undefined): Failure | undefined {
  if (url === undefined || url === "" || url === "memory:") return undefined;
  return {
    code: "no-store",
    message: `The store ${maskPassword(url)} cannot be used: this version keeps lists in memory only. Use --store memory:`,
  };
}

function maskPassword(url: string): string {
  return url.replace(/\/\/([^/?#]*)@/, (_, user: string) => `//${user.replace(/:.*/s, ":***")}@`);
}
