import type { Command } from "../../command.js";
import type { CommandGroup } from "../../command-table.js";

/** Light, like the table above it: a verb loads when it runs. */
export const TASK_COMMANDS: CommandGroup = {
  name: "task",
  summary: "Work that outlives sessions: add, claim, finish, block, wait, import ...",
  details: `A list belongs to a repository, so all its worktrees share it; --list NAME names another one. A task is named by its number,
or by its UUID. What is claimed has a lease: it ends by itself when nobody renews it, and every later write of the
holder shows the fence of its claim.`,
  verbs: [
    {
      name: "list",
      summary: "What tasks there are",
      load: async () => (await import("./list-tasks.js")).listTasks as Command,
    },
    {
      name: "ready",
      summary: "What can be claimed now, the best first",
      load: async () => (await import("./list-tasks.js")).readyTasks as Command,
    },
    {
      name: "show",
      summary: "One task, with everything that is known of it",
      load: async () => (await import("./show-task.js")).showOneTask as Command,
    },
    {
      name: "add",
      summary: "Add a task",
      load: async () => (await import("./add-task.js")).addTask as Command,
    },
    {
      name: "edit",
      summary: "Change what a task is about",
      load: async () => (await import("./edit-task.js")).editTask as Command,
    },
    {
      name: "note",
      summary: "Keep a note with a task",
      load: async () => (await import("./edit-task.js")).noteTask as Command,
    },
    {
      name: "claim",
      summary: "Take a task, or the best one that is ready",
      load: async () => (await import("./claim-task.js")).claimTask as Command,
    },
    {
      name: "renew",
      summary: "Hold a task for longer, and hear whether to stop",
      load: async () => (await import("./claim-task.js")).renewTask as Command,
    },
    {
      name: "release",
      summary: "Let a task go",
      load: async () => (await import("./close-task.js")).releaseTask as Command,
    },
    {
      name: "done",
      summary: "Finish a task",
      load: async () => (await import("./close-task.js")).doneTask as Command,
    },
    {
      name: "fail",
      summary: "It did not work: try again later, or give up",
      load: async () => (await import("./close-task.js")).failTask as Command,
    },
    {
      name: "cancel",
      summary: "A task is no longer wanted",
      load: async () => (await import("./close-task.js")).cancelTask as Command,
    },
    {
      name: "reopen",
      summary: "A closed task is to be done again",
      load: async () => (await import("./close-task.js")).reopenTask as Command,
    },
    {
      name: "block",
      summary: "A task has to wait for others",
      load: async () => (await import("./block-task.js")).blockTask as Command,
    },
    {
      name: "unblock",
      summary: "A task need not wait for others",
      load: async () => (await import("./block-task.js")).unblockTask as Command,
    },
    {
      name: "wait",
      summary: "Let a task wait for a time, a signal or a person",
      load: async () => (await import("./wait-task.js")).waitTask as Command,
    },
    {
      name: "wake",
      summary: "End a task's wait",
      load: async () => (await import("./wait-task.js")).wakeTask as Command,
    },
    {
      name: "signal",
      summary: "Wake every task that waits for a topic",
      load: async () => (await import("./wait-task.js")).signalTasks as Command,
    },
    {
      name: "graph",
      summary: "How tasks hang together: tree, Mermaid, DOT, JSON",
      load: async () => (await import("./graph-tasks.js")).graphTasks as Command,
    },
    {
      name: "path",
      summary: "The longest chain of open tasks",
      load: async () => (await import("./graph-tasks.js")).pathTasks as Command,
    },
    {
      name: "changes",
      summary: "What happened since a cursor",
      load: async () => (await import("./task-history.js")).taskChanges as Command,
    },
    {
      name: "history",
      summary: "What happened to one task",
      load: async () => (await import("./task-history.js")).taskHistory as Command,
    },
    {
      name: "lists",
      summary: "All lists of tasks",
      load: async () => (await import("./task-lists.js")).listTaskLists as Command,
    },
    {
      name: "rm",
      summary: "Remove a task",
      load: async () => (await import("./remove-task.js")).removeTask as Command,
    },
    {
      name: "promote",
      summary: "Make a task of a session's todo",
      load: async () => (await import("./promote-todo.js")).promoteCommand as Command,
    },
    {
      name: "pull",
      summary: "Put a task on a session's list",
      load: async () => (await import("./promote-todo.js")).pullCommand as Command,
    },
    {
      name: "import",
      summary: "Take tasks from a file or folder of another tool",
      load: async () => (await import("./import-tasks.js")).importTaskFile as Command,
    },
    {
      name: "export",
      summary: "Write tasks as another tool keeps them",
      load: async () => (await import("./export-tasks.js")).exportTaskFile as Command,
    },
  ],
};
