import * as z from "zod";
import { startFakeResponses } from "../model/fake-responses.js";
import type { FakeModel, ModelRequest, ModelScript } from "../model/script.js";
import { CODEX_MODELS, codexSettings } from "./codex.js";
import { type JsonProcess, type Message, openJsonProcess } from "./json-process.js";
import type { Sandbox } from "./sandbox.js";

/** `codex app-server`, as editors run Codex: each turn says its mode. */
export interface AppServer {
  readonly thread: string;
  readonly model: FakeModel;
  /** Runs one prompt to its end, and gives the requests of that turn. */
  turn(prompt: string, mode: "plan" | "default", script: ModelScript): Promise<readonly ModelRequest[]>;
  close(): Promise<void>;
}

interface AppServerRun {
  readonly binary: string;
  readonly sandbox: Sandbox;
  readonly name?: string;
  /** How the person fills in a form of an MCP server. */
  readonly form?: (message: string) => object;
}

const startedSchema = z.looseObject({ thread: z.looseObject({ id: z.string() }) });
const formSchema = z.looseObject({
  method: z.literal("mcpServer/elicitation/request"),
  id: z.number(),
  params: z.looseObject({ message: z.string() }),
});
const completedSchema = z.looseObject({ turn: z.looseObject({ status: z.literal("completed") }) });

export async function openAppServer({ binary, sandbox, name, form }: AppServerRun): Promise<AppServer> {
  const model = await startFakeResponses([]);
  const spoken = name ?? CODEX_MODELS[0];
  const server = openJsonProcess({
    command: binary,
    args: ["app-server", ...codexSettings(spoken, model.url)],
    cwd: sandbox.project,
    env: { ...sandbox.env, RUST_LOG: "error" },
    hear: (message) => {
      const { data } = formSchema.safeParse(message);
      if (data) server.send({ id: data.id, result: form?.(data.params.message) ?? { action: "cancel" } });
    },
  });
  const ask = asker(server);
  const close = () => server.close().then(model.close);
  try {
    const thread = await startThread(server, ask, sandbox);
    return { thread, model, close, turn: turnOf({ server, ask, model, thread, spoken }) };
  } catch (error) {
    await close();
    throw error;
  }
}

type Ask = (method: string, params: object) => Promise<unknown>;

function asker(server: JsonProcess): Ask {
  let last = 0;
  return async (method, params) => {
    const id = ++last;
    const answer = server.receive((message) => message.id === id && !("method" in message), `an answer to ${method}`);
    server.send({ id, method, params });
    const { error, result } = await answer;
    if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result;
  };
}

/** No command is asked for or fenced in, so that only Milepost can refuse one of ours. */
async function startThread(server: JsonProcess, ask: Ask, { project }: Sandbox): Promise<string> {
  const clientInfo = { name: "milepost-tests", title: "Tests", version: "0.0.1" };
  await ask("initialize", { clientInfo, capabilities: { experimentalApi: true } });
  server.send({ method: "initialized" });
  const started = await ask("thread/start", {
    cwd: project,
    approvalPolicy: "on-request", // with "never", nobody sees a form
    sandbox: "danger-full-access",
    config: { bypass_hook_trust: true }, // a person trusts hooks in the terminal
  });
  return startedSchema.parse(started).thread.id;
}

interface Thread {
  readonly server: JsonProcess;
  readonly ask: Ask;
  readonly model: FakeModel;
  readonly thread: string;
  readonly spoken: string;
}

const turnOf =
  ({ server, ask, model, thread, spoken }: Thread): AppServer["turn"] =>
  async (prompt, mode, script) => {
    const first = model.requests.length;
    model.play(script);
    const ended = server.receive((message: Message) => message.method === "turn/completed", "the end of the turn");
    const settings = { model: spoken, reasoning_effort: null, developer_instructions: null };
    await ask("turn/start", {
      threadId: thread,
      input: [{ type: "text", text: prompt, text_elements: [] }],
      collaborationMode: { mode, settings },
    });
    completedSchema.parse((await ended).params);
    if (model.failures.length > 0) throw new Error(model.failures.join("\n"));
    return model.requests.slice(first);
  };
