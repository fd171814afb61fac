import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fail, ok, type Result } from "../../../core/result.js";
import type { World } from "../agents/agent.js";
import { AGENTS } from "../agents/wired-agents.js";
import { readText } from "../config-file.js";
import { type Copy, isInside, isTemporary, replaceFolder } from "../durable-copy.js";
import { installedPlugin } from "./installed-plugin.js";

/** The plugin where it stays, and what has to be copied first. Claude Code runs it where it lies. */
export interface DurablePlugin {
  readonly folder: string;
  readonly copy?: Copy;
}

function pluginFolder({ home }: World): string {
  return join(resolve(home), "plugin");
}

export function durablePlugin(world: World): Result<DurablePlugin> {
  const from = dirname(world.program.bundle);
  if (!existsSync(join(from, ".claude-plugin")))
    return fail({
      code: "no-plugin",
      message: "This copy of Milepost has no plugin with it. Run: npx milepost plugin",
    });
  const to = pluginFolder(world);
  if (isInside(from, to) || !isTemporary(from, world)) return ok({ folder: from });
  const files = neededFiles(from, world.program.platform);
  if (files.every((file) => isSame(join(from, file), join(to, file)))) return ok({ folder: to });
  return ok({
    folder: to,
    copy: { from, to, run: () => replaceFolder(to, (folder) => copyFiles(from, folder, files)) },
  });
}

/** Not the library, and only the binaries of this system. */
function neededFiles(folder: string, platform: string): readonly string[] {
  const isNeeded = (path: string) =>
    path.startsWith("sqlite/") ? path.startsWith(`sqlite/${platform}-`) : !/^types\/|^[^/]+\.js$|^\.built$/.test(path);
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll("\\", "/"),
    )
    .filter(isNeeded);
}

function isSame(one: string, other: string): boolean {
  return existsSync(other) && readFileSync(one).equals(readFileSync(other));
}

function copyFiles(from: string, to: string, files: readonly string[]): void {
  for (const file of files) {
    mkdirSync(dirname(join(to, file)), { recursive: true });
    cpSync(join(from, file), join(to, file));
  }
}

/** The copy goes when no client has the plugin any more. */
export function removePluginCopy(world: World): void {
  const isUsed = AGENTS.some((agent) => installedPlugin(agent, world, readText) !== undefined);
  if (!isUsed) rmSync(pluginFolder(world), { recursive: true, force: true });
}
