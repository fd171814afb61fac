import { randomUUID } from "node:crypto";
import * as z from "zod";
import { json, type LoopbackReply, NOT_SCRIPTED, type ServerSentEvent, serveLoopback } from "./loopback.js";
import {
  type ModelCall,
  type ModelRequest,
  type ModelScript,
  type ModelStep,
  playScript,
  type RequestText,
} from "./script.js";

/** The Anthropic Messages endpoint as far as Claude Code uses it, with a script for a model. */
export interface FakeModel {
  readonly url: string;
  readonly requests: readonly ModelRequest[];
  close(): Promise<void>;
}

const USUAL_TOKENS = 100;
const FULL_TOKENS = 195_000; // above the limit that claude.ts sets with --autocompact

const blockSchema = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  content: z.union([z.string(), z.array(z.looseObject({ text: z.string().optional() }))]).optional(),
  input: z.unknown().optional(),
});
const bodySchema = z.looseObject({
  model: z.string(),
  tools: z.array(z.unknown()).optional(),
  messages: z.array(z.object({ role: z.string(), content: z.union([z.string(), z.array(blockSchema)]) })),
});
type Body = z.infer<typeof bodySchema>;
type Block = z.infer<typeof blockSchema>;

export async function startFakeMessages(script: ModelScript): Promise<FakeModel> {
  const requests: ModelRequest[] = [];
  const next = playScript(script);
  const server = await serveLoopback(async ({ method, path, body }) => {
    if (path.includes("count_tokens")) return json(200, { input_tokens: USUAL_TOKENS });
    if (method !== "POST" || !/\/v1\/messages(\?|$)/.test(path)) return NOT_SCRIPTED;
    const asked = bodySchema.parse(body);
    const texts = asked.messages.flatMap(textsOfMessage);
    const request: ModelRequest = { kind: kindOf(asked, texts), texts, body };
    requests.push(request);
    return streamed(await next(request.kind), asked.model);
  });
  return { url: server.url, requests, close: server.close };
}

function kindOf(body: Body, texts: readonly RequestText[]): ModelRequest["kind"] {
  if (/your task is to create a detailed summary/i.test(texts.at(-1)?.text ?? "")) return "summary";
  return body.tools?.length ? "turn" : "side";
}

function textsOfMessage({ role, content }: Body["messages"][number]): RequestText[] {
  const from = role === "assistant" ? "model" : "user";
  if (typeof content === "string") return [{ from, text: content }];
  return content.flatMap((block): RequestText[] => {
    if (block.type === "tool_result") return resultTexts(block).map((text) => ({ from: "tool", text }));
    if (block.type === "tool_use") return [{ from, text: JSON.stringify(block.input) }];
    return block.text === undefined ? [] : [{ from, text: block.text }];
  });
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
  }
}
