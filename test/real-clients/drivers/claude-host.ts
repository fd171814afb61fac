import * as z from "zod";
import { startFakeMessages } from "../model/fake-messages.js";
import type { FakeModel, ModelRequest, ModelScript } from "../model/script.js";
import { CLAUDE_MODELS, claudeEnv } from "./claude.js";
import { type Message, openJsonProcess } from "./json-process.js";
import type { Sandbox } from "./sandbox.js";

/** Claude Code as editors run it: the host asks the person, and hands over what they said. */
export interface ClaudeHost {
  readonly model: FakeModel;
  /** Runs one prompt to its end, and gives the requests of that turn. */
  turn(prompt: string, script: ModelScript): Promise<readonly ModelRequest[]>;
  close(): Promise<void>;
}

export interface Person {
  /** What they say to a call: undefined lets it run as it is. */
  call?(tool: string, input: Message): Verdict | undefined;
  /** How they fill in a form of an MCP server. */
  form?(message: string): object;
}
type Verdict =
  | { readonly behavior: "allow"; readonly updatedInput: object }
  | { readonly behavior: "deny"; readonly message: string };

interface HostRun {
  readonly binary: string;
  readonly sandbox: Sandbox;
  readonly mode: "plan" | "default";
  readonly person: Person;
}

const callSchema = z.looseObject({
  subtype: z.literal("can_use_tool"),
  tool_name: z.string(),
  input: z.record(z.string(), z.unknown()),
});
const formSchema = z.looseObject({ subtype: z.literal("elicitation"), message: z.string() });
const askedSchema = z.looseObject({
  type: z.literal("control_request"),
  request_id: z.string(),
  request: z.union([callSchema, formSchema]),
});

export async function openClaudeHost({ binary, sandbox, mode, person }: HostRun): Promise<ClaudeHost> {
  const model = await startFakeMessages([]);
  const client = openJsonProcess({
    command: binary,
    args: [...ARGS, "--model", CLAUDE_MODELS[0], "--permission-mode", mode],
    cwd: sandbox.project,
    env: { ...sandbox.env, ...claudeEnv(model.url) },
    hear: (message) => {
      const { data } = askedSchema.safeParse(message);
      if (!data) return;
      const { request_id, request } = data;
      const response = answerOf(person, request);
      client.send({ type: "control_response", response: { subtype: "success", request_id, response } });
    },
  });
  client.send({ type: "control_request", request_id: "first", request: { subtype: "initialize", hooks: null } });
  return {
    model,
    close: () => client.close().then(model.close),
    turn: async (prompt, script) => {
      const first = model.requests.length;
      model.play(script);
      const ended = client.receive(({ type }) => type === "result", "the end of the turn");
      const message = { role: "user", content: prompt };
      client.send({ type: "user", message, parent_tool_use_id: null, session_id: "" });
      await ended;
      if (model.failures.length > 0) throw new Error(model.failures.join("\n"));
      return model.requests.slice(first);
    },
  };
}

function answerOf(person: Person, asked: z.infer<typeof askedSchema>["request"]): object {
  if (asked.subtype === "elicitation") return person.form?.(asked.message) ?? { action: "cancel" };
  return person.call?.(asked.tool_name, asked.input) ?? { behavior: "allow", updatedInput: asked.input };
}

const STREAMS = ["--input-format", "stream-json", "--output-format", "stream-json", "--verbose"];
const ARGS = ["-p", ...STREAMS, "--permission-prompt-tool", "stdio", "--allowedTools", "Bash"];
