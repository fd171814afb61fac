import { join, resolve } from "node:path";
import type { Environment } from "../../store-place.js";

// Where an agent keeps its settings and its sessions: its own variables count, each as the agent itself reads it. Setup
// and the reader of transcripts both look here, so they never mean different folders.

type FolderOf = (environment: Environment, userFolder: string) => string;

/** Some take `~` for the person's folder, to others it is a name; a relative path begins where they are started. */
function named(path: string, home?: string): string {
  return home !== undefined && /^~(?=$|[\\/])/.test(path) ? join(home, path.slice(1)) : resolve(path);
}

const ohMyPi: FolderOf = ({ PI_CODING_AGENT_DIR: agent, PI_CONFIG_DIR: own }, home) =>
  agent ? named(agent) : join(home, own || ".omp", "agent");

const pi: FolderOf = ({ PI_CODING_AGENT_DIR: agent }, home) =>
  agent ? named(agent, home) : join(home, ".pi", "agent");

const piSessions: FolderOf = (environment, home) => {
  const { PI_CODING_AGENT_SESSION_DIR: sessions } = environment;
  return sessions ? named(sessions, home) : join(pi(environment, home), "sessions");
};

const openclawHome: FolderOf = ({ OPENCLAW_HOME: own }, home) => (own ? named(own, home) : home);

const openclaw: FolderOf = (environment, home) => {
  const { OPENCLAW_STATE_DIR: state } = environment;
  const own = openclawHome(environment, home);
  return state ? named(state, own) : join(own, ".openclaw");
};

const openclawSettings: FolderOf = (environment, home) => {
  const { OPENCLAW_CONFIG_PATH: settings } = environment;
  return settings
    ? named(settings, openclawHome(environment, home))
    : join(openclaw(environment, home), "openclaw.json");
};

const opencode: FolderOf = ({ XDG_CONFIG_HOME: settings }, home) =>
  join(settings ? named(settings) : join(home, ".config"), "opencode");

const gemini: FolderOf = ({ GEMINI_CLI_HOME: own }, home) => join(own ? named(own) : home, ".gemini");

const qwen: FolderOf = ({ QWEN_HOME: own }, home) => (own ? named(own, home) : join(home, ".qwen"));

/** What it writes while it runs. */
const qwenRuntime: FolderOf = (environment, home) => {
  const { QWEN_RUNTIME_DIR: runtime } = environment;
  return runtime ? named(runtime, home) : qwen(environment, home);
};

const copilot: FolderOf = ({ COPILOT_HOME: own }, home) => (own ? named(own) : join(home, ".copilot"));

export const AGENT_FOLDERS = {
  ohMyPi,
  pi,
  piSessions,
  openclaw,
  openclawSettings,
  opencode,
  gemini,
  qwen,
  qwenRuntime,
  copilot,
} as const;
