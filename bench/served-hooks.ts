// What a hook costs inside a server that runs: its client's three hooks of each tool call, one after the other.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const CALLS = 200;

/** Milliseconds from the line to the answer, of each kind of hook. */
export async function servedHooks(bin: string, env: NodeJS.ProcessEnv): Promise<Readonly<Record<string, number[]>>> {
  const child = spawn(process.execPath, [bin, "mcp"], { env, stdio: ["pipe", "pipe", "inherit"] });
  const closed = new Promise((resolve) => child.on("close", resolve));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (method: string, params: object) => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })}\n`);
    const { value } = await lines.next();
    if (JSON.parse(value).result === undefined) throw new Error(`${method}: ${value}`);
  };
  const clientInfo = { name: "claude-code", version: "1" };
  await ask("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
  await ask("tools/list", {});
  const times: Record<string, number[]> = {};
  for (let call = 0; call < CALLS; call += 1)
    for (const [event, fields] of hooksOf(`served-${call}`)) {
      const start = performance.now();
      await ask("tools/call", { name: "hook", arguments: { ...COMMON, hook_event_name: event, ...fields } });
      times[event] = [...(times[event] ?? []), performance.now() - start];
    }
  child.stdin.end();
  await closed;
  return times;
}

const COMMON = { session_id: "served", cwd: "/project", transcript_path: "/project/served.jsonl", prompt_id: "p1" };

/** As Claude Code fills them in. */
function hooksOf(id: string): readonly (readonly [string, object])[] {
  const input = { command: "npm test" };
  const call = { tool_name: "Bash", tool_use_id: id, tool_input: JSON.stringify(input) };
  const stdout = "ok ".repeat(200);
  const batch = [{ tool_name: "Bash", tool_use_id: id, tool_input: input, tool_response: stdout }];
  return [
    ["PreToolUse", call],
    ["PostToolUse", { ...call, tool_response: JSON.stringify({ stdout }), duration_ms: "12" }],
    ["PostToolBatch", { tool_calls: JSON.stringify(batch) }],
  ];
}
