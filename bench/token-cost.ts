import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { EMPTY_LIST, todosOf } from "../src/core/todo/list.js";
import { milepost } from "../src/dialects/milepost/todo-tool.js";
import { speak } from "../src/dialects/speak.js";

/** Framing that a protocol puts around each call and each result, in tokens. */
const FRAMING = 10;

export interface TokenCost {
  readonly steps: number;
  readonly calls: number;
  readonly written: number;
  readonly read: number;
  readonly definition: number;
}

export function tokens(text: string): number {
  return encode(text).length;
}

/** The whole life of a plan through our own dialect: created in one call, then one call for each completion. */
export function planCost(steps: readonly string[]): TokenCost {
  let list = EMPTY_LIST;
  let written = 0;
  let read = 0;
  let calls = 0;
  const call = (input: object) => {
    const spoken = speak(milepost, list, { tool: "todo", input: { value: input } });
    if (spoken.answer.isError) throw new Error(spoken.answer.text);
    list = spoken.list;
    written += FRAMING + tokens(`todo${JSON.stringify(input)}`);
    read += FRAMING + tokens(spoken.answer.text);
    calls += 1;
  };
  call({ add: steps });
  for (const { number } of todosOf(list)) call({ done: number });
  if (todosOf(list).some((todo) => todo.status !== "completed")) throw new Error("the plan was not finished");
  return { steps: steps.length, calls, written, read, definition: definitionTokens() };
}

/** What `tools/list` sends of a tool: name, description and schema. */
export function definitionTokens(): number {
  const { tools } = milepost;
  return tokens(
    JSON.stringify(tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))),
  );
}

const VERBS = "Inspect Refactor Document Simplify Benchmark Instrument Rewrite Validate Deprecate Review".split(" ");
const THINGS = [
  "the authentication middleware for refreshed access tokens",
  "the PostgreSQL migration that adds workspace quotas",
  "the flaky end-to-end checkout test on WebKit",
  "the OpenAPI schema for the webhook endpoints",
  "the retry logic around the S3 uploader",
];

/** Steps of eight words, all different, worded as agents word them: about nine tokens each. */
export function eightWordSteps(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => {
    const verb = VERBS[Math.floor(index / THINGS.length) % VERBS.length];
    return `${verb} ${THINGS[index % THINGS.length]}`;
  });
}

/** Growth exponent between two sizes: 1 is linear, 2 quadratic. */
export function exponent(small: TokenCost, large: TokenCost, of: (cost: TokenCost) => number): number {
  return Math.log(of(large) / of(small)) / Math.log(large.steps / small.steps);
}

export interface SentTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
}

/** What Claude Code writes around the words of servers, in tokens; measured in a request of 2.1.325. */
const CLAUDE_HEADING = 31;

/** What every request of Claude Code holds of a server of ours. */
export function claudeCodeTokens(tools: readonly SentTool[], instructions: string): number {
  const sent = tools.map(({ name, description, inputSchema }) =>
    JSON.stringify({ name: `mcp__milepost__${name}`, description, input_schema: inputSchema }),
  );
  return tokens(sent.join(",")) + CLAUDE_HEADING + tokens(`## milepost\n${instructions}`);
}

/** What every request of Codex holds of it, where its tools are direct: a namespace, described by the instructions. */
export function codexTokens(tools: readonly SentTool[], instructions: string): number {
  const sent = tools.map(({ name, description, inputSchema }) => {
    return { type: "function", name, description, strict: false, parameters: inputSchema };
  });
  return tokens(JSON.stringify({ type: "namespace", name: "mcp__milepost", description: instructions, tools: sent }));
}

/** Three tools for resources, which Codex adds for any server to models without code mode; measured in 0.166.0. */
export const CODEX_RESOURCE_TOOLS = 371;
