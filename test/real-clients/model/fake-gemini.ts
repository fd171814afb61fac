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
const FULL_TOKENS = 9000;

const partSchema = z.looseObject({
  text: z.string().optional(),
  functionResponse: z.looseObject({ response: z.looseObject({}) }).optional(),
});
const contentSchema = z.looseObject({ role: z.string().optional(), parts: z.array(partSchema).default([]) });
const bodySchema = z.looseObject({
  contents: z.array(contentSchema),
  systemInstruction: contentSchema.optional(),
  tools: z
    .array(z.looseObject({ functionDeclarations: z.array(z.looseObject({ name: z.string() })).optional() }))
    .optional(),
});
type Body = z.infer<typeof bodySchema>;
type Part = z.infer<typeof partSchema>;

/** The Gemini API as far as Gemini CLI uses it, with a script for a model. */
export async function startFakeGemini(script: ModelScript): Promise<FakeModel> {
  const requests: ModelRequest[] = [];
  const player = openPlayer(script);
  const server = await serveLoopback(async ({ method, path, body, at }) => {
    if (method === "POST" && path.includes(":countTokens")) return json(200, { totalTokens: USUAL_TOKENS });
    if (method !== "POST" || !/:(?:stream)?generateContent/i.test(path)) return NOT_SCRIPTED;
    const request = { ...toRequest(bodySchema.parse(body), body), at };
    requests.push(request);
    const answer = answerOf(await player.next(request.kind), requests.length);
    return path.includes(":stream") ? streamed(answer) : json(200, answer);
  });
  const { play, left } = player;
  return { url: server.url, requests, failures: server.failures, play, left, close: server.close };
}

const streamed = (answer: object): LoopbackReply => ({ type: "data", values: [answer], isUnmarked: true });

function toRequest({ contents, systemInstruction, tools = [] }: Body, body: unknown): Omit<ModelRequest, "at"> {
  const system = (systemInstruction?.parts ?? []).map(({ text = "" }): RequestText => ({ from: "client", text }));
  const texts = contents.flatMap(({ role, parts }) => parts.map((part) => textOf(part, role === "model")));
  const offered = tools.flatMap(({ functionDeclarations = [] }) =>
    functionDeclarations.map((definition) => ({ name: definition.name, definition })),
  );
  const isSummary = offered.length === 0 && system.some(({ text }) => text.includes("state_snapshot"));
  const kind = isSummary ? "summary" : offered.length === 0 ? "side" : "turn";
  return { kind, texts: [...system, ...texts], tools: offered, body };
}

function textOf({ text = "", functionResponse }: Part, isModel: boolean): RequestText {
  if (functionResponse) return { from: "tool", text: Object.values(functionResponse.response).join("\n") };
  return { from: isModel ? "model" : "user", text };
}

function callOf(call: ModelCall): { readonly name: string; readonly args: object } {
  if (call.type === "shell") return { name: "run_shell_command", args: { command: call.command } };
  if (call.type === "own") return { name: call.name, args: call.input };
  return { name: `mcp_milepost_${call.type === "todo" ? "todo" : call.tool}`, args: call.input };
}

function answerOf({ say, calls = [], contextFull }: ModelStep, nth: number): object {
  const parts = [
    ...(say === undefined ? [] : [{ text: say }]),
    ...calls.map((call, index) => ({ functionCall: { id: `call_${nth}_${index + 1}`, ...callOf(call) } })),
  ];
  const prompt = contextFull ? FULL_TOKENS : USUAL_TOKENS;
  return {
    candidates: [{ content: { role: "model", parts }, finishReason: "STOP", index: 0 }],
    usageMetadata: { promptTokenCount: prompt, candidatesTokenCount: 10, totalTokenCount: prompt + 10 },
    modelVersion: "fake-model",
    responseId: `r${nth}`,
  };
}
