import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { startFakeChat } from "../model/fake-chat.js";
import { startFakeMessages } from "../model/fake-messages.js";
import { startFakeResponses } from "../model/fake-responses.js";
import type { FakeModel, ModelScript, ModelStep } from "../model/script.js";
import { claudeEnv } from "./claude.js";
import { ensureAgent } from "./clients.js";
import type { Sandbox } from "./sandbox.js";

// Agents that speak ACP, each as its users start it, against a scripted model.

export interface AcpAgent {
  readonly name: string;
  /** As we call it. */
  readonly agent: string;
  /** Its command. */
  install(): Promise<readonly string[]>;
  startModel(script: ModelScript): Promise<FakeModel>;
  /** Writes its settings; returns what its environment needs. */
  configure(sandbox: Sandbox, url: string): Record<string, string>;
  /** Its list tool: three writes that are taken, and one that is refused. */
  readonly list: { readonly first: ModelStep; readonly refused: ModelStep; readonly last: ModelStep };
  /** Where its transcript of a session is. */
  transcript(sandbox: Sandbox, session: string): string;
}

const own = (name: string, input: Readonly<Record<string, unknown>>): ModelStep => ({
  calls: [{ type: "own", name, input }],
});

/** Newer than what runs the tests: these agents ask for it. */
export async function newerNode(): Promise<string> {
  const name = `node-${process.platform}-${process.arch}`;
  return join(await ensureAgent("node-24", { [name]: "24.21.0" }), name, "bin", "node");
}

function put(file: string, value: unknown): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof value === "string" ? value : JSON.stringify(value));
}

function find(folder: string, name: string): string {
  const found = readdirSync(folder, { recursive: true, encoding: "utf8" }).find(
    (path) => path.includes(name) && path.endsWith(".jsonl"),
  );
  if (found === undefined) throw new Error(`No transcript of ${name} below ${folder}.`);
  return join(folder, found);
}

const todos = (...rows: readonly (readonly [content: string, status: string, activeForm: string])[]) => ({
  todos: rows.map(([content, status, activeForm]) => ({ content, status, activeForm })),
});

const claude: AcpAgent = {
  name: "claude-agent-acp",
  agent: "claude-code",
  async install() {
    const modules = await ensureAgent("claude-acp", { "@agentclientprotocol/claude-agent-acp": "0.99.1" });
    return [await newerNode(), join(modules, "@agentclientprotocol/claude-agent-acp/dist/index.js")];
  },
  startModel: startFakeMessages,
  configure: (_, url) => ({
    ...claudeEnv(url),
    ANTHROPIC_MODEL: "claude-sonnet-4-6",
    ENABLE_TOOL_SEARCH: "false",
    // Its list, in place of its tasks.
    CLAUDE_CODE_ENABLE_TASKS: "0",
  }),
  list: {
    first: own("TodoWrite", todos(["Read it", "in_progress", "Reading it"], ["Fix it", "pending", "Fixing it"])),
    refused: own("TodoWrite", { todos: [{ content: "Refused", status: "pending" }] }),
    last: own("TodoWrite", todos(["Read it", "completed", "Reading it"], ["Fix it", "in_progress", "Fixing it"])),
  },
  transcript: ({ home }, session) => find(join(home, "claude", "projects"), session),
};

const steps = (...rows: readonly (readonly [step: string, status: string])[]) =>
  rows.map(([step, status]) => ({ step, status }));

const codex: AcpAgent = {
  name: "codex-acp",
  agent: "codex",
  async install() {
    const modules = await ensureAgent("codex-acp", { "@zed-industries/codex-acp": "0.16.0" });
    const folder = join(modules, `@zed-industries/codex-acp-${process.platform}-${process.arch}`);
    // It cannot read the table that Codex itself is wired with.
    return [join(folder, "bin", "codex-acp"), "-c", "features.code_mode=false"];
  },
  startModel: startFakeResponses,
  configure(sandbox, url) {
    const provider = `[model_providers.fake]\nname = "fake"\nbase_url = "${url}"\nwire_api = "responses"\n`;
    const settings = `model = "gpt-5.2"\nmodel_provider = "fake"\nmodel_auto_compact_token_limit = 50000\n`;
    put(join(sandbox.home, "codex", "config.toml"), `${settings}\n${provider}`);
    return { OPENAI_API_KEY: "not-a-key", RUST_LOG: "error" };
  },
  list: {
    first: own("update_plan", { explanation: "first", plan: steps(["Read it", "in_progress"], ["Fix it", "pending"]) }),
    refused: own("update_plan", { plan: steps(["Refused", "nonsense"]) }),
    last: own("update_plan", { plan: steps(["Read it", "completed"], ["Fix it", "in_progress"]) }),
  },
  transcript: ({ home }, session) => find(join(home, "codex", "sessions"), session),
};

export const PI_MODEL = {
  id: "fake-model",
  name: "fake",
  reasoning: false,
  input: ["text"],
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 200_000,
  maxTokens: 8192,
};

const ohMyPi: AcpAgent = {
  name: "oh-my-pi",
  agent: "oh-my-pi",
  async install() {
    const platform = `${process.platform}-${process.arch}`;
    const modules = await ensureAgent("oh-my-pi", {
      [`@oven/bun-${platform}`]: "1.4.4",
      "@oh-my-pi/pi-coding-agent": "18.2.3",
      [`@oh-my-pi/pi-natives-${platform}`]: "18.2.3",
    });
    return [
      join(modules, `@oven/bun-${platform}`, "bin", "bun"),
      join(modules, "@oh-my-pi/pi-coding-agent/dist/cli.js"),
      "acp",
    ];
  },
  startModel: (script) =>
    startFakeChat(script, {
      ours: (tool) => `mcp__milepost_${tool}`,
      shell: (command) => ({ name: "bash", input: { command } }),
    }),
  configure({ home }, url) {
    const fake = { baseUrl: url, apiKey: "not-a-key", api: "openai-completions", models: [PI_MODEL] };
    put(join(home, ".omp/agent/models.yml"), { providers: { fake } });
    put(join(home, ".omp/agent/config.yml"), "modelRoles:\n  default: fake/fake-model\n");
    return {};
  },
  list: {
    first: own("todo", {
      op: "init",
      list: [
        { phase: "A", items: ["Read it"] },
        { phase: "B", items: ["Fix it"] },
      ],
    }),
    refused: own("todo", { op: "done", task: "nothing like it" }),
    last: own("todo", { op: "done", task: "Read it" }),
  },
  transcript: ({ home }, session) => find(join(home, ".omp", "agent", "sessions"), session),
};

const qwenTodos = (...rows: readonly (readonly [content: string, status: string])[]) => ({
  todos: rows.map(([content, status], at) => ({ id: `${at + 1}`, content, status })),
});

const qwen: AcpAgent = {
  name: "Qwen Code",
  agent: "qwen",
  async install() {
    const modules = await ensureAgent("qwen", { "@qwen-code/qwen-code": "0.24.4" });
    return [await newerNode(), join(modules, "@qwen-code/qwen-code/cli-entry.js"), "--acp"];
  },
  startModel: (script) =>
    startFakeChat(script, {
      ours: (tool) => `mcp__milepost__${tool}`,
      shell: (command) => ({ name: "run_shell_command", input: { command, is_background: false } }),
    }),
  configure({ home }, url) {
    put(join(home, ".qwen/settings.json"), {
      security: { auth: { selectedType: "openai" } },
      privacy: { usageStatisticsEnabled: false },
      tools: { todoWrite: { enabled: true }, approvalMode: "yolo" },
      memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false },
    });
    // It knows no exceptions from a proxy.
    const none = Object.fromEntries(
      ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"].flatMap((name) => [
        [name, ""],
        [name.toLowerCase(), ""],
      ]),
    );
    return { ...none, OPENAI_API_KEY: "not-a-key", OPENAI_BASE_URL: url, OPENAI_MODEL: "fake-model" };
  },
  list: {
    first: own("todo_write", qwenTodos(["Read it", "in_progress"], ["Fix it", "pending"])),
    refused: own("todo_write", qwenTodos(["Refused", "nonsense"])),
    last: own("todo_write", qwenTodos(["Read it", "completed"], ["Fix it", "in_progress"])),
  },
  transcript: ({ home }, session) => find(join(home, ".qwen", "projects"), session),
};

export const ACP_AGENTS: readonly AcpAgent[] = [claude, codex, ohMyPi, qwen];
export const OH_MY_PI = ohMyPi;
export const CLAUDE_ACP = claude;
export const CODEX_ACP = codex;

/** acpx, an ACP client without a window: the words before its own. */
export async function installAcpx(): Promise<readonly string[]> {
  const modules = await ensureAgent("acpx", { acpx: "0.19.1" });
  return [await newerNode(), join(modules, "acpx/dist/cli.js")];
}
