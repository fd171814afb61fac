import * as z from "zod";
import { json, type LoopbackReply, NOT_SCRIPTED, serveLoopback } from "./loopback.js";
import {
  type FakeModel,
  type ModelCall,
  type ModelRequest,
  type ModelScript,
  type ModelStep,
  openPlayer,
  type RequestText,
} from "./script.js";

const USUAL_TOKENS = 100;
const FULL_TOKENS = 195_000;

const contentSchema = z.union([z.string(), z.array(z.looseObject({ text: z.string().optional() }))]).nullish();
const bodySchema = z.looseObject({
  model: z.string(),
  stream: z.boolean().optional(),
  tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }) })).optional(),
  messages: z.array(z.looseObject({ role: z.string(), content: contentSchema })),
});
type Body = z.infer<typeof bodySchema>;

interface ChatNames {
  /** What the client calls the tools of our server. */
  readonly ours: (tool: string) => string;
  readonly shell: (command: string) => { readonly name: string; readonly input: object };
  /** The client reckons by what its own summary has cost how much smaller the context has become. */
  readonly isSummaryCounted?: boolean;
  /** Where in the answer of a tool begins what the client has put behind it. */
  readonly clientWords?: RegExp;
}

/** The OpenAI Chat Completions endpoint as far as these clients use it, with a script for a model. */
export async function startFakeChat(script: ModelScript, names: ChatNames): Promise<FakeModel> {
  const requests: ModelRequest[] = [];
  const player = openPlayer(script);
  const server = await serveLoopback(async ({ method, path, body, at }) => {
    if (method === "GET" && path.includes("/models"))
      return json(200, { object: "list", data: [{ id: "fake-model", object: "model" }] });
    if (method !== "POST" || !/\/chat\/completions(\?|$)/.test(path)) return NOT_SCRIPTED;
    const asked = bodySchema.parse(body);
    const request = { ...toRequest(asked, body, names), at };
    requests.push(request);
    const step = await player.next(request.kind);
    const isCounted = names.isSummaryCounted === true && request.kind === "summary";
    return answered(asked, isCounted ? { ...step, contextFull: true } : step, names, requests.length);
  });
  const { play, left } = player;
  return { url: `${server.url}/v1`, requests, failures: server.failures, play, left, close: server.close };
}

/** Helpers of the clients that are no part of the conversation, and their own summaries of it. */
const SIDE = /SUGGESTION MODE|memory extraction subagent|security classifier/;
const SUMMARY = /summari[sz]e|summary of (?:the|our) conversation|structured (?:context )?summary|<state_snapshot>/i;
/** These ask for it with all their tools, so that what stands before it is in the model's cache. */
const HANDOFF =
  /^(?:<critical>\s*Write a handoff document|Please create a detailed summary of the conversation so far)/;

function toRequest(asked: Body, body: unknown, names: ChatNames): Omit<ModelRequest, "at"> {
  const texts = asked.messages.flatMap(({ role, content }) => textsOf(speaker(role), textOf(content), names));
  const tools = (asked.tools ?? []).map((definition) => ({ name: definition.function.name, definition }));
  const [first, last] = [texts.at(0)?.text ?? "", texts.at(-1)?.text ?? ""];
  const isSide = SIDE.test(first.slice(0, 300)) || SIDE.test(last.slice(0, 300));
  const isSummary = HANDOFF.test(last) || (tools.length === 0 && SUMMARY.test(first + last.slice(-6000)));
  return { kind: isSide ? "side" : isSummary ? "summary" : tools.length === 0 ? "side" : "turn", texts, tools, body };
}

function textsOf(from: RequestText["from"], text: string, { clientWords }: ChatNames): readonly RequestText[] {
  const at = from === "tool" && clientWords ? text.search(clientWords) : -1;
  if (at < 0) return [{ from, text }];
  return [
    { from, text: text.slice(0, at) },
    { from: "client", text: text.slice(at) },
  ];
}

function speaker(role: string): RequestText["from"] {
  return role === "assistant" ? "model" : role === "tool" ? "tool" : role === "user" ? "user" : "client";
}

function textOf(content: z.infer<typeof contentSchema>): string {
  return typeof content === "string" ? content : (content ?? []).map(({ text }) => text ?? "").join("");
}

function callOf(call: ModelCall, { ours, shell }: ChatNames): { readonly name: string; readonly input: object } {
  if (call.type === "shell") return shell(call.command);
  if (call.type === "own") return { name: call.name, input: call.input };
  return { name: ours(call.type === "todo" ? "todo" : call.tool), input: call.input };
}

function answered({ model, stream }: Body, step: ModelStep, names: ChatNames, nth: number): LoopbackReply {
  const calls = (step.calls ?? []).map((call, index) => {
    const { name, input } = callOf(call, names);
    const raw = call.type === "own" ? call.raw : undefined;
    const asked = { name, arguments: raw ?? JSON.stringify(input) };
    return { index, id: `call_${nth}_${index + 1}`, type: "function", function: asked };
  });
  const tokens = step.contextFull ? FULL_TOKENS : USUAL_TOKENS;
  const usage = { prompt_tokens: tokens, completion_tokens: 10, total_tokens: tokens + 10 };
  const head = { id: `chatcmpl-${nth}`, created: 1_700_000_000 + nth, model };
  const reason = calls.length > 0 ? "tool_calls" : "stop";
  const message = { role: "assistant", content: step.say ?? null, ...(calls.length > 0 && { tool_calls: calls }) };
  if (!stream) {
    const choices = [{ index: 0, message, finish_reason: reason }];
    return json(200, { ...head, object: "chat.completion", choices, usage });
  }
  const chunk = (delta: object, end: string | null) => ({
    ...head,
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta, finish_reason: end }],
  });
  return { type: "data", values: [chunk(message, null), chunk({}, reason), { ...head, choices: [], usage }] };
}
