import { type CommandEntry, type CommandGroup, entry } from "./command.js";
import { TASK_COMMANDS } from "./commands/task/task-verbs.js";
import { TODO_COMMANDS } from "./commands/todo/todo-verbs.js";

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

/** Light on purpose: help and completion read this table; zod and the rest load with the command that runs. */
export const COMMANDS: readonly (CommandEntry | CommandGroup)[] = [
  entry("watch", "Every session on this machine, live", async () => (await import("./commands/watch.js")).watch),
  entry(
    "sessions",
    "What sessions there are, and how to go on with each",
    async () => (await import("./commands/sessions.js")).sessions,
  ),
  entry(
    "restore",
    "What is in transcripts: lists, plans, tasks, calls",
    async () => (await import("./commands/restore.js")).restore,
  ),
  entry(
    "call",
    "Answer tool calls, one JSON line each, in any agent's dialect",
    async () => (await import("./commands/call.js")).call,
  ),
  TODO_COMMANDS,
  TASK_COMMANDS,
  entry(
    "digest",
    "The open todos of a session, as text for a model",
    async () => (await import("./commands/digest.js")).digest,
  ),
  entry(
    "tell",
    "Say something to a session; its next hook delivers it",
    async () => (await import("./commands/tell.js")).tell,
  ),
  entry(
    "guidance",
    "When and how to keep a list, as text for a model",
    async () => (await import("./commands/guidance.js")).guidance,
  ),
  entry("config", "Settings, and where each comes from", async () => (await import("./commands/config.js")).config),
  entry(
    "events",
    "Print the log as JSON lines, and follow it",
    async () => (await import("./commands/show-events.js")).events,
  ),
  entry(
    "doctor",
    "Check the store and what agents start, and say what is wrong",
    async () => (await import("./commands/doctor.js")).doctor,
  ),
  entry(
    "setup",
    "Wire agents: tools, hooks and a status line in their own files",
    async () => (await import("./commands/setup.js")).setup,
  ),
  entry(
    "unsetup",
    "Take out again what setup has put into agents' files",
    async () => (await import("./commands/unsetup.js")).unsetup,
  ),
  entry(
    "backup",
    "Copy the store into a file, while it is in use",
    async () => (await import("./commands/backup.js")).backup,
  ),
  entry("export", "Write everything as JSON lines", async () => (await import("./commands/export.js")).exportCommand),
  entry("import", "Take in what export has written", async () => (await import("./commands/import.js")).importCommand),
  entry("forget", "Delete everything about one session", async () => (await import("./commands/forget.js")).forget),
  entry(
    "demo",
    "Watch a scripted agent work through a list, offline",
    async () => (await import("./commands/demo.js")).demo,
  ),
];
