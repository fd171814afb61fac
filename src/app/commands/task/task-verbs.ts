import { type CommandGroup, entry } from "../../command-definition.js";

// Loaded when a verb runs.
const listing = () => import("./list-tasks.js");
const editing = () => import("./edit-task.js");
const claiming = () => import("./claim-task.js");
const closing = () => import("./close-task.js");
const blocking = () => import("./block-task.js");
const waiting = () => import("./wait-task.js");
const drawing = () => import("./graph-tasks.js");
const history = () => import("./task-history.js");
const linking = () => import("./promote-todo.js");

export const TASK_COMMANDS: CommandGroup = {
  name: "task",
  summary: "Shared tasks that outlive sessions: add, claim, done, block, wait, import ...",
  details: `A task list belongs to a repository, and all its worktrees share it; --list NAME selects another list. TASK
is a number or a UUID. A claim is a lease: it expires unless it is renewed. Each claim has a fence number; the holder
passes it with every later write.`,
  examples: ["milepost task add Fix the login", "milepost task claim"],
  verbs: [
    entry("list", "List tasks", async () => (await listing()).listTasks),
    entry("ready", "List tasks that can be claimed now, best first", async () => (await listing()).readyTasks),
    entry("show", "Show one task with all its details", async () => (await listing()).showOneTask),
    entry("add", "Add a task", async () => (await import("./add-task.js")).addTask),
    entry("edit", "Change a task's subject, priority, labels and other fields", async () => (await editing()).editTask),
    entry("note", "Add a note to a task", async () => (await editing()).noteTask),
    entry("claim", "Claim a task, or the best one that is ready", async () => (await claiming()).claimTask),
    entry(
      "renew",
      "Renew a lease; the answer says whether a cancel was requested",
      async () => (await claiming()).renewTask,
    ),
    entry("release", "Release a claimed task, so that others can claim it", async () => (await closing()).releaseTask),
    entry("done", "Complete a task", async () => (await closing()).doneTask),
    entry(
      "fail",
      "Report a failed attempt; it is retried until --max-attempts",
      async () => (await closing()).failTask,
    ),
    entry("cancel", "Cancel a task; a holder is asked to stop first", async () => (await closing()).cancelTask),
    entry("reopen", "Reopen a done, failed or cancelled task", async () => (await closing()).reopenTask),
    entry("block", "Add blockers: tasks that must be done first", async () => (await blocking()).blockTask),
    entry("unblock", "Remove blockers from a task", async () => (await blocking()).unblockTask),
    entry("wait", "Suspend a task until a time, a signal or a person wakes it", async () => (await waiting()).waitTask),
    entry("wake", "End a task's wait", async () => (await waiting()).wakeTask),
    entry("signal", "Wake all tasks that wait for a topic", async () => (await waiting()).signalTasks),
    entry("graph", "Draw subtasks and blockers: tree, Mermaid, DOT, JSON", async () => (await drawing()).graphTasks),
    entry("path", "Show the critical path: the longest chain of open tasks", async () => (await drawing()).pathTasks),
    entry("changes", "List changes to tasks since a cursor", async () => (await history()).taskChanges),
    entry("history", "Show the history of one task", async () => (await history()).taskHistory),
    entry("lists", "List all task lists", async () => (await listing()).listTaskLists),
    entry("rm", "Remove a task", async () => (await import("./remove-task.js")).removeTask),
    entry(
      "promote",
      "Create a task from a session's todo, and link the two",
      async () => (await linking()).promoteCommand,
    ),
    entry("pull", "Add a task to a session's todo list, and link the two", async () => (await linking()).pullCommand),
    entry(
      "import",
      "Import tasks from a file or folder of another tool",
      async () => (await import("./import-tasks.js")).importTaskFile,
    ),
    entry(
      "export",
      "Export tasks in the format of another tool",
      async () => (await import("./export-tasks.js")).exportTaskFile,
    ),
  ],
};
