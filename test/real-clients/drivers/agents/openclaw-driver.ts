import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startFakeChat } from "../../model/fake-chat.js";
import { shell, todo } from "../../model/script.js";
import { newerNode } from "../acp-agents.js";
import { ensureAgent } from "../clients.js";
import type { DrivenAgent } from "./driven-agent.js";

const VERSION = "2026.9.6";
const WINDOW = 200_000;
const SESSION = "probe-session";

const settings = (url: string, project: string) => ({
  models: {
    mode: "replace",
    providers: {
      fake: {
        baseUrl: url,
        apiKey: "not-a-key",
        api: "openai-completions",
        models: [{ id: "fake-model", name: "fake", reasoning: false, input: ["text"], contextWindow: WINDOW }],
      },
    },
  },
  agents: {
    defaults: {
      model: { primary: "fake/fake-model" },
      workspace: project,
      skipBootstrap: true,
      // A conversation of the test's length is worth a summary, and that is all of its requests besides the turns.
      compaction: { mode: "default", keepRecentTokens: 50, memoryFlush: { enabled: false } },
    },
  },
});

export const openclaw: DrivenAgent = {
  agent: "openclaw",
  version: VERSION,
  async install() {
    const modules = await ensureAgent("openclaw", { openclaw: VERSION });
    return [await newerNode(), join(modules, "openclaw/openclaw.mjs")];
  },
  startModel: (script) =>
    startFakeChat(script, {
      ours: (tool) => `milepost__${tool}`,
      shell: (command) => ({ name: "exec", input: { command } }),
    }),
  configure({ home, project }, url) {
    const folder = join(home, ".openclaw");
    mkdirSync(folder);
    const text = JSON.stringify(settings(url, project), undefined, 2);
    writeFileSync(join(folder, "openclaw.json"), `// my own\n${text}\n`);
    return { OPENCLAW_NO_RESPAWN: "1" };
  },
  prompt: (text, session) => [
    ...["agent", "--local", "--json", "--agent", "main"],
    ...["--session-id", session ?? SESSION, "--message", text],
  ],
  files: [".openclaw/openclaw.json", ".openclaw/extensions"],
  todo: (input) => [todo(input)],
  // Direct, and its own card is not beside it: neither among the tools nor among those that can be searched.
  isTold: ({ tools, texts }) =>
    tools.some(({ name }) => name === "milepost__todo") && !texts.some(({ text }) => text.includes("progress_card")),
  shell,
  compaction: () => [shell("seq 1 300"), { say: "First part done.", contextFull: true }],
  ownList: {
    vectors: "openclaw-card-probed.json",
    // Behind its search an answer comes inside of another one.
    settle({ home }) {
      const file = join(home, ".openclaw/openclaw.json");
      writeFileSync(file, readFileSync(file, "utf8").replace("{", '{ "tools": { "toolSearch": false },'));
    },
  },
  resumeCommand: (session) => `openclaw agent --message continue --session-id ${session}`,
};
