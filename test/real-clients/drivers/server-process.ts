import { readdirSync, readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import type { Sandbox } from "./sandbox.js";

// Our MCP server as the client runs it, found by the sandbox it runs in: nothing else on the machine is touched.

const SOON_MS = 10_000;

/** The processes with our server in them. Waits for the first: a client asks its model before the server is there. */
async function serverProcesses(sandbox: Sandbox): Promise<number[]> {
  for (const end = Date.now() + SOON_MS; Date.now() < end; await setTimeout(20)) {
    const found = processes().filter((pid) => isServerIn(pid, sandbox));
    if (found.length > 0) return found;
  }
  throw new Error("No client of this sandbox runs our server.");
}

export async function signalServer(sandbox: Sandbox, signal: "SIGKILL" | "SIGSTOP"): Promise<void> {
  for (const pid of await serverProcesses(sandbox)) process.kill(pid, signal);
}

const processes = () =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);

/** Node itself, and not the shell that may have started it. */
function isServerIn(pid: number, { home }: Sandbox): boolean {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    const isOurs = /\bnode[^/]*$/.test(words[0] ?? "") && words.includes("mcp");
    return isOurs && readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").includes(`HOME=${home}`);
  } catch {
    return false; // it has just ended, or is another person's
  }
}
