import { isId } from "../../core/id.js";
import { type JsonObject, oneLine } from "../../core/json.js";

/** Names that say which agent it is, as it calls itself or as its command is called; the first that fits. */
const NAMES: readonly (readonly [pattern: RegExp, agent: string])[] = [
  [/claude/, "claude-code"],
  [/codex/, "codex"],
  [/oh-my-pi|pi-coding-agent|^omp$/, "oh-my-pi"],
  [/openclaw/, "openclaw"],
  [/opencode/, "opencode"],
  [/gemini/, "gemini"],
  [/qwen/, "qwen"],
  [/copilot/, "copilot"],
  [/hermes/, "hermes"],
];

function agentIn(name: string): string | undefined {
  const low = name.toLowerCase();
  return NAMES.find(([pattern]) => pattern.test(low))?.[1];
}

/** Behind which nothing tells of an agent any more. */
const MOST_WORDS = 20;

/** What the command of an agent tells: `codex-acp` says nothing else of who it is. */
export function agentOfCommand(words: readonly string[]): string {
  for (const word of words.slice(0, MOST_WORDS)) {
    for (const part of word.split(/[\\/]/)) {
      const known = agentIn(part);
      if (known !== undefined) return known;
    }
  }
  return "acp";
}

const NAME_MAX = 40;

/** What it says of itself in its first answer; undefined where it says nothing that could be a name. */
export function agentOfInfo({ name, title }: JsonObject): string | undefined {
  const told = oneLine(name, NAME_MAX) ?? oneLine(title, NAME_MAX);
  if (told === undefined) return undefined;
  const plain = told
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, "-")
    .replace(/^[-.]+|[-.]+$/g, "");
  return agentIn(told) ?? (isId(plain) ? plain : undefined);
}
