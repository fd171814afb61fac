import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startFakeChat } from "../../model/fake-chat.js";
import { type ModelScript, shell, todo } from "../../model/script.js";
import { newerNode, OH_MY_PI, PI_MODEL } from "../acp-agents.js";
import { ensureAgent } from "../clients.js";
import type { Sandbox } from "../sandbox.js";
import type { DrivenAgent } from "./driven-agent.js";

// oh-my-pi and pi: the same extension in two programs of one family.

const VERSIONS = { ohMyPi: "18.2.3", pi: "0.73.1" };
const MODEL = "fake/fake-model";
const OUR_TODO = "mcp__milepost_todo";
const PI_PACKAGE = "@mariozechner/pi-coding-agent";

const startModel = (script: ModelScript) =>
  startFakeChat(script, {
    ours: (tool) => `mcp__milepost_${tool}`,
    shell: (command) => ({ name: "bash", input: { command } }),
  });

/** An extension of the person's own stays as it is. */
function putNeighbour(home: string, folder: string): void {
  mkdirSync(join(home, folder, "extensions"), { recursive: true });
  writeFileSync(join(home, folder, "extensions/mine.js"), "export default function mine() {}\n");
}

const common = {
  startModel,
  todo: (input) => [todo(input)],
  // The other list is not beside it.
  isTold: ({ tools }) => {
    const names = tools.map(({ name }) => name);
    return names.includes(OUR_TODO) && !names.includes("todo");
  },
  shell,
  compaction: () => [{ say: "First part done.", contextFull: true }],
} satisfies Partial<DrivenAgent>;

export const ohMyPi: DrivenAgent = {
  ...common,
  agent: "oh-my-pi",
  version: VERSIONS.ohMyPi,
  async install() {
    const words = await OH_MY_PI.install();
    return words.filter((word) => word !== "acp");
  },
  configure(sandbox: Sandbox, url: string) {
    putNeighbour(sandbox.home, ".omp/agent");
    const env = { PI_NO_TITLE: "1", PI_SMOL_MODEL: MODEL, PI_SLOW_MODEL: MODEL, OMP_NO_UPDATE: "1" };
    return { ...OH_MY_PI.configure(sandbox, url), ...env };
  },
  prompt: (text, session) => [
    ...["-p", "--model", MODEL, "--no-lsp"],
    ...(session === undefined ? [] : ["--resume", session]),
    text,
  ],
  files: [".omp/agent/extensions", ".omp/agent/models.yml"],
  // In the middle of its work: what follows is no prompt.
  compaction: () => [{ ...shell("echo long"), say: "First part is under way.", contextFull: true }],
  ownList: {
    vectors: "oh-my-pi-18-probed.json",
    tool: "todo",
    // Of 18.3.4, whose other packages are not to be had.
    earlier: { begin: "Invalid todo arguments: ", leftOut: ["wrong types"] },
  },
  resumeCommand: (session) => `omp --resume ${session}`,
};

export const pi: DrivenAgent = {
  ...common,
  agent: "pi",
  version: VERSIONS.pi,
  async install() {
    const modules = await ensureAgent("pi", { [PI_PACKAGE]: VERSIONS.pi });
    return [await newerNode(), join(modules, PI_PACKAGE, "dist/cli.js")];
  },
  configure({ home }, url) {
    putNeighbour(home, ".pi/agent");
    const provider = { baseUrl: url, apiKey: "not-a-key", api: "openai-completions", models: [PI_MODEL] };
    writeFileSync(join(home, ".pi/agent/models.json"), JSON.stringify({ providers: { fake: provider } }));
    return { PI_OFFLINE: "1", PI_SKIP_VERSION_CHECK: "1" };
  },
  prompt: (text, session) => [
    ...["-p", "--model", MODEL],
    ...(session === undefined ? [] : ["--session", session]),
    text,
  ],
  files: [".pi/agent/extensions", ".pi/agent/models.json"],
  resumeCommand: (session) => `pi --session ${session}`,
};
