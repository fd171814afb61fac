import type { Environment } from "../store-place.js";

// Which agent a shell belongs to, by the variables that agents set for the commands they run. A hint and no lock: a
// command can take a variable out of its environment. It keeps an agent from approving its own plan in passing.

interface Mark {
  readonly variable: string;
  /** Only these values count; without them, every value but an empty or a negative one. */
  readonly values?: readonly string[];
  readonly agent: string;
}

/**
 * The first one that is set names the agent: forks come before those whose marks they set, too. Left out is what
 * editors set in the terminals of a person (CURSOR_TRACE_ID, CLAUDE_CODE_SSE_PORT, GEMINI_CLI_IDE_SERVER_PORT,
 * TERM_PROGRAM, VSCODE_*, ZED_TERM, REPL_ID) and what a person sets (CODEX_HOME, CLAUDE_CONFIG_DIR, COPILOT_MODEL).
 */
const MARKS: readonly Mark[] = [
  { variable: "OMPCODE", agent: "oh-my-pi" },
  { variable: "CLAUDECODE", agent: "Claude Code" },
  { variable: "CLAUDE_CODE_CHILD_SESSION", agent: "Claude Code" },
  { variable: "CODEX_THREAD_ID", agent: "Codex" },
  { variable: "CODEX_SESSION_ID", agent: "Codex" },
  { variable: "CODEX_CI", agent: "Codex" },
  { variable: "CODEX_SANDBOX", agent: "Codex" },
  { variable: "CODEX_SANDBOX_NETWORK_DISABLED", agent: "Codex" },
  { variable: "OPENCODE", agent: "opencode" },
  { variable: "GEMINI_CLI", agent: "Gemini CLI" },
  { variable: "QWEN_CODE", agent: "Qwen Code" },
  { variable: "COPILOT_CLI", agent: "Copilot CLI" },
  { variable: "COPILOT_AGENT_SESSION_ID", agent: "Copilot CLI" },
  { variable: "COPILOT_AGENT", agent: "Copilot" },
  { variable: "PI_CODING_AGENT", agent: "pi" },
  { variable: "PI_SESSION_ID", agent: "pi" },
  // A person's own line in OpenClaw's terminal has "tui-local".
  { variable: "OPENCLAW_SHELL", values: ["exec"], agent: "OpenClaw" },
  { variable: "HERMES_SESSION_ID", agent: "Hermes" },
  { variable: "CURSOR_AGENT", agent: "Cursor" },
  { variable: "CLINE_ACTIVE", agent: "Cline" },
  { variable: "ROO_ACTIVE", agent: "Roo Code" },
  { variable: "AMP_CURRENT_THREAD_ID", agent: "Amp" },
  { variable: "GOOSE_TERMINAL", agent: "goose" },
  { variable: "CRUSH", agent: "Crush" },
  { variable: "AUGMENT_AGENT", agent: "Augment" },
  { variable: "ANTIGRAVITY_AGENT", agent: "Antigravity" },
  { variable: "TRAE_AI_SHELL_ID", agent: "Trae" },
  // The two names that agents share. AGENT is an everyday word, so only what agents write into it counts.
  { variable: "AI_AGENT", agent: "an agent" },
  { variable: "AGENT", values: ["1", "true", "amp", "crush", "goose"], agent: "an agent" },
];

const NEGATIVE: ReadonlySet<string> = new Set(["", "0", "false", "no", "off"]);

/** The agent whose shell this is, as a message can name it; undefined in a person's. */
export function agentShell(environment: Environment): string | undefined {
  return MARKS.find(({ variable, values }) => {
    const value = environment[variable]?.trim().toLowerCase() ?? "";
    return values ? values.includes(value) : !NEGATIVE.has(value);
  })?.agent;
}
