import * as z from "zod";
import { ok } from "../../../core/result.js";
import { TASK_PRIORITIES } from "../../../core/task/task.js";
import { defineCommand } from "../../command.js";
import { onBoard } from "../../tasks/on-board.js";
import { placeOf, WHO } from "../../tasks/task-place.js";
import { reportTask, type TaskReport } from "../../tasks/task-report.js";

export const addTask = defineCommand({
  details: "",
  words: ["subject"],
  input: z.object({
    subject: z.array(z.string()).min(1).describe("what is to be done, in a few words"),
    description: z.string().optional(),
    priority: z.enum(TASK_PRIORITIES).optional(),
    ...WHO,
  }),
  async run(context, input) {
    const place = placeOf(context, input, ["add", input]);
    if (!place.ok) return place;
    const { store } = await context.open("write");
    const { subject, description, priority } = input;
    return onBoard(store, place.value, function* (board) {
      const added = yield* board.add({ subject: subject.join(" "), description, priority });
      if (!added.ok) return added;
      const found = yield* board.find(added.value.number);
      if (!found) throw new Error("A task that was just added is not there");
      return ok({ task: reportTask(place.value.list, found) });
    });
  },
  show: ({ task }: { readonly task: TaskReport }) => `#${task.id}\n`,
});
