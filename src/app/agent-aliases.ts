/** The agents by the names people use for them: words, separated by blanks, and the name that is meant. */
export const AGENT_ALIASES: readonly (readonly [words: string, meant: string])[] = [
  ["claude claudecode claude_code cc", "claude-code"],
  ["codex-cli openai", "codex"],
  ["omp ohmypi oh_my_pi", "oh-my-pi"],
  ["claw open-claw", "openclaw"],
  ["oc open-code", "opencode"],
  ["gemini-cli geminicli google", "gemini"],
  ["qwen-code qwencode", "qwen"],
  ["copilot-cli github-copilot gh-copilot", "copilot"],
];

/** Agents whose sessions are shown without any wiring. */
export const KNOWN_AGENTS: readonly string[] = [...AGENT_ALIASES.map(([, meant]) => meant), "pi", "hermes"];

/** The same by the names that their makers give them, for sentences. */
export const KNOWN_TITLES = `Claude Code, Codex, oh-my-pi, pi, OpenClaw, opencode, Gemini CLI, Qwen Code, Copilot CLI
and Hermes`;

/** Names that are no other word for an agent stay: transcripts may know more agents. */
export function agentNamed(typed: string): string {
  const name = typed.toLowerCase();
  return AGENT_ALIASES.find(([words]) => words.split(" ").includes(name))?.[1] ?? name;
}
