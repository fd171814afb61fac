import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startFakeGemini } from "../../model/fake-gemini.js";
import { shell, todo } from "../../model/script.js";
import { ensureAgent } from "../clients.js";
import type { DrivenAgent } from "./driven-agent.js";

const PACKAGE = "@google/gemini-cli";
const VERSION = "0.61.0";
/** Its own list tool is there with models of this generation only. */
const MODEL = "gemini-2.5-flash";

/** Of a million tokens: what the scripted model reports as full is more. */
const COMPACTS_AT = 0.002;

const SETTINGS = {
  security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  general: { enableAutoUpdate: false },
  model: { compressionThreshold: COMPACTS_AT },
};

/** Long enough to be worth a summary, and no sentence of it comes again: the client looks for loops. */
const LONG_TEXT = Array.from({ length: 400 }, (_, at) => `Row ${at} of file ${at * 7919} has ${at * 31} signs.`);

export const gemini: DrivenAgent = {
  agent: "gemini",
  version: VERSION,
  async install() {
    const modules = await ensureAgent("gemini", { [PACKAGE]: VERSION });
    return [process.execPath, join(modules, PACKAGE, "bundle", "gemini.js")];
  },
  startModel: startFakeGemini,
  configure({ home }, url) {
    mkdirSync(join(home, ".gemini"), { recursive: true });
    const settings = JSON.stringify(SETTINGS, undefined, 2);
    writeFileSync(join(home, ".gemini/settings.json"), `// my own\n${settings}\n`);
    return {
      GEMINI_API_KEY: "not-a-key",
      GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_CLI_TRUST_WORKSPACE: "true",
      GEMINI_CLI_NO_RELAUNCH: "true",
    };
  },
  prompt: (text, session) => [
    ...["--model", MODEL, "--approval-mode", "yolo"],
    ...(session === undefined ? [] : ["--resume", session]),
    ...["--prompt", text],
  ],
  files: [".gemini/settings.json", ".gemini/GEMINI.md"],
  todo: (input) => [todo(input)],
  isTold: ({ tools }) => tools.some(({ name }) => name === "mcp_milepost_todo"),
  shell,
  compaction: () => [{ say: LONG_TEXT.join("\n"), ...shell("echo long"), contextFull: true }],
  ownList: { vectors: "gemini-probed.json" },
  resumeCommand: (session) => `gemini --resume ${session}`,
};
