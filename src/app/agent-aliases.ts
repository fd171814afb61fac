/** The agents by the names people use for them: words, separated by blanks, and the name that is meant. */
export const AGENT_ALIASES: readonly (readonly [words: string, meant: string])[] = [
  ["claude claudecode claude_code cc", "claude-code"],
  ["codex-cli openai", "codex"],
  ["omp ohmypi oh_my_pi", "oh-my-pi"],
];

/** Agents whose sessions are shown without any wiring. */
export const KNOWN_AGENTS: readonly string[] = [...AGENT_ALIASES.map(([, meant]) => meant), "pi", "hermes"];

/** Names that are no other word for an agent stay: transcripts may know more agents. */
export function agentNamed(typed: string): string {
  const name = typed.toLowerCase();
  return AGENT_ALIASES.find(([words]) => words.split(" ").includes(name))?.[1] ?? name;
}
