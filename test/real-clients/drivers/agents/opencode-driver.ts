import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startFakeChat } from "../../model/fake-chat.js";
import { shell, todo } from "../../model/script.js";
import { ensureAgent } from "../clients.js";
import type { DrivenAgent } from "./driven-agent.js";

const VERSION = "1.18.33";
const FOLDER = ".config/opencode";

const settings = (baseURL: string) => ({
  model: "fake/fake-model",
  small_model: "fake/fake-model",
  share: "disabled",
  permission: "allow",
  provider: {
    fake: {
      npm: "@ai-sdk/openai-compatible",
      name: "fake",
      options: { baseURL, apiKey: "not-a-key" },
      models: { "fake-model": { name: "fake", tool_call: true, limit: { context: 200_000, output: 8192 } } },
    },
  },
});

/** It has what it fetches for plugins already: without that it tries for minutes to reach the network. */
const FETCHED = { "@opencode-ai/plugin": VERSION };

const QUIET = ["AUTOUPDATE", "MODELS_FETCH", "LSP_DOWNLOAD", "DEFAULT_PLUGINS"];

export const opencode: DrivenAgent = {
  agent: "opencode",
  version: VERSION,
  async install() {
    const modules = await ensureAgent("opencode", { "opencode-ai": VERSION });
    return [join(modules, `opencode-${process.platform}-${process.arch}`, "bin", "opencode")];
  },
  startModel: (script) =>
    startFakeChat(script, {
      ours: (tool) => `milepost_${tool}`,
      shell: (command) => ({ name: "bash", input: { command, description: "Runs a command" } }),
    }),
  configure({ home }, url) {
    const folder = join(home, FOLDER);
    mkdirSync(join(folder, "node_modules"), { recursive: true });
    writeFileSync(join(folder, "opencode.jsonc"), `// my own\n${JSON.stringify(settings(url), null, 2)}\n`);
    writeFileSync(join(folder, "package.json"), JSON.stringify({ dependencies: FETCHED }));
    const lock = { lockfileVersion: 3, packages: { "": { dependencies: FETCHED } } };
    writeFileSync(join(folder, "package-lock.json"), JSON.stringify(lock));
    return Object.fromEntries(QUIET.map((name) => [`OPENCODE_DISABLE_${name}`, "1"]));
  },
  prompt: (text, session) => ["run", ...(session === undefined ? [] : ["--session", session]), text],
  files: [`${FOLDER}/opencode.json`, `${FOLDER}/opencode.jsonc`, `${FOLDER}/plugin`],
  todo: (input) => [todo(input)],
  // The other list is not beside it.
  isTold: ({ tools }) => {
    const names = tools.map(({ name }) => name);
    return names.includes("milepost_todo") && !names.includes("todowrite");
  },
  shell,
  compaction: () => [{ say: "First part done.", ...shell("echo long"), contextFull: true }],
  ownList: { vectors: "opencode-probed.json" },
  resumeCommand: (session) => `opencode -s ${session}`,
};
