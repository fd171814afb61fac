import type { Command } from "../../command.js";
import type { CommandGroup } from "../../command-table.js";

/** Light, like the table above it: a verb loads when it runs. */
export const TASK_COMMANDS: CommandGroup = {
  name: "task",
  summary: "Shared tasks that outlive sessions: add, claim, done, block, wait, import ...",
  details: `A task list belongs to a repository, and all its worktrees share it; --list NAME selects another list. TASK
is a number or a UUID. A claim is a lease: it expires unless it is renewed. Each claim has a fence number; the holder
passes it with every later write.`,
  verbs: [
    {
      name: "list",
      summary: "List tasks",
      load: async () => (await import("./list-tasks.js")).listTasks as Command,
    },
    {
      name: "ready",
      summary: "List tasks that can be claimed now, best first",
      load: async () => (await import("./list-tasks.js")).readyTasks as Command,
    },
    {
      name: "show",
      summary: "Show one task with all its details",
      load: async () => (await import("./show-task.js")).showOneTask as Command,
    },
    {
      name: "add",
      summary: "Add a task",
      load: async () => (await import("./add-task.js")).addTask as Command,
    },
    {
      name: "edit",
      summary: "Change a task's subject, priority, labels and other fields",
      load: async () => (await import("./edit-task.js")).editTask as Command,
    },
    {
      name: "note",
      summary: "Add a note to a task",
      load: async () => (await import("./edit-task.js")).noteTask as Command,
    },
    {
      name: "claim",
      summary: "Claim a task, or the best one that is ready",
      load: async () => (await import("./claim-task.js")).claimTask as Command,
    },
    {
      name: "renew",
      summary: "Renew a lease; the answer says whether a cancel was requested",
      load: async () => (await import("./claim-task.js")).renewTask as Command,
    },
    {
      name: "release",
      summary: "Release a claimed task, so that others can claim it",
      load: async () => (await import("./close-task.js")).releaseTask as Command,
    },
    {
      name: "done",
      summary: "Complete a task",
      load: async () => (await import("./close-task.js")).doneTask as Command,
    },
    {
      name: "fail",
      summary: "Report a failed attempt; it is retried until --max-attempts",
      load: async () => (await import("./close-task.js")).failTask as Command,
    },
    {
      name: "cancel",
      summary: "Cancel a task; a holder is asked to stop first",
      load: async () => (await import("./close-task.js")).cancelTask as Command,
    },
    {
      name: "reopen",
      summary: "Reopen a done, failed or cancelled task",
      load: async () => (await import("./close-task.js")).reopenTask as Command,
    },
    {
      name: "block",
      summary: "Add blockers: tasks that must be done first",
      load: async () => (await import("./block-task.js")).blockTask as Command,
    },
    {
      name: "unblock",
      summary: "Remove blockers from a task",
      load: async () => (await import("./block-task.js")).unblockTask as Command,
    },
    {
      name: "wait",
      summary: "Suspend a task until a time, a signal or a person wakes it",
      load: async () => (await import("./wait-task.js")).waitTask as Command,
    },
    {
      name: "wake",
      summary: "End a task's wait",
      load: async () => (await import("./wait-task.js")).wakeTask as Command,
    },
    {
      name: "signal",
      summary: "Wake all tasks that wait for a topic",
      load: async () => (await import("./wait-task.js")).signalTasks as Command,
    },
    {
      name: "graph",
      summary: "Draw subtasks and blockers: tree, Mermaid, DOT, JSON",
      load: async () => (await import("./graph-tasks.js")).graphTasks as Command,
    },
    {
      name: "path",
      summary: "Show the critical path: the longest chain of open tasks",
      load: async () => (await import("./graph-tasks.js")).pathTasks as Command,
    },
    {
      name: "changes",
      summary: "List changes to tasks since a cursor",
      load: async () => (await import("./task-history.js")).taskChanges as Command,
    },
    {
      name: "history",
      summary: "Show the history of one task",
      load: async () => (await import("./task-history.js")).taskHistory as Command,
    },
    {
      name: "lists",
      summary: "List all task lists",
      load: async () => (await import("./task-lists.js")).listTaskLists as Command,
    },
    {
      name: "rm",
      summary: "Remove a task",
      load: async () => (await import("./remove-task.js")).removeTask as Command,
    },
    {
      name: "promote",
      summary: "Create a task from a session's todo, and link the two",
      load: async () => (await import("./promote-todo.js")).promoteCommand as Command,
    },
    {
      name: "pull",
      summary: "Add a task to a session's todo list, and link the two",
      load: async () => (await import("./promote-todo.js")).pullCommand as Command,
    },
    {
      name: "import",
      summary: "Import tasks from a file or folder of another tool",
      load: async () => (await import("./import-tasks.js")).importTaskFile as Command,
    },
    {
      name: "export",
      summary: "Export tasks in the format of another tool",
      load: async () => (await import("./export-tasks.js")).exportTaskFile as Command,
    },
  ],
};
