import { readdirSync, realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { AGENT_FOLDERS } from "../../setup/agents/agent-folders.js";
import type { Environment } from "../../store-place.js";

/** A folder in which an agent keeps its transcripts, or a file that holds all of them. */
export interface Root {
  readonly agent: string;
  readonly folder: string;
}

/** Every folder that is there, under its real name: what lies behind a link elsewhere is not ours to read. */
export function transcriptRoots(environment: Environment, userFolder: string): readonly Root[] {
  const claude = environment.CLAUDE_CONFIG_DIR
    ? [environment.CLAUDE_CONFIG_DIR]
    : [join(userFolder, ".claude"), join(environment.XDG_CONFIG_HOME || join(userFolder, ".config"), "claude")];
  const codex = environment.CODEX_HOME || join(userFolder, ".codex");
  const hermes = environment.HERMES_HOME || join(userFolder, ".hermes");
  const wanted: readonly Root[] = [
    ...claude.map((folder) => ({ agent: "claude-code", folder: join(folder, "projects") })),
    { agent: "codex", folder: join(codex, "sessions") },
    { agent: "codex", folder: join(codex, "archived_sessions") },
    ...piRoots(environment, userFolder),
    { agent: "gemini", folder: join(AGENT_FOLDERS.gemini(environment, userFolder), "tmp") },
    { agent: "qwen", folder: join(AGENT_FOLDERS.qwenRuntime(environment, userFolder), "projects") },
    { agent: "copilot", folder: join(AGENT_FOLDERS.copilot(environment, userFolder), "session-state") },
    { agent: "hermes", folder: join(hermes, "sessions") },
    { agent: "hermes", folder: join(hermes, "state.db") },
    ...openclawRoots(environment, userFolder),
    { agent: "opencode", folder: opencodeFile(environment, userFolder) },
  ];
  const real = wanted.flatMap(({ agent, folder }) => {
    const found = realFolder(folder);
    return found === undefined ? [] : [{ agent, folder: found }];
  });
  return real.filter(({ folder }, at) => real.findIndex((other) => other.folder === folder) === at);
}

/** oh-my-pi obeys pi's variable too, and has places of its own beside it. */
function piRoots(environment: Environment, userFolder: string): readonly Root[] {
  const { XDG_DATA_HOME: data } = environment;
  const own = join(userFolder, environment.PI_CONFIG_DIR || ".omp");
  return [
    { agent: "oh-my-pi", folder: join(own, "agent", "sessions") },
    ...(data ? [{ agent: "oh-my-pi", folder: join(data, "omp", "sessions") }] : []),
    { agent: "pi", folder: join(AGENT_FOLDERS.pi(environment, userFolder), "sessions") },
    { agent: "pi", folder: AGENT_FOLDERS.piSessions(environment, userFolder) },
    // Another folder than pi's where the variable begins with ~.
    { agent: "oh-my-pi", folder: join(AGENT_FOLDERS.ohMyPi(environment, userFolder), "sessions") },
  ];
}

/** A database for each of the agents that a person has made there; other files beside it are not sessions. */
function openclawRoots(environment: Environment, userFolder: string): readonly Root[] {
  const agents = join(AGENT_FOLDERS.openclaw(environment, userFolder), "agents");
  return namesIn(agents)
    .slice(0, MOST_AGENTS)
    .map((name) => ({ agent: "openclaw", folder: join(agents, name, "agent", "openclaw-agent.sqlite") }));
}

const MOST_AGENTS = 100;

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/** Its database; a name that is no path is one in its own folder. */
function opencodeFile({ OPENCODE_DB: named, XDG_DATA_HOME: data }: Environment, userFolder: string): string {
  return resolve(data || join(userFolder, ".local", "share"), "opencode", named || "opencode.db");
}

function realFolder(folder: string): string | undefined {
  try {
    return realpathSync(folder);
  } catch {
    return undefined;
  }
}
