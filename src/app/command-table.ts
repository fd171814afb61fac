import type { Command } from "./command.js";
import { TASK_COMMANDS } from "./commands/task/task-verbs.js";

/** Light on purpose: help and completion read this table; zod and the rest load with the command that runs. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

/** Commands of two words that belong together; without a second one the first of them is meant. */
export interface CommandGroup {
  readonly name: string;
  readonly summary: string;
  readonly details: string;
  readonly verbs: readonly CommandEntry[];
}

/** Started by an agent, not by a person: each is a file of its own that bin.ts runs. Here is only what help says. */
export interface SurfaceEntry {
  readonly name: string;
  readonly summary: string;
  readonly details: string;
}

export const SURFACES: readonly SurfaceEntry[] = [
  {
    name: "mcp",
    summary: "MCP server on standard input and output: todo and task tools for any client",
    details: `Flags:
  --dialect NAME  whose tools to offer (default: milepost); milepost call --help lists the dialects
  --session ID    todo list for every call (default: that of the client's session, else one per folder)
  --list NAME     task list for every call (default: the repository's, else the folder's)
  --store URL     a file, postgres://... or memory: (or MILEPOST_STORE)

Configuration for any MCP client:
  {"mcpServers": {"milepost": {"command": "milepost", "args": ["mcp"]}}}`,
  },
  {
    name: "hook",
    summary: "Hook for Claude Code and Codex: hook JSON in, hook JSON out",
    details:
      "milepost setup installs it. It takes no flags, reads one hook input from standard input, and always exits with 0.\nErrors are logged to milepost.log in Milepost's own folder.",
  },
  {
    name: "statusline",
    summary: "Progress of a session in one line, for a status bar",
    details:
      'milepost setup installs it. It reads {"session_id":"..."} from standard input and prints a line such as 3/7 ▸ Running tests',
  },
];

export const COMMANDS: readonly (CommandEntry | CommandGroup)[] = [
  {
    name: "watch",
    summary: "Show every session on this machine, live",
    load: async () => (await import("./commands/watch.js")).watch as Command,
  },
  {
    name: "sessions",
    summary: "List sessions, each with the command that resumes it",
    load: async () => (await import("./commands/sessions.js")).sessions as Command,
  },
  {
    name: "restore",
    summary: "Read todo lists, plans, tasks and calls from transcripts",
    load: async () => (await import("./commands/restore.js")).restore as Command,
  },
  {
    name: "call",
    summary: "Answer tool calls from standard input (JSON lines), in any agent's dialect",
    load: async () => (await import("./commands/call.js")).call as Command,
  },
  {
    name: "todo",
    summary: "Show or change a session's todo list: start, done, append, edit ...",
    load: async () => (await import("./commands/todo.js")).todo as Command,
  },
  TASK_COMMANDS,
  {
    name: "digest",
    summary: "Print a session's open todos, as text for a model",
    load: async () => (await import("./commands/digest.js")).digest as Command,
  },
  {
    name: "tell",
    summary: "Send a message to a session; its next hook delivers it",
    load: async () => (await import("./commands/tell.js")).tell as Command,
  },
  {
    name: "guidance",
    summary: "Print advice on when to keep a todo list, as text for a model",
    load: async () => (await import("./commands/guidance.js")).guidance as Command,
  },
  {
    name: "config",
    summary: "Show and change settings",
    load: async () => (await import("./commands/config.js")).config as Command,
  },
  {
    name: "events",
    summary: "Print the event log as JSON lines; --follow waits for new events",
    load: async () => (await import("./commands/show-events.js")).events as Command,
  },
  {
    name: "doctor",
    summary: "Check the store and the agents' setup for problems",
    load: async () => (await import("./commands/doctor.js")).doctor as Command,
  },
  {
    name: "setup",
    summary: "Add Milepost's MCP server, hooks and status line to Claude Code and Codex",
    load: async () => (await import("./commands/setup.js")).setup as Command,
  },
  {
    name: "unsetup",
    summary: "Remove what setup added to the agents' files",
    load: async () => (await import("./commands/unsetup.js")).unsetup as Command,
  },
  {
    name: "backup",
    summary: "Copy the store to a file, also while it is in use",
    load: async () => (await import("./commands/backup.js")).backup as Command,
  },
  {
    name: "export",
    summary: "Export the whole store as JSON lines",
    load: async () => (await import("./commands/export.js")).exportCommand as Command,
  },
  {
    name: "import",
    summary: "Import a file that milepost export wrote",
    load: async () => (await import("./commands/import.js")).importCommand as Command,
  },
  {
    name: "forget",
    summary: "Delete everything stored about one session",
    load: async () => (await import("./commands/forget.js")).forget as Command,
  },
  {
    name: "demo",
    summary: "Watch a scripted agent work through a todo list, offline",
    load: async () => (await import("./commands/demo.js")).demo as Command,
  },
];
