// The words that settings are made of: the types in settings.ts and the entries take them from here.

/** Clients whose hooks are told by their input alone, and may reach us through our server or as commands. */
export const FIRST_CLIENTS = ["claude-code", "codex"] as const;

/** Clients for which setup chooses what their models are offered. */
export const OFFERING_CLIENTS = [
  ...FIRST_CLIENTS,
  "oh-my-pi",
  "pi",
  "openclaw",
  "opencode",
  "gemini",
  "qwen",
  "copilot",
] as const;

/** Whose list tool a model has: our `todo`, or only the client's own. */
export const LIST_TOOLS = ["ours", "client"] as const;

/** How a client's hooks reach us: through our running server, or each as a process. */
export const HOOK_WAYS = ["server", "commands"] as const;

/** A second todo in progress where a dialect would allow it; the strictest is last. */
export const FOCUS_RULES = ["dialect", "remind", "reject"] as const;

/** What sub-agents have: what the dialect says, no list, the session's, or each its own. */
export const SUB_AGENTS = ["dialect", "none", "shared", "own"] as const;

/** An agent's name, as `sessions` shows it. */
export const AGENT_NAME = /^[a-z][a-z0-9-]{0,39}$/;
