import { spawn } from "node:child_process";
import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { objectAt, parseJson } from "../../core/json.js";
import { readPlainOr } from "../read-plain.js";
import type { Agent, World } from "./agents/agent.js";
import { findBinary } from "./agents/wired-agents.js";

/** Milliseconds. A version is a courtesy: nobody waits for it. */
const LIMIT = 1500;

const VERSION = /\d+\.\d+\.\d+(?:-[\w.]+)?/;
const WHOLE_VERSION = new RegExp(`^v?(${VERSION.source})$`);

/** The version of an agent's command; undefined where it cannot be had at once. Its files tell, else it is asked. */
export async function agentVersion(agent: Agent, world: World, limit = LIMIT): Promise<string | undefined> {
  const binary = findBinary(agent.binary, world);
  if (binary === undefined) return undefined;
  const file = realPath(binary);
  return (
    versionOfPackage(file, agent.binary) ??
    versionInPath(file, agent.binary) ??
    (await saidVersion(binary, world, limit))
  );
}

/** npm's packages: the command is a file of the package, or the start of one. */
function versionOfPackage(file: string, command: string): string | undefined {
  for (let folder = dirname(file), depth = 0; depth < 4 && folder !== dirname(folder); depth += 1) {
    const { bin, version } = objectAt(parseJson(readPlainOr(join(folder, "package.json"), "")));
    if (Object.hasOwn(objectAt(bin), command)) return WHOLE_VERSION.exec(String(version))?.[1];
    folder = dirname(folder);
  }
  return undefined;
}

/** Installers put each version into a place of its own: `claude/versions/2.1.325`, `Caskroom/codex/0.166.0/codex`. */
function versionInPath(file: string, command: string): string | undefined {
  const parts = file.split(/[\\/]/);
  const isNamed = (at: number) => parts.slice(Math.max(0, at - 2), at).some((part) => part.startsWith(command));
  return parts.map((part, at) => (isNamed(at) ? WHOLE_VERSION.exec(part)?.[1] : undefined)).findLast(Boolean);
}

function saidVersion(binary: string, { environment }: World, limit: number): Promise<string | undefined> {
  const child = spawn(binary, ["--version"], { env: environment, stdio: ["ignore", "pipe", "ignore"] });
  return new Promise((resolve) => {
    let said = "";
    const finish = (version: string | undefined) => {
      clearTimeout(timer);
      // Whatever it has started may hold the pipe open; we do not wait for that either.
      child.stdout.destroy();
      child.unref();
      resolve(version);
    };
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      finish(undefined);
    }, limit);
    child.stdout.setEncoding("utf8").on("data", (text) => {
      said = `${said}${text}`.slice(0, 200);
      if (said.includes("\n")) finish(VERSION.exec(said)?.[0]);
    });
    child.once("error", () => finish(undefined));
    child.once("close", () => finish(VERSION.exec(said)?.[0]));
  });
}

function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}
