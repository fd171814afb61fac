import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startFakeChat } from "../../model/fake-chat.js";
import { shell, todo } from "../../model/script.js";
import { newerNode } from "../acp-agents.js";
import { ensureAgent } from "../clients.js";
import type { DrivenAgent } from "./driven-agent.js";

const VERSION = "0.24.4";

const SETTINGS = {
  $version: 4,
  security: { auth: { selectedType: "openai" }, folderTrust: { enabled: false } },
  privacy: { usageStatisticsEnabled: false },
  general: { disableAutoUpdate: true, enableAutoUpdate: false },
  tools: { approvalMode: "yolo", todoWrite: { enabled: true } },
  memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false },
};

/** It knows no exceptions from a proxy. */
const NO_PROXY = Object.fromEntries(
  ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"].flatMap((name) => [
    [name, ""],
    [name.toLowerCase(), ""],
  ]),
);

export const qwen: DrivenAgent = {
  agent: "qwen",
  version: VERSION,
  async install() {
    const modules = await ensureAgent("qwen", { "@qwen-code/qwen-code": VERSION });
    return [await newerNode(), join(modules, "@qwen-code/qwen-code/cli-entry.js")];
  },
  startModel: (script) =>
    startFakeChat(script, {
      ours: (tool) => `mcp__milepost__${tool}`,
      shell: (command) => ({ name: "run_shell_command", input: { command, is_background: false } }),
      isSummaryCounted: true,
    }),
  configure({ home }, url) {
    mkdirSync(join(home, ".qwen"));
    writeFileSync(join(home, ".qwen/settings.json"), `${JSON.stringify(SETTINGS, null, 2)}\n`);
    const model = { OPENAI_API_KEY: "not-a-key", OPENAI_BASE_URL: url, OPENAI_MODEL: "fake-model" };
    return { ...NO_PROXY, ...model, QWEN_CODE_NO_RELAUNCH: "true" };
  },
  prompt: (text, session) => [...(session === undefined ? [] : ["--resume", session]), "-p", text],
  files: [".qwen/settings.json"],
  todo: (input) => [todo(input)],
  // The other list is not beside it.
  isTold: ({ tools }) => {
    const names = tools.map(({ name }) => name);
    return names.includes("mcp__milepost__todo") && !names.includes("todo_write");
  },
  shell,
  compaction: () => [{ say: "First part done.", contextFull: true }],
  ownList: { vectors: "qwen-probed.json" },
  resumeCommand: (session) => `qwen --resume ${session}`,
};
