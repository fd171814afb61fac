import { runProgram } from "../probe.js";
import type { World } from "./agent.js";

// codex-acp, the adapter through which editors run Codex, has a Codex of its own in it, and reads the same files.

const ADAPTER = "codex-acp";

/** Milliseconds. One that takes our key waits for its editor until then. */
const ASK_LIMIT = 1500;

/** What a person has to know of an adapter on this machine that refuses the key which Codex itself needs. */
export async function adapterNotes({ environment }: World, key: string): Promise<readonly string[]> {
  const started = await runProgram(ADAPTER, ["-c", key], { env: environment, limit: ASK_LIMIT });
  if (started.ok || !/error loading config/.test(started.error.message)) return [];
  return [
    `${ADAPTER} is built on an older Codex, and ends at a key that Codex needs. Start it with: ${ADAPTER} -c features.code_mode=false`,
  ];
}
