import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { CommandContext } from "../../command-definition.js";
import { homeFolder } from "../../store-place.js";
import type { Agent, World } from "./agent.js";
import { claudeCode } from "./claude-code.js";
import { codex } from "./codex-cli.js";
import { copilot } from "./copilot-cli.js";
import { gemini } from "./gemini-cli.js";
import { openclaw } from "./openclaw-agent.js";
import { opencode } from "./opencode-cli.js";
import { ohMyPi, pi } from "./pi-agents.js";
import { qwenCode } from "./qwen-code.js";

export const AGENTS: readonly Agent[] = [claudeCode, codex, ohMyPi, pi, openclaw, opencode, gemini, qwenCode, copilot];

export function worldOf({ environment, program }: CommandContext): World {
  return { environment, program, home: homeFolder(environment) };
}

/** The one that was named, there or not; else those that are found. */
export function findAgents(world: World, name: string | undefined): readonly Agent[] {
  return AGENTS.filter((agent) => (name === undefined ? isInstalled(agent, world) : agent.name === name));
}

/** Its folder is there, or it can be started. */
export function isInstalled(agent: Agent, world: World): boolean {
  return existsSync(agent.folder(world)) || findBinary(agent.binary, world) !== undefined;
}

/** The first file on the PATH that would be started. */
export function findBinary(binary: string, { environment, program }: World): string | undefined {
  const endings = program.platform === "win32" ? [".exe", ".cmd", ".bat", ""] : [""];
  const folders = (environment.PATH ?? environment.Path ?? "").split(delimiter).filter(Boolean);
  const files = folders.flatMap((folder) => endings.map((ending) => join(folder, `${binary}${ending}`)));
  return files.find(canRun);
}

function canRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
