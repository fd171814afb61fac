import { acp } from "./acp/acp-plan.js";
import { claude } from "./claude/claude.js";
import { claudeTasks } from "./claude/task-tools.js";
import { codex } from "./codex/codex.js";
import { copilot } from "./copilot/copilot.js";
import type { Dialect } from "./dialect.js";
import { gemini } from "./gemini/gemini.js";
import { gencode } from "./gencode/gencode.js";
import { gencodeNode } from "./gencode/gencode-node.js";
import { hermes } from "./hermes/hermes.js";
import { milepostTask } from "./milepost/task/task-tool.js";
import { milepost } from "./milepost/todo-tool.js";
import { nexo, nexoStrict } from "./nexo/nexo.js";
import { nexoTaskflow } from "./nexo/taskflow.js";
import { ohMyPi } from "./oh-my-pi/oh-my-pi.js";
import { ohMyPi18 } from "./oh-my-pi/v18/oh-my-pi-18.js";
import { openclaw } from "./openclaw/openclaw.js";
import { opencode } from "./opencode/opencode.js";
import { qwen } from "./qwen/qwen.js";
import type { TaskDialect } from "./task-dialect.js";

/** Every dialect we speak; the first one is the default. */
export const DIALECTS: readonly Dialect[] = [
  milepost,
  claude,
  codex,
  ohMyPi,
  ohMyPi18,
  hermes,
  nexo,
  nexoStrict,
  gencode,
  gencodeNode,
  openclaw,
  gemini,
  qwen,
  opencode,
  acp,
  copilot,
];

export function findDialect(name: string): Dialect | undefined {
  return DIALECTS.find((dialect) => dialect.name === name);
}

/** Every dialect that has tools for tasks. One that has tools for a list too goes by the same name in both tables. */
export const TASK_DIALECTS: readonly TaskDialect[] = [milepostTask, claudeTasks, nexoTaskflow];

export function findTaskDialect(name: string): TaskDialect | undefined {
  return TASK_DIALECTS.find((dialect) => dialect.name === name);
}
