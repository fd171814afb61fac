import { randomUUID } from "node:crypto";
import * as z from "zod";
import type { FakeModel } from "./fake-messages.js";
import { json, type LoopbackReply, NOT_SCRIPTED, type ServerSentEvent, serveLoopback } from "./loopback.js";
import {
  type ModelCall,
  type ModelRequest,
  type ModelScript,
  type ModelStep,
  playScript,
  type RequestText,
} from "./script.js";

const USUAL_TOKENS = 100;
const FULL_TOKENS = 90_000; // above the limit that codex.ts sets with model_auto_compact_token_limit

const partsSchema = z.array(z.looseObject({ text: z.string().optional() }));
const itemSchema = z.looseObject({
  type: z.string(),
  role: z.string().optional(),
  content: z.union([z.string(), partsSchema]).nullish(),
  output: z.union([z.string(), partsSchema]).nullish(),
  arguments: z.string().optional(),
});
const bodySchema = z.looseObject({ tools: z.array(z.unknown()).optional(), input: z.array(itemSchema) });
type Body = z.infer<typeof bodySchema>;
type Item = z.infer<typeof itemSchema>;

/** The OpenAI Responses endpoint as far as Codex uses it, with a script for a model. */
export async function startFakeResponses(script: ModelScript): Promise<FakeModel> {
  const requests: ModelRequest[] = [];
  const next = playScript(script);
  const server = await serveLoopback(async ({ method, path, body }) => {
    if (method === "GET" && path.includes("/models")) return json(200, { object: "list", data: [], models: [] });
    if (method !== "POST" || !/\/responses(\?|$)/.test(path)) return NOT_SCRIPTED;
    const asked = bodySchema.parse(body);
    const texts = asked.input.flatMap(textsOfItem);
    const request: ModelRequest = { kind: kindOf(asked, texts), texts, body };
    requests.push(request);
    return streamed(await next(request.kind));
  });
  return { url: `${server.url}/v1`, requests, close: server.close };
}

function kindOf(body: Body, texts: readonly RequestText[]): ModelRequest["kind"] {
  if (texts.at(-1)?.text.includes("CONTEXT CHECKPOINT COMPACTION")) return "summary";
  return body.tools?.length ? "turn" : "side";
}

function textsOfItem(item: Item): RequestText[] {
  if (item.type.endsWith("_call")) return [{ from: "model", text: item.arguments ?? "" }];
  if (item.type.endsWith("_output")) return partTexts(item.output).map((text) => ({ from: "tool", text }));
  return partTexts(item.content).map((text) => ({ from: speaker(item.role), text }));
}

function speaker(role: string | undefined): RequestText["from"] {
  if (role === "assistant") return "model";
  return role === "user" ? "user" : "client"; // Codex speaks as "developer", for itself and for hooks
}

function partTexts(parts: Item["content"]): string[] {
  if (typeof parts === "string") return [parts];
  return (parts ?? []).flatMap(({ text }) => text ?? []);
}

function streamed(step: ModelStep): LoopbackReply {
  const tokens = step.contextFull ? FULL_TOKENS : USUAL_TOKENS;
  const usage = { input_tokens: tokens, output_tokens: 0, total_tokens: tokens };
  const id = `resp_${randomUUID()}`;
  return {
    type: "events",
    events: [
      event("response.created", { response: { id } }),
      ...itemsOf(step).map((item) => event("response.output_item.done", { item })),
      event("response.completed", { response: { id, usage } }),
    ],
  };
}

const event = (type: string, data: object): ServerSentEvent => ({ type, ...data });

function itemsOf({ say, calls = [] }: ModelStep): object[] {
  const content = [{ type: "output_text", text: say }];
  const message = say === undefined ? [] : [{ type: "message", role: "assistant", id: `msg_${randomUUID()}`, content }];
  return [...message, ...calls.map((call) => ({ call_id: `call_${randomUUID()}`, ...functionCall(call) }))];
}

function functionCall(call: ModelCall): object {
  const type = "function_call";
  switch (call.type) {
    case "todo":
      return { type, name: "todo", namespace: "mcp__milepost", arguments: JSON.stringify(call.input) };
    case "shell":
      return { type, name: "exec_command", arguments: JSON.stringify({ cmd: call.command }) };
  }
}
