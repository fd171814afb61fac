import type { Command } from "./command.js";

/** Light on purpose: help and completion read this table; zod and the rest load with the command that runs. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

export const COMMANDS: readonly CommandEntry[] = [
  {
    name: "call",
    summary: "Answer tool calls, one JSON line each, in any agent's dialect",
    load: async () => (await import("./commands/call.js")).call,
  },
  {
    name: "demo",
    summary: "Watch a scripted agent work through a list, offline",
    load: async () => (await import("./commands/demo.js")).demo,
  },
];
