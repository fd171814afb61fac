// An agent on the protocol's own SDK that does what the prompt says: JSON, a list of steps. Each step is an update to send,
// {"ask": toolCall}, {"wait": ms} or {"die": signal}. What it has shown it shows again when its session is loaded. With
// FAKE_AGENT_LOG it keeps every byte that came and went in LOG.in and LOG.out.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { agent, ndJsonStream } from "@agentclientprotocol/sdk";

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

async function play(steps, client) {
  for (const step of steps) {
    if (step.wait !== undefined) await new Promise((resolve) => setTimeout(resolve, step.wait));
    else if (step.die) process.kill(process.pid, step.die);
    else if (step.ask) {
      const options = [
        { optionId: "yes", name: "Yes", kind: "allow_once" },
        { optionId: "no", name: "No", kind: "reject_once" },
      ];
      await client.request("session/request_permission", { sessionId: session, toolCall: step.ask, options });
    } else {
      const update = step.size ? { ...step.update, rawOutput: "x".repeat(step.size) } : step;
      shown.push(update);
      await client.notify("session/update", { sessionId: session, update });
    }
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

process.stdin.on("end", () => process.exit(0));
