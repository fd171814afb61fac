import * as z from "zod";
import { ok } from "../../../core/result.js";
import { taskLists } from "../../../store/tasks/task-index.js";
import { defineCommand } from "../../command.js";
import { lookAtTasks } from "../../tasks/read-tasks.js";
import { nextStep, WHERE_FLAGS } from "../../terminal/next-step.js";

export const listTaskLists = defineCommand({
  details: `Every task list in the store, with its number of tasks and of open tasks. --list NAME or MILEPOST_LIST
selects the list of a command. --json: {"lists":[{"list","tasks","open"}]}.

Example:
  milepost task lists`,
  input: z.object({}),
  async run({ open }) {
    const { store } = await open("read");
    return ok({ lists: (await lookAtTasks(store, taskLists)) ?? [] });
  },
  show({ lists }, _, given) {
    if (lists.length === 0) return `No tasks yet. Add one: ${nextStep('task add "First task"', given, WHERE_FLAGS)}\n`;
    const width = Math.max(...lists.map(({ list }) => list.length));
    return lists
      .map(
        ({ list, tasks, open }) => `${list.padEnd(width)}  ${tasks} ${tasks === 1 ? "task" : "tasks"}, ${open} open\n`,
      )
      .join("");
  },
});
