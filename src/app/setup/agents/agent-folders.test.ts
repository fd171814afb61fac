import { resolve } from "node:path";
import { expect, test } from "vitest";
import { AGENT_FOLDERS } from "./agent-folders.js";

const here = resolve(".");

test.each<[keyof typeof AGENT_FOLDERS, Readonly<Record<string, string>>, string]>([
  ["ohMyPi", {}, "/u/.omp/agent"],
  ["ohMyPi", { PI_CODING_AGENT_DIR: "~/a" }, `${here}/~/a`],
  ["ohMyPi", { PI_CODING_AGENT_DIR: "a" }, `${here}/a`],
  ["pi", { PI_CODING_AGENT_DIR: "~/a" }, "/u/a"],
  ["pi", { PI_CODING_AGENT_DIR: "~" }, "/u"],
  ["pi", { PI_CODING_AGENT_DIR: "a" }, `${here}/a`],
  ["piSessions", {}, "/u/.pi/agent/sessions"],
  ["piSessions", { PI_CODING_AGENT_SESSION_DIR: "~/s" }, "/u/s"],
  ["openclaw", { OPENCLAW_HOME: "~/o" }, "/u/o/.openclaw"],
  ["openclaw", { OPENCLAW_HOME: "/o", OPENCLAW_STATE_DIR: "~/s" }, "/o/s"],
  ["opencode", { XDG_CONFIG_HOME: "x" }, `${here}/x/opencode`],
  ["gemini", { GEMINI_CLI_HOME: "~/g" }, `${here}/~/g/.gemini`],
  ["gemini", { GEMINI_CLI_HOME: "g" }, `${here}/g/.gemini`],
  ["qwen", { QWEN_HOME: "~/q" }, "/u/q"],
  ["qwen", { QWEN_HOME: "~q" }, `${here}/~q`],
  ["qwen", { QWEN_HOME: "q" }, `${here}/q`],
  ["qwenRuntime", { QWEN_HOME: "~/q", QWEN_RUNTIME_DIR: "~/r" }, "/u/r"],
  ["copilot", { COPILOT_HOME: "~/c" }, `${here}/~/c`],
])("%s with %j", (agent, environment, folder) => {
  expect(AGENT_FOLDERS[agent](environment, "/u")).toBe(folder);
});
