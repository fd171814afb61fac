import { randomUUID } from "node:crypto";
import * as z from "zod";
import { modelItems, offeredTools } from "./codex-wire.js";
import { json, type LoopbackReply, NOT_SCRIPTED, type ServerSentEvent, serveLoopback } from "./loopback.js";
import { type FakeModel, type ModelRequest, type ModelScript, openPlayer, type RequestText } from "./script.js";

const USUAL_TOKENS = 100;
const FULL_TOKENS = 90_000; // above the limit that codex.ts sets with model_auto_compact_token_limit

const partsSchema = z.array(z.looseObject({ text: z.string().optional() }));
const itemSchema = z.looseObject({
  type: z.string(),
  role: z.string().optional(),
  content: z.union([z.string(), partsSchema]).nullish(),
  output: z.union([z.string(), partsSchema]).nullish(),
  arguments: z.unknown().optional(),
  input: z.string().optional(),
});
const bodySchema = z.looseObject({ input: z.array(itemSchema) });
type Body = z.infer<typeof bodySchema>;
type Item = z.infer<typeof itemSchema>;

/** The OpenAI Responses endpoint as far as Codex uses it, with a script for a model. */
export async function startFakeResponses(script: ModelScript): Promise<FakeModel> {
  const requests: ModelRequest[] = [];
  const player = openPlayer(script);
  const server = await serveLoopback(async ({ method, path, body, at }) => {
    if (method === "GET" && path.includes("/models")) return json(200, { object: "list", data: [], models: [] });
    if (method !== "POST" || !/\/responses(\?|$)/.test(path)) return NOT_SCRIPTED;
    const request = { ...toRequest(bodySchema.parse(body), body), at };
    requests.push(request);
    const step = await player.next(request.kind);
    const spoken = modelItems(step, request);
    if (spoken.isLookUp) player.putBack(step);
    return streamed(spoken.items, step.contextFull && !spoken.isLookUp ? FULL_TOKENS : USUAL_TOKENS);
  });
  const { play, left } = player;
  return { url: `${server.url}/v1`, requests, failures: server.failures, play, left, close: server.close };
}

function toRequest(asked: Body, body: unknown): Omit<ModelRequest, "at"> {
  const texts = asked.input.flatMap(textsOfItem);
  const tools = offeredTools(body);
  return { kind: kindOf(texts, tools.length > 0), texts, tools, body };
}

function kindOf(texts: readonly RequestText[], hasTools: boolean): ModelRequest["kind"] {
  const prompt = texts.at(-1)?.text ?? "";
  if (prompt.includes("CONTEXT CHECKPOINT COMPACTION")) return "summary";
  return hasTools && !/^Generate a concise, single-line task title/.test(prompt) ? "turn" : "side";
}

function textsOfItem(item: Item): RequestText[] {
  if (item.type.endsWith("_call")) return [{ from: "model", text: item.input ?? JSON.stringify(item.arguments ?? "") }];
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

function streamed(items: readonly object[], tokens: number): LoopbackReply {
  const usage = { input_tokens: tokens, output_tokens: 0, total_tokens: tokens };
  const id = `resp_${randomUUID()}`;
  return {
    type: "events",
    events: [
      event("response.created", { response: { id } }),
      ...items.map((item) => event("response.output_item.done", { item })),
      event("response.completed", { response: { id, usage } }),
    ],
  };
}

const event = (type: string, data: object): ServerSentEvent => ({ type, ...data });
