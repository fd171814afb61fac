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
    summary: "MCP server on standard input and output: todos and tasks for any client",
    details: `Flags:
  --dialect NAME  whose tools are offered (default: milepost); milepost call --help names them all
  --session ID    one list for every call; default: the client's own session, else one per folder
  --list NAME     one list of tasks for every call; default: that of the repository, else of the folder
  --store URL     a file, postgres://... or memory: (or MILEPOST_STORE)

For any MCP client:
  {"mcpServers": {"milepost": {"command": "milepost", "args": ["mcp"]}}}`,
  },
  {
    name: "hook",
    summary: "For Claude Code and Codex: hook JSON in, hook JSON out",
    details:
      "milepost setup wires it. It takes no flags, reads one hook input from standard input, and always ends with 0:\nwhat went wrong is a line in milepost.log in Milepost's own folder.",
  },
  {
    name: "statusline",
    summary: "For a status bar: how far a session is, in one line",
    details:
      'milepost setup wires it. It reads {"session_id":"..."} from standard input and prints, for example: 3/7 ▸ Running tests',
  },
];

export const COMMANDS: readonly (CommandEntry | CommandGroup)[] = [
  {
    name: "watch",
    summary: "Every session on this machine, live",
    load: async () => (await import("./commands/watch.js")).watch as Command,
  },
  {
    name: "sessions",
    summary: "What sessions there are, and how to go on with each",
    load: async () => (await import("./commands/sessions.js")).sessions as Command,
  },
  {
    name: "restore",
    summary: "What is in transcripts: lists, plans, tasks, calls",
    load: async () => (await import("./commands/restore.js")).restore as Command,
  },
  {
    name: "call",
    summary: "Answer tool calls, one JSON line each, in any agent's dialect",
    load: async () => (await import("./commands/call.js")).call as Command,
  },
  {
    name: "todo",
    summary: "Your own hand on a session's list: show, start, done, append, edit ...",
    load: async () => (await import("./commands/todo.js")).todo as Command,
  },
  TASK_COMMANDS,
  {
    name: "digest",
    summary: "The open todos of a session, as text for a model",
    load: async () => (await import("./commands/digest.js")).digest as Command,
  },
  {
    name: "tell",
    summary: "Say something to a session; its next hook delivers it",
    load: async () => (await import("./commands/tell.js")).tell as Command,
  },
  {
    name: "guidance",
    summary: "When and how to keep a list, as text for a model",
    load: async () => (await import("./commands/guidance.js")).guidance as Command,
  },
  {
    name: "config",
    summary: "Settings, and where each comes from",
    load: async () => (await import("./commands/config.js")).config as Command,
  },
  {
    name: "events",
    summary: "Print the log as JSON lines, and follow it",
    load: async () => (await import("./commands/show-events.js")).events as Command,
  },
  {
    name: "doctor",
    summary: "Check the store and what agents start, and say what is wrong",
    load: async () => (await import("./commands/doctor.js")).doctor as Command,
  },
  {
    name: "setup",
    summary: "Wire agents: tools, hooks and a status line in their own files",
    load: async () => (await import("./commands/setup.js")).setup as Command,
  },
  {
    name: "unsetup",
    summary: "Take out again what setup has put into agents' files",
    load: async () => (await import("./commands/unsetup.js")).unsetup as Command,
  },
  {
    name: "backup",
    summary: "Copy the store into a file, while it is in use",
    load: async () => (await import("./commands/backup.js")).backup as Command,
  },
  {
    name: "export",
    summary: "Write everything as JSON lines",
    load: async () => (await import("./commands/export.js")).exportCommand as Command,
  },
  {
    name: "import",
    summary: "Take in what export has written",
    load: async () => (await import("./commands/import.js")).importCommand as Command,
  },
  {
    name: "forget",
    summary: "Delete everything about one session",
    load: async () => (await import("./commands/forget.js")).forget as Command,
  },
  {
    name: "demo",
    summary: "Watch a scripted agent work through a list, offline",
    load: async () => (await import("./commands/demo.js")).demo as Command,
  },
];
