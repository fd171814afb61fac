import { copilot } from "./copilot-driver.js";
import type { DrivenAgent } from "./driven-agent.js";
import { gemini } from "./gemini-driver.js";
import { openclaw } from "./openclaw-driver.js";
import { opencode } from "./opencode-driver.js";
import { ohMyPi, pi } from "./pi-drivers.js";
import { qwen } from "./qwen-driver.js";

/** Agents that are run with `MILEPOST_AGENTS=NAME,NAME` or `MILEPOST_AGENTS=all`: each is some hundred megabytes. */
export const DRIVEN_AGENTS: readonly DrivenAgent[] = [ohMyPi, pi, openclaw, opencode, gemini, qwen, copilot];

const asked = (process.env.MILEPOST_AGENTS ?? "").split(",").map((name) => name.trim());

export const isAgentAsked = ({ agent }: Pick<DrivenAgent, "agent">) => asked.includes("all") || asked.includes(agent);
