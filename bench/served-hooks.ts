// What a hook costs inside a server that runs: its client's three hooks of each tool call, one after the other.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const CALLS = 200;

export interface Served {
  /** The end of each row's name: "" for this build. */
  readonly name: string;
  readonly bin: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Milliseconds from the line to the answer, of each kind of hook; of several builds in turn. */
export async function servedHooks(builds: readonly Served[]): Promise<Readonly<Record<string, number[]>>> {
  const servers = await Promise.all(builds.map(startServer));
  const times: Record<string, number[]> = {};
  for (let call = 0; call < CALLS; call += 1)
    for (const { name, ask } of call % 2 ? servers : [...servers].reverse())
      for (const [event, fields] of hooksOf(call)) {
        const start = performance.now();
        await ask("tools/call", { name: "hook", arguments: { ...COMMON, hook_event_name: event, ...fields } });
        const row = `${event} through the server${name}`;
        times[row] = [...(times[row] ?? []), performance.now() - start];
      }
  await Promise.all(servers.map(({ end }) => end()));
  return times;
}

async function startServer({ name, bin, env }: Served) {
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
  const end = () => {
    child.stdin.end();
    return closed;
  };
  return { name, ask, end };
}

const COMMON = { session_id: "served", cwd: "/project", transcript_path: "/project/served.jsonl", prompt_id: "p1" };

/** As Claude Code fills them in. A command of its own for each call: the same one again and again would be a loop. */
function hooksOf(at: number): readonly (readonly [string, object])[] {
  const id = `served-${at}`;
  const input = { command: `npm run step-${at}` };
  const call = { tool_name: "Bash", tool_use_id: id, tool_input: JSON.stringify(input) };
  const stdout = `${"ok ".repeat(200)}${at}`;
  const batch = [{ tool_name: "Bash", tool_use_id: id, tool_input: input, tool_response: stdout }];
  return [
    ["PreToolUse", call],
    ["PostToolUse", { ...call, tool_response: JSON.stringify({ stdout }), duration_ms: "12" }],
    ["PostToolBatch", { tool_calls: JSON.stringify(batch) }],
  ];
}
