import type { SessionView } from "../../../core/session/session-facts.js";

/** The words before the id; after `=` there is no blank. */
const RESUME: Readonly<Record<string, string>> = {
  "claude-code": "claude --resume",
  codex: "codex resume",
  "oh-my-pi": "omp --resume",
  pi: "pi --session",
  gemini: "gemini --resume",
  qwen: "qwen --resume",
  copilot: "copilot --resume=",
  hermes: "hermes --resume",
  openclaw: "openclaw agent --message continue --session-id",
  opencode: "opencode -s",
};

/** Agents whose transcripts are read. */
export const RESUMED_AGENTS: readonly string[] = Object.keys(RESUME);

/** Ids are checked where they are read, so this is safe to paste. */
export function resumeCommand({ id, agent, parent }: Pick<SessionView, "id" | "agent" | "parent">): string | null {
  const command = Object.hasOwn(RESUME, agent) ? RESUME[agent] : undefined;
  if (command === undefined || parent !== null || id.includes("/")) return null;
  return command.endsWith("=") ? `${command}${id}` : `${command} ${id}`;
}
