import { randomUUID } from "node:crypto";
import * as z from "zod";
import { json, type LoopbackReply, NOT_SCRIPTED, type ServerSentEvent, serveLoopback } from "./loopback.js";
import {
  type FakeModel,
  type ModelCall,
  type ModelRequest,
  type ModelScript,
  type ModelStep,
  NEVER_TOLD,
  openPlayer,
  own,
  type RequestText,
} from "./script.js";

const USUAL_TOKENS = 100;
const FULL_TOKENS = 195_000; // above the limit that claude.ts sets with --autocompact

const blockSchema = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  content: z.union([z.string(), z.array(z.looseObject({ text: z.string().optional() }))]).optional(),
  input: z.unknown().optional(),
});
const toolSchema = z.looseObject({ name: z.string(), defer_loading: z.boolean().optional() });
const bodySchema = z.looseObject({
  model: z.string(),
  tools: z.array(toolSchema).optional(),
  messages: z.array(z.object({ role: z.string(), content: z.union([z.string(), z.array(blockSchema)]) })),
});
type Body = z.infer<typeof bodySchema>;
type Block = z.infer<typeof blockSchema>;

/** The Anthropic Messages endpoint as far as Claude Code uses it, with a script for a model. */
export async function startFakeMessages(script: ModelScript): Promise<FakeModel> {
  const requests: ModelRequest[] = [];
  const player = openPlayer(script);
  const lookUps = new Set<string>();
  const server = await serveLoopback(async ({ method, path, body, at }) => {
    if (path.includes("count_tokens")) return json(200, { input_tokens: USUAL_TOKENS });
    if (method !== "POST" || !/\/v1\/messages(\?|$)/.test(path)) return NOT_SCRIPTED;
    const asked = bodySchema.parse(body);
    const request = { ...toRequest(asked, body), at };
    requests.push(request);
    const step = await player.next(request.kind);
    const deferred = deferredTools(step, request).filter((name) => !lookUps.has(name));
    if (deferred.length === 0) return streamed(step, asked.model);
    for (const name of deferred) lookUps.add(name);
    player.putBack(step);
    return streamed(own("ToolSearch", { query: `select:${deferred.join(",")}`, max_results: 9 }), asked.model);
  });
  const { play, left } = player;
  return { url: server.url, requests, failures: server.failures, play, left, close: server.close };
}

function toRequest(asked: Body, body: unknown): Omit<ModelRequest, "at"> {
  const texts = asked.messages.flatMap(textsOfMessage);
  const tools = (asked.tools ?? []).filter((tool) => !tool.defer_loading);
  return {
    kind: kindOf(asked, texts),
    texts,
    tools: tools.map((definition) => ({ name: definition.name, definition })),
    body,
  };
}

/** Tools of this step that the client has only named so far. Never named at all: no model could call them. */
function deferredTools({ calls = [] }: ModelStep, request: ModelRequest): string[] {
  const offered = new Set(request.tools.map(({ name }) => name));
  const told = calls.filter(({ type }) => type !== "guess");
  const missing = [...new Set(told.map((call) => toolUse(call).name))].filter((name) => !offered.has(name));
  const body = JSON.stringify(request.body);
  const unknown = missing.find((name) => !body.includes(name));
  if (unknown !== undefined) throw new Error(`${NEVER_TOLD} ${unknown}.`);
  return missing;
}

function kindOf(body: Body, texts: readonly RequestText[]): ModelRequest["kind"] {
  const prompt = texts.findLast(({ from }) => from === "user")?.text ?? "";
  if (/your task is to create a detailed summary/i.test(prompt)) return "summary";
  return body.tools?.length ? "turn" : "side";
}

function textsOfMessage({ role, content }: Body["messages"][number]): RequestText[] {
  const from = speaker(role);
  if (typeof content === "string") return [{ from, text: content }];
  return content.flatMap((block): RequestText[] => {
    if (block.type === "tool_result") return resultTexts(block).map((text) => ({ from: "tool", text }));
    if (block.type === "tool_use") return [{ from, text: JSON.stringify(block.input) }];
    return block.text === undefined ? [] : [{ from, text: block.text }];
  });
}

function speaker(role: string): RequestText["from"] {
  if (role === "assistant") return "model";
  return role === "system" ? "client" : "user"; // newer models read reminders as system messages
}

function resultTexts({ content }: Block): string[] {
  if (typeof content === "string") return [content];
  return (content ?? []).flatMap(({ text }) => text ?? []);
}

function streamed(step: ModelStep, model: string): LoopbackReply {
  const blocks = contentOf(step);
  const stop = step.calls?.length ? "tool_use" : "end_turn";
  const usage = { input_tokens: step.contextFull ? FULL_TOKENS : USUAL_TOKENS, output_tokens: 1 };
  const message = { id: `msg_${randomUUID()}`, type: "message", role: "assistant", model, content: [], usage };
  return {
    type: "events",
    events: [
      event("message_start", { message }),
      ...blocks.flatMap(({ start, delta }, index) => [
        event("content_block_start", { index, content_block: start }),
        event("content_block_delta", { index, delta }),
        event("content_block_stop", { index }),
      ]),
      event("message_delta", { delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 10 } }),
      event("message_stop", {}),
    ],
  };
}

const event = (type: string, data: object): ServerSentEvent => ({ type, ...data });

function contentOf({ say, calls = [] }: ModelStep): { start: object; delta: object }[] {
  const text =
    say === undefined ? [] : [{ start: { type: "text", text: "" }, delta: { type: "text_delta", text: say } }];
  const uses = calls.map((call) => {
    const { name, input } = toolUse(call);
    return {
      // never the same id again: a resumed session knows the ids of its earlier calls
      start: { type: "tool_use", id: `toolu_${randomUUID()}`, name, input: {} },
      delta: { type: "input_json_delta", partial_json: JSON.stringify(input) },
    };
  });
  return [...text, ...uses];
}

function toolUse(call: ModelCall): { name: string; input: object } {
  switch (call.type) {
    case "todo":
      return { name: "mcp__milepost__todo", input: call.input };
    case "shell":
      return { name: "Bash", input: { command: call.command, description: "scripted" } };
    case "own":
      return { name: call.name, input: call.input };
    case "guess":
      return { name: `mcp__milepost__${call.tool}`, input: call.input };
  }
}
