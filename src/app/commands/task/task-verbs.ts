import { type CommandGroup, entry } from "../../command.js";

/** Light, like the table above it: a verb loads when it runs. */
export const TASK_COMMANDS: CommandGroup = {
  name: "task",
  summary: "Shared tasks that outlive sessions: add, claim, done, block, wait, import ...",
  details: `A task list belongs to a repository, and all its worktrees share it; --list NAME selects another list. TASK
is a number or a UUID. A claim is a lease: it expires unless it is renewed. Each claim has a fence number; the holder
passes it with every later write.`,
  verbs: [
    entry("list", "List tasks", async () => (await import("./list-tasks.js")).listTasks),
    entry(
      "ready",
      "List tasks that can be claimed now, best first",
      async () => (await import("./list-tasks.js")).readyTasks,
    ),
    entry("show", "Show one task with all its details", async () => (await import("./show-task.js")).showOneTask),
    entry("add", "Add a task", async () => (await import("./add-task.js")).addTask),
    entry(
      "edit",
      "Change a task's subject, priority, labels and other fields",
      async () => (await import("./edit-task.js")).editTask,
    ),
    entry("note", "Add a note to a task", async () => (await import("./edit-task.js")).noteTask),
    entry(
      "claim",
      "Claim a task, or the best one that is ready",
      async () => (await import("./claim-task.js")).claimTask,
    ),
    entry(
      "renew",
      "Renew a lease; the answer says whether a cancel was requested",
      async () => (await import("./claim-task.js")).renewTask,
    ),
    entry(
      "release",
      "Release a claimed task, so that others can claim it",
      async () => (await import("./close-task.js")).releaseTask,
    ),
    entry("done", "Complete a task", async () => (await import("./close-task.js")).doneTask),
    entry(
      "fail",
      "Report a failed attempt; it is retried until --max-attempts",
      async () => (await import("./close-task.js")).failTask,
    ),
    entry(
      "cancel",
      "Cancel a task; a holder is asked to stop first",
      async () => (await import("./close-task.js")).cancelTask,
    ),
    entry(
      "reopen",
      "Reopen a done, failed or cancelled task",
      async () => (await import("./close-task.js")).reopenTask,
    ),
    entry(
      "block",
      "Add blockers: tasks that must be done first",
      async () => (await import("./block-task.js")).blockTask,
    ),
    entry("unblock", "Remove blockers from a task", async () => (await import("./block-task.js")).unblockTask),
    entry(
      "wait",
      "Suspend a task until a time, a signal or a person wakes it",
      async () => (await import("./wait-task.js")).waitTask,
    ),
    entry("wake", "End a task's wait", async () => (await import("./wait-task.js")).wakeTask),
    entry("signal", "Wake all tasks that wait for a topic", async () => (await import("./wait-task.js")).signalTasks),
    entry(
      "graph",
      "Draw subtasks and blockers: tree, Mermaid, DOT, JSON",
      async () => (await import("./graph-tasks.js")).graphTasks,
    ),
    entry(
      "path",
      "Show the critical path: the longest chain of open tasks",
      async () => (await import("./graph-tasks.js")).pathTasks,
    ),
    entry(
      "changes",
      "List changes to tasks since a cursor",
      async () => (await import("./task-history.js")).taskChanges,
    ),
    entry("history", "Show the history of one task", async () => (await import("./task-history.js")).taskHistory),
    entry("lists", "List all task lists", async () => (await import("./task-lists.js")).listTaskLists),
    entry("rm", "Remove a task", async () => (await import("./remove-task.js")).removeTask),
    entry(
      "promote",
      "Create a task from a session's todo, and link the two",
      async () => (await import("./promote-todo.js")).promoteCommand,
    ),
    entry(
      "pull",
      "Add a task to a session's todo list, and link the two",
      async () => (await import("./promote-todo.js")).pullCommand,
    ),
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
