import { describe, expect, test } from "vitest";
import { agentShell } from "./agent-shell.js";

// What the agents really set for a command of theirs; a session's own values are shortened.
const AGENTS: { name: string; environment: Record<string, string> }[] = [
  { name: "Claude Code", environment: { CLAUDECODE: "1", CLAUDE_CODE_ENTRYPOINT: "cli" } }, // up to 2.1.30
  {
    name: "Claude Code",
    environment: {
      AI_AGENT: "claude-code_2-1-325_agent",
      CLAUDECODE: "1",
      CLAUDE_CODE_CHILD_SESSION: "1",
      CLAUDE_CODE_SESSION_ID: "0941d3fe",
      TERM_PROGRAM: "vscode",
    },
  },
  { name: "Claude Code", environment: { CLAUDE_CODE_CHILD_SESSION: "1" } },
  {
    name: "Codex",
    environment: {
      CODEX_CI: "1",
      CODEX_HOME: "/home/dev/.codex",
      CODEX_THREAD_ID: "01a1e6ce",
      CODEX_VERSION: "0.166.0",
    },
  },
  { name: "Codex", environment: { CODEX_SANDBOX: "seatbelt" } },
  { name: "Codex", environment: { CODEX_SANDBOX_NETWORK_DISABLED: "1" } },
  { name: "opencode", environment: { AGENT: "1", OPENCODE: "1", OPENCODE_PID: "4242" } },
  { name: "Gemini CLI", environment: { GEMINI_CLI: "1" } },
  { name: "Qwen Code", environment: { QWEN_CODE: "1" } },
  { name: "Copilot CLI", environment: { COPILOT_AGENT_SESSION_ID: "s-1", COPILOT_CLI: "1" } },
  {
    name: "Copilot",
    environment: { AI_AGENT: "github_copilot_vscode_agent", COPILOT_AGENT: "1", TERM_PROGRAM: "vscode" },
  },
  { name: "oh-my-pi", environment: { AGENT: "1", CLAUDECODE: "1", OMPCODE: "1" } },
  { name: "pi", environment: { AI_AGENT: "pi", PI_CODING_AGENT: "true" } },
  { name: "OpenClaw", environment: { OPENCLAW_SHELL: "exec" } },
  { name: "Hermes", environment: { HERMES_SESSION_ID: "s-1" } },
  { name: "Cursor", environment: { CURSOR_AGENT: "1", CURSOR_TRACE_ID: "t-1" } },
  { name: "Cline", environment: { CLINE_ACTIVE: "true", TERM_PROGRAM: "vscode" } },
  { name: "Amp", environment: { AGENT: "amp", AMP_CURRENT_THREAD_ID: "T-1" } },
  { name: "goose", environment: { AGENT: "goose", GOOSE_TERMINAL: "1" } },
  { name: "Crush", environment: { AGENT: "crush", AI_AGENT: "crush", CRUSH: "1" } },
  { name: "an agent", environment: { AI_AGENT: "one-of-tomorrow@1" } },
  { name: "an agent", environment: { AGENT: "1" } },
];

const PEOPLE: { where: string; environment: Record<string, string> }[] = [
  { where: "a terminal", environment: { HOME: "/home/dev", SHELL: "/bin/zsh", TERM: "xterm-256color" } },
  { where: "VS Code", environment: { TERM_PROGRAM: "vscode", VSCODE_GIT_ASKPASS_MAIN: "/opt/code", VSCODE_PID: "7" } },
  {
    where: "VS Code with the extensions of Claude Code and Gemini",
    environment: { CLAUDE_CODE_SSE_PORT: "4711", ENABLE_IDE_INTEGRATION: "true", GEMINI_CLI_IDE_SERVER_PORT: "4712" },
  },
  { where: "Cursor", environment: { CURSOR_TRACE_ID: "t-1", TERM_PROGRAM: "vscode" } },
  { where: "Zed", environment: { TERM_PROGRAM: "zed", ZED_TERM: "true" } },
  { where: "an IDE of JetBrains", environment: { TERMINAL_EMULATOR: "JetBrains-JediTerm" } },
  { where: "OpenClaw's own terminal", environment: { OPENCLAW_SHELL: "tui-local" } },
  {
    where: "a shell with agents' settings",
    environment: { CLAUDE_CONFIG_DIR: "/home/dev/.claude", CODEX_HOME: "/home/dev/.codex", COPILOT_MODEL: "gpt-5.5" },
  },
  {
    where: "a shell where AGENT means something else",
    environment: { AGENT: "/usr/bin/ssh-agent", SSH_AUTH_SOCK: "/s" },
  },
  { where: "a shell that took them back", environment: { AI_AGENT: "", CLAUDECODE: "0", CODEX_CI: "false" } },
];

describe("the agent that a shell belongs to", () => {
  for (const { name, environment } of AGENTS) {
    test(`${Object.keys(environment).join(", ")}: ${name}`, () => expect(agentShell(environment)).toBe(name));
  }
  for (const { where, environment } of PEOPLE) {
    test(`nobody's in ${where}`, () => expect(agentShell(environment)).toBeUndefined());
  }
});
