import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startFakeChat } from "../../model/fake-chat.js";
import { say, shell, todo } from "../../model/script.js";
import { ensureAgent } from "../clients.js";
import type { DrivenAgent } from "./driven-agent.js";

const PACKAGE = "@github/copilot";
const VERSION = "1.0.102";

/** A small one: with what it says itself, half of it is full before anything is said. */
const WINDOW = 26_000;
/** Enough to fill four fifths of it. */
const LONG_TEXT = Array.from({ length: 800 }, (_, at) => `Row ${at} of file ${at * 7919} has ${at * 31} signs.`);

export const copilot: DrivenAgent = {
  agent: "copilot",
  version: VERSION,
  async install() {
    const modules = await ensureAgent("copilot", { [PACKAGE]: VERSION });
    return [process.execPath, join(modules, PACKAGE, "npm-loader.js")];
  },
  startModel: (script) =>
    startFakeChat(script, {
      ours: (tool) => `milepost-${tool}`,
      shell: (command) => ({ name: "bash", input: { command, description: "Run it" } }),
      clientWords: /\n\nTool "[^"]+" (?:succeeded|failed)\. Additional guidance from /,
    }),
  configure({ home }, url) {
    mkdirSync(join(home, ".copilot"));
    const other = { type: "local", command: "true", args: [], tools: [] };
    writeFileSync(join(home, ".copilot/mcp-config.json"), `${JSON.stringify({ mcpServers: { other } }, null, 4)}\n`);
    return {
      COPILOT_OFFLINE: "true",
      COPILOT_AUTO_UPDATE: "false",
      COPILOT_PROVIDER_BASE_URL: url,
      COPILOT_PROVIDER_API_KEY: "not-a-key",
      COPILOT_MODEL: "fake-model",
      COPILOT_PROVIDER_MAX_PROMPT_TOKENS: String(WINDOW),
      COPILOT_PROVIDER_MAX_OUTPUT_TOKENS: "8192",
    };
  },
  // Only the shell is allowed by the person: for our own tool nobody is asked.
  prompt: (text, session) => [
    "--allow-tool=shell",
    ...(session === undefined ? [] : [`--resume=${session}`]),
    ...["-p", text],
  ],
  files: [".copilot/mcp-config.json", ".copilot/hooks", ".copilot/settings.json"],
  todo: (input) => [todo(input)],
  isTold: ({ tools }) => tools.some(({ name }) => name === "milepost-todo"),
  shell,
  // It looks at a prompt how full it is, and goes on beside the summary: what has the summary is the request behind it.
  compaction: () => [
    { say: LONG_TEXT.join("\n"), ...shell("echo long") },
    say("Half of it is done."),
    shell("sleep 2"),
    shell("echo more"),
  ],
  ownList: { vectors: "copilot-probed.json", env: { COPILOT_PROVIDER_MAX_PROMPT_TOKENS: "200000" } },
  resumeCommand: (session) => `copilot --resume=${session}`,
};
