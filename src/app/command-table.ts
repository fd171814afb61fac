import { type CommandEntry, type CommandGroup, entry } from "./command-definition.js";
import { ALERT_COMMANDS } from "./commands/alerts/alert-verbs.js";
import { PLAN_COMMANDS } from "./commands/plan/plan-verbs.js";
import { TASK_COMMANDS } from "./commands/task/task-verbs.js";
import { TODO_COMMANDS } from "./commands/todo/todo-verbs.js";

/** Started by an agent, not by a person: each is a file that bin/main.ts runs. Here is only what help says. */
export interface SurfaceEntry {
  readonly name: string;
  /** What may follow the name. */
  readonly usage: string;
  readonly summary: string;
  readonly details: string;
}

export const SURFACES: readonly SurfaceEntry[] = [
  {
    name: "mcp",
    usage: "[flags]",
    summary: "MCP server on standard input and output: todo, task and plan tools for any client",
    details: `Flags:
  --dialect DIALECT  whose tools to offer (default: milepost); milepost call --help lists the dialects
  --tasks            offer the task tool beside todo (dialect milepost; others have their tools always)
  --plans            offer the plan tool beside todo: a plan is proposed, and a person approves it (dialect milepost)
  --session SESSION  todo list for every call (default: that of the client's session, else one per folder)
  --list LIST        task list for every call (default: the repository's, else the folder's)
  --store URL        a file, postgres://... or memory: (or MILEPOST_STORE)

Configuration for any MCP client:
  {"mcpServers": {"milepost": {"command": "milepost", "args": ["mcp"]}}}`,
  },
  {
    name: "acp",
    usage: "[flags] -- AGENT COMMAND",
    summary: "Sit between an editor and its ACP agent: record its plan and calls, pass every byte on",
    details: `Put it before the agent's command in the editor's settings: milepost acp -- codex-acp

Flags:
  --show-list    where the agent keeps its list with our todo tool, show that list in the editor, as a plan
  --agent AGENT  what the agent is called, where neither its command nor its first answer tells
  --store URL    a file, postgres://... or memory: (or MILEPOST_STORE)

Nothing is changed on the way, unless --show-list adds plans of ours between two messages of the agent. Its exit code
is the agent's. Errors of the recording are logged to milepost.log in Milepost's own folder.`,
  },
  {
    name: "hook",
    usage: "[AGENT [EVENT]]",
    summary: "Hook for agents: hook JSON in, hook JSON out",
    details: `milepost setup installs it: without a word for Claude Code and Codex, which their input tells apart, with
the agent's name for others, and with the event behind it for those that do not say it. It takes no flags, reads one
hook input from standard input, and always exits with 0. Errors are logged to milepost.log in Milepost's own folder.`,
  },
  {
    name: "statusline",
    usage: "",
    summary: "Progress of a session in one line, for a status bar",
    details: `milepost setup installs it. It reads {"session_id":"..."} from standard input and prints a line such as
3/7 ▸ Running tests`,
  },
  {
    name: "complete",
    usage: "-- WORDS...",
    summary: "Words that may follow in a line, for the completion of a shell",
    details: `The script that milepost completion prints calls it: milepost complete -- WORDS... prints what the last
of these words may become, one candidate in each line with its description after a tab. It always exits with 0.`,
  },
];

/** Commands by what a person wants to do; those that only programs start come last. */
export interface Section {
  readonly name: string;
  readonly title: string;
  readonly commands: readonly (CommandEntry | CommandGroup)[];
  readonly surfaces: readonly SurfaceEntry[];
}

/** Light on purpose: help and completion read this table; everything else loads with the command that runs. */
export const SECTIONS: readonly Section[] = [
  {
    name: "see",
    title: "See: what agents do",
    commands: [
      entry(
        "watch",
        "Show every session on this machine, live",
        async () => (await import("./commands/watch.js")).watch,
      ),
      entry(
        "sessions",
        "List sessions, each with the command that resumes it",
        async () => (await import("./commands/sessions.js")).sessions,
      ),
      entry(
        "report",
        "Report what was done: todos, verdicts, time, loops caught; --html writes a page",
        async () => (await import("./commands/report.js")).report,
      ),
      entry(
        "digest",
        "Print a session's open todos, as text for a model",
        async () => (await import("./commands/digest.js")).digest,
      ),
      entry(
        "restore",
        "Read todo lists, plans, tasks and calls from transcripts",
        async () => (await import("./commands/restore.js")).restore,
      ),
      ALERT_COMMANDS,
      entry(
        "events",
        "Print the event log as JSON lines; --follow waits for new events",
        async () => (await import("./commands/show-events.js")).events,
      ),
      entry(
        "demo",
        "Watch two scripted agents at work, in under a minute, offline",
        async () => (await import("./commands/demo.js")).demo,
      ),
    ],
    surfaces: [],
  },
  {
    name: "do",
    title: "Do: decide on plans, change a list, talk to an agent",
    commands: [
      TODO_COMMANDS,
      PLAN_COMMANDS,
      entry(
        "tell",
        "Send a message to a session; wakes an idle one where its client can",
        async () => (await import("./commands/tell.js")).tell,
      ),
    ],
    surfaces: [],
  },
  {
    name: "share",
    title: "Share: tasks that many agents work on",
    commands: [TASK_COMMANDS],
    surfaces: [],
  },
  {
    name: "wire",
    title: "Wire: connect agents, check, set",
    commands: [
      entry(
        "setup",
        "Add Milepost's tool, hooks and status line to your agents",
        async () => (await import("./commands/setup.js")).setup,
      ),
      entry(
        "unsetup",
        "Remove what setup added to the agents' files",
        async () => (await import("./commands/unsetup.js")).unsetup,
      ),
      entry(
        "plugin",
        "Show the commands that install Milepost as a plugin of Claude Code or Codex",
        async () => (await import("./commands/plugin.js")).plugin,
      ),
      entry(
        "doctor",
        "Check the store and the agents' setup for problems",
        async () => (await import("./commands/doctor.js")).doctor,
      ),
      entry("config", "Show and change settings", async () => (await import("./commands/config.js")).config),
      entry(
        "completion",
        "Print a script that completes commands, flags and ids in bash, zsh or fish",
        async () => (await import("./completion/completion-command.js")).completion,
      ),
    ],
    surfaces: [],
  },
  {
    name: "keep",
    title: "Keep: look after the data",
    commands: [
      entry(
        "backup",
        "Copy the store to a file, also while it is in use",
        async () => (await import("./commands/backup.js")).backup,
      ),
      entry(
        "export",
        "Export the whole store as JSON lines",
        async () => (await import("./commands/transfer/export.js")).exportCommand,
      ),
      entry(
        "import",
        "Import a file that milepost export wrote",
        async () => (await import("./commands/transfer/import.js")).importCommand,
      ),
      entry(
        "forget",
        "Delete everything stored about one session",
        async () => (await import("./commands/forget.js")).forget,
      ),
    ],
    surfaces: [],
  },
  {
    name: "machine",
    title: "For programs",
    commands: [
      entry(
        "call",
        "Answer tool calls from standard input (JSON lines), in any agent's dialect",
        async () => (await import("./commands/call.js")).call,
      ),
      entry(
        "guidance",
        "Print advice on when to keep a todo list, as text for a model",
        async () => (await import("./commands/guidance.js")).guidance,
      ),
    ],
    surfaces: SURFACES,
  },
];

export const COMMANDS = SECTIONS.flatMap(({ commands }) => commands);
