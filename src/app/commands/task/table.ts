import type { Command } from "../../command.js";
import type { CommandGroup } from "../../commands.js";

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
      load: async () => (await import("./list.js")).listTasks as Command,
    },
    {
      name: "add",
      summary: "Add a task",
      load: async () => (await import("./add.js")).addTask as Command,
    },
    {
      name: "claim",
      summary: "Take a task, or the best one that is ready",
      load: async () => (await import("./claim.js")).claimTask as Command,
    },
    {
      name: "done",
      summary: "Finish a task",
      load: async () => (await import("./done.js")).doneTask as Command,
    },
    {
      name: "import",
      summary: "Take tasks from a file or folder of another tool",
      load: async () => (await import("./import.js")).importTaskFile as Command,
    },
    {
      name: "export",
      summary: "Write tasks as another tool keeps them",
      load: async () => (await import("./export.js")).exportTaskFile as Command,
    },
  ],
};
