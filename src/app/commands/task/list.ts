import * as z from "zod";
import { ok } from "../../../core/result.js";
import { TASK_STATUSES } from "../../../core/task/task.js";
import { defineCommand } from "../../command.js";
import { findTasks } from "../../tasks/task-pages.js";
import { listOf, WHERE } from "../../tasks/task-place.js";
import { reportTask, type TaskReport } from "../../tasks/task-report.js";

export const listTasks = defineCommand({
  details: "",
  input: z.object({
    status: z.array(z.enum(TASK_STATUSES)).optional(),
    limit: z.number().int().min(1).optional(),
    ...WHERE,
  }),
  async run(context, { status, limit, ...where }) {
    const list = listOf(context, where);
    if (!list.ok) return list;
    const { store } = await context.open("read");
    const tasks = await store.look((look) => findTasks(look, list.value, { status, limit }));
    return ok({ tasks: tasks.map((task) => reportTask(list.value, task)) });
  },
  show: ({ tasks }: { readonly tasks: readonly TaskReport[] }) =>
    tasks.map(({ id, status, subject }) => `#${id} [${status}] ${subject}\n`).join(""),
});
