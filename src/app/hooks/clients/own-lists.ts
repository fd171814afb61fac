import type { OfferingClient } from "../../settings.js";

type Tools = Readonly<Record<string, string>>;

/** Hooks of these two look alike: neither has a tool of the other's name. */
const FIRST: Tools = { TodoWrite: "claude", update_plan: "codex" };

/** Tools with which a client's model writes its own list, and the dialect that each of them speaks. */
const OWN_LISTS: Readonly<Record<OfferingClient, Tools>> = {
  "claude-code": FIRST,
  codex: FIRST,
  "oh-my-pi": { todo: "oh-my-pi/18", todo_write: "oh-my-pi" },
  pi: {},
  openclaw: { progress_card: "openclaw" },
  opencode: { todowrite: "opencode" },
  gemini: { write_todos: "gemini" },
  qwen: { todo_write: "qwen" },
  copilot: { sql: "copilot" },
};

/** Undefined for a tool that writes no list. */
export function ownListDialect(client: OfferingClient, tool: string): string | undefined {
  return Object.hasOwn(OWN_LISTS[client], tool) ? OWN_LISTS[client][tool] : undefined;
}
