import * as z from "zod";
import { fail } from "../../../core/result.js";
import { defineCommand } from "../../command.js";
import { lookAtTasks } from "../../tasks/read-tasks.js";
import { noTask } from "../../tasks/task-board.js";
import { detailedTask } from "../../tasks/task-details.js";
import { showTask } from "../../terminal/task-detail.js";
import { listOf, TASK, WHERE } from "./task-flags.js";

export const showOneTask = defineCommand({
  details: `Shows its description, holder and remaining lease, blockers, tasks it blocks, subtasks and how many of them
are done, notes, evidence, and the sessions that worked on it. --json: {"task":{...},"now"}.

Example:
  milepost task show 3`,
  words: ["task"],
  input: z.object({ ...TASK, ...WHERE }),
  async run(context, { task, ...where }) {
    const list = listOf(context, where);
    if (!list.ok) return list;
    const { store } = await context.open("read");
    const found = await lookAtTasks(store, (look) => detailedTask(look, list.value, task));
    return found ?? fail(noTask(list.value, task));
  },
  show: showTask,
});
