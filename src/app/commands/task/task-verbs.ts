import { type CommandGroup, entry } from "../../command.js";

/** Light, like the table above it: a verb loads when it runs. */
export const TASK_COMMANDS: CommandGroup = {
  name: "task",
  summary: "Work that outlives sessions: add, claim, finish, block, wait, import ...",
  details: `A list belongs to a repository, so all its worktrees share it; --list NAME names another one. A task is named by its number,
or by its UUID. What is claimed has a lease: it ends by itself when nobody renews it, and every later write of the
holder shows the fence of its claim.`,
  verbs: [
    entry("list", "What tasks there are", async () => (await import("./list-tasks.js")).listTasks),
    entry("ready", "What can be claimed now, the best first", async () => (await import("./list-tasks.js")).readyTasks),
    entry(
      "show",
      "One task, with everything that is known of it",
      async () => (await import("./show-task.js")).showOneTask,
    ),
    entry("add", "Add a task", async () => (await import("./add-task.js")).addTask),
    entry("edit", "Change what a task is about", async () => (await import("./edit-task.js")).editTask),
    entry("note", "Keep a note with a task", async () => (await import("./edit-task.js")).noteTask),
    entry(
      "claim",
      "Take a task, or the best one that is ready",
      async () => (await import("./claim-task.js")).claimTask,
    ),
    entry(
      "renew",
      "Hold a task for longer, and hear whether to stop",
      async () => (await import("./claim-task.js")).renewTask,
    ),
    entry("release", "Let a task go", async () => (await import("./close-task.js")).releaseTask),
    entry("done", "Complete a task", async () => (await import("./close-task.js")).doneTask),
    entry(
      "fail",
      "Report a failed attempt; it is retried until --max-attempts",
      async () => (await import("./close-task.js")).failTask,
    ),
    entry("cancel", "A task is no longer wanted", async () => (await import("./close-task.js")).cancelTask),
    entry("reopen", "A closed task is to be done again", async () => (await import("./close-task.js")).reopenTask),
    entry("block", "A task has to wait for others", async () => (await import("./block-task.js")).blockTask),
    entry("unblock", "A task need not wait for others", async () => (await import("./block-task.js")).unblockTask),
    entry(
      "wait",
      "Let a task wait for a time, a signal or a person",
      async () => (await import("./wait-task.js")).waitTask,
    ),
    entry("wake", "End a task's wait", async () => (await import("./wait-task.js")).wakeTask),
    entry("signal", "Wake every task that waits for a topic", async () => (await import("./wait-task.js")).signalTasks),
    entry(
      "graph",
      "How tasks hang together: tree, Mermaid, DOT, JSON",
      async () => (await import("./graph-tasks.js")).graphTasks,
    ),
    entry("path", "The longest chain of open tasks", async () => (await import("./graph-tasks.js")).pathTasks),
    entry("changes", "What happened since a cursor", async () => (await import("./task-history.js")).taskChanges),
    entry("history", "What happened to one task", async () => (await import("./task-history.js")).taskHistory),
    entry("lists", "All lists of tasks", async () => (await import("./task-lists.js")).listTaskLists),
    entry("rm", "Remove a task", async () => (await import("./remove-task.js")).removeTask),
    entry("promote", "Make a task of a session's todo", async () => (await import("./promote-todo.js")).promoteCommand),
    entry("pull", "Put a task on a session's list", async () => (await import("./promote-todo.js")).pullCommand),
    entry(
      "import",
      "Take tasks from a file or folder of another tool",
      async () => (await import("./import-tasks.js")).importTaskFile,
    ),
    entry(
      "export",
      "Write tasks as another tool keeps them",
      async () => (await import("./export-tasks.js")).exportTaskFile,
    ),
  ],
};
