// An agent on the protocol's own SDK that does what the prompt says: JSON, a list of steps. Each step is an update to send,
// {"ask": toolCall}, {"wait": ms}, {"die": signal} or {"todo": arguments}: a call of our `todo`, through an MCP server
// that it starts (FAKE_AGENT_SERVER: the words for it). What it has shown it shows again when its session is loaded. With
// FAKE_AGENT_LOG it keeps every byte that came and went in LOG.in and LOG.out.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { agent, ndJsonStream } from "@agentclientprotocol/sdk";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const { FAKE_AGENT_LOG: log, FAKE_AGENT_SESSION: session = "fake-session" } = process.env;
const shownFile = log && `${log}.shown`;
const shown = shownFile && existsSync(shownFile) ? JSON.parse(readFileSync(shownFile, "utf8")) : [];

const input = new ReadableStream({
  start(controller) {
    process.stdin.on("data", (chunk) => {
      if (log) appendFileSync(`${log}.in`, chunk);
      controller.enqueue(new Uint8Array(chunk));
    });
    process.stdin.on("end", () => controller.close());
  },
});
const output = new WritableStream({
  write(chunk) {
    if (log) appendFileSync(`${log}.out`, chunk);
    return new Promise((resolve) => process.stdout.write(chunk, () => resolve()));
  },
});

const ended = { prompt: () => undefined };

let server;
let calls = 0;

async function connect() {
  const [command, ...args] = JSON.parse(process.env.FAKE_AGENT_SERVER);
  const client = new Client({ name: "fake-agent", version: "1.0.0" });
  await client.connect(new StdioClientTransport({ command, args, env: process.env }));
  return client;
}

/** As agents tell of it: a call with the server's name in its title. A call that is `denied` never comes to the server. */
async function callTodo({ denied, ...input }, send) {
  calls += 1;
  const toolCallId = `todo-${calls}`;
  const title = "mcp__milepost__todo";
  await send({ sessionUpdate: "tool_call", toolCallId, title, status: "pending", rawInput: input });
  server ??= connect();
  if (!denied) await (await server).callTool({ name: "todo", arguments: input });
  await send({ sessionUpdate: "tool_call_update", toolCallId, status: denied ? "failed" : "completed" });
}

async function play(steps, client) {
  const send = async (update) => {
    shown.push(update);
    await client.notify("session/update", { sessionId: session, update });
  };
  for (const step of steps) {
    if (step.todo) await callTodo(step.todo, send);
    else if (step.wait !== undefined) await new Promise((resolve) => setTimeout(resolve, step.wait));
    else if (step.die) process.kill(process.pid, step.die);
    else if (step.ask) {
      const options = [
        { optionId: "yes", name: "Yes", kind: "allow_once" },
        { optionId: "no", name: "No", kind: "reject_once" },
      ];
      await client.request("session/request_permission", { sessionId: session, toolCall: step.ask, options });
    } else await send(step.size ? { ...step.update, rawOutput: "x".repeat(step.size) } : step);
  }
  if (shownFile) writeFileSync(shownFile, JSON.stringify(shown));
}

agent({ name: "fake" })
  .onRequest("initialize", () => ({
    protocolVersion: 1,
    agentCapabilities: { loadSession: true },
    agentInfo: { name: "fake-agent", version: "1.0.0" },
    authMethods: [],
  }))
  .onRequest("session/new", () => ({ sessionId: session }))
  .onRequest("session/load", async ({ client }) => {
    for (const update of [...shown]) await client.notify("session/update", { sessionId: session, update });
    return {};
  })
  .onRequest("session/prompt", async ({ params, client }) => {
    const [{ text }] = params.prompt;
    const cancelled = new Promise((resolve) => {
      ended.prompt = () => resolve("cancelled");
    });
    const done = play(JSON.parse(text), client).then(() => "end_turn");
    return { stopReason: await Promise.race([done, cancelled]) };
  })
  .onNotification("session/cancel", () => ended.prompt())
  .connect(ndJsonStream(output, input));

process.stdin.on("end", async () => {
  await (await server)?.close();
  process.exit(0);
});
