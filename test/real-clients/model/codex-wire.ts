import { randomUUID } from "node:crypto";
import * as z from "zod";
import { type ModelCall, type ModelRequest, type ModelStep, NEVER_TOLD, type OfferedTool } from "./script.js";

// How a model of Codex calls tools: directly, after `tool_search`, or in code mode as JavaScript inside `exec`.

const OUR_NAMESPACE = "mcp__milepost";
const FUNCTIONS = "functions"; // code mode's namespace for Codex's own tools

interface WireTool {
  readonly type: string;
  readonly name?: string | undefined;
  readonly tools?: readonly WireTool[] | undefined;
}
const toolSchema: z.ZodType<WireTool> = z.looseObject({
  type: z.string(),
  name: z.string().optional(),
  tools: z.lazy(() => z.array(toolSchema)).optional(),
});
const bodySchema = z.looseObject({
  tools: z.array(toolSchema).optional(),
  input: z.array(z.looseObject({ type: z.string(), tools: z.array(toolSchema).optional() })),
});

/** Models with metadata get them in the body, code-mode models as the first item of the input. */
export function offeredTools(body: unknown): OfferedTool[] {
  const { tools = [], input } = bodySchema.parse(body);
  const added = input.flatMap((item) => item.tools ?? []);
  return [...tools, ...added].flatMap((tool) => {
    if (tool.type !== "namespace") return [{ name: tool.name ?? tool.type, definition: { ...tool } }];
    const prefix = tool.name === FUNCTIONS ? "" : `${tool.name}__`;
    return (tool.tools ?? []).map((member) => ({ name: `${prefix}${member.name}`, definition: { ...member } }));
  });
}

interface SpokenStep {
  readonly items: readonly object[];
  readonly isLookUp: boolean;
}

/** Speaks a step the way this request tells the model to. A tool the model was never told of throws. */
export function modelItems(step: ModelStep, request: ModelRequest): SpokenStep {
  const names = new Set(request.tools.map(({ name }) => name));
  const isOurs = step.calls?.some(({ type }) => type === "todo") ?? false;
  if (isOurs && !names.has(`${OUR_NAMESPACE}__todo`)) {
    if (!isTold(request)) throw new Error(`${NEVER_TOLD} todo.`);
    if (names.has("tool_search") && !hasLookedUp(request)) {
      return { items: [searchCall("milepost todo")], isLookUp: true };
    }
  }
  const calls = (step.calls ?? []).map((call) => ({ call_id: `call_${randomUUID()}`, ...callItem(call, names) }));
  return { items: [...messageItems(step), ...calls], isLookUp: false };
}

/** Anywhere in the request: as a source of `tool_search`, in instructions, in what a hook said. */
function isTold({ body }: ModelRequest): boolean {
  return /milepost/.test(JSON.stringify(offeredTools(body))) || JSON.stringify(body).includes(`${OUR_NAMESPACE}__todo`);
}

/** In vain, then: what is found is offered. */
const hasLookedUp = ({ body }: ModelRequest) => bodySchema.parse(body).input.at(-1)?.type === "tool_search_output";

function messageItems({ say }: ModelStep): object[] {
  if (say === undefined) return [];
  return [
    { type: "message", role: "assistant", id: `msg_${randomUUID()}`, content: [{ type: "output_text", text: say }] },
  ];
}

const searchCall = (query: string) => ({
  ...{ type: "tool_search_call", call_id: `call_${randomUUID()}`, execution: "client" },
  arguments: { query, limit: 8 },
});

function callItem(call: ModelCall, offered: ReadonlySet<string>): object {
  const { namespace, name, input } = toolOf(call);
  const isDirect = call.type === "guess" || offered.has(namespace ? `${namespace}__${name}` : name);
  if (!isDirect && offered.has("exec")) return execItem(namespace ? `${namespace}__${name}` : name, input);
  const item = { type: "function_call", name, arguments: JSON.stringify(input) };
  return namespace ? { ...item, namespace } : item;
}

const execItem = (tool: string, input: object) => ({
  type: "custom_tool_call",
  name: "exec",
  input: `const result = await tools.${tool}(${JSON.stringify(input)});
text(result.content?.[0]?.text ?? result.output ?? result);`,
});

function toolOf(call: ModelCall): { namespace?: string; name: string; input: object } {
  switch (call.type) {
    case "todo":
      return { namespace: OUR_NAMESPACE, name: "todo", input: call.input };
    case "shell":
      return { name: "exec_command", input: { cmd: call.command } };
    case "own":
      return { name: call.name, input: call.input };
    case "guess":
      return { namespace: OUR_NAMESPACE, name: call.tool, input: call.input };
  }
}
