import * as z from "zod";
import { fail, ok } from "../../../core/result.js";
import { defineCommand } from "../../command.js";
import { noTask } from "../../tasks/board.js";
import { onBoard } from "../../tasks/on-board.js";
import { placeOf, WHO } from "../../tasks/task-place.js";
import { reportTask, type TaskReport } from "../../tasks/task-report.js";

export const doneTask = defineCommand({
  details: "",
  words: ["task"],
  input: z.object({
    task: z.string(),
    fence: z.number().int().optional().describe("the fence of your claim"),
    evidence: z.string().optional().describe("what shows that it is done"),
    ...WHO,
  }),
  async run(context, input) {
    const place = placeOf(context, input, ["done", input]);
    if (!place.ok) return place;
    const { store } = await context.open("write");
    const { list, owner } = place.value;
    return onBoard(store, place.value, function* (board) {
      const found = yield* board.find(input.task);
      if (!found) return fail(noTask(list, input.task));
      const { evidence, fence } = input;
      const done = yield* board.run(found.task.number, { type: "complete", hold: { owner, fence }, evidence });
      if (!done.ok) return done;
      const task = yield* board.find(done.value.number);
      if (!task) throw new Error("A task that was just finished is not there");
      return ok({ task: reportTask(list, task) });
    });
  },
  show: ({ task }: { readonly task: TaskReport }) => `#${task.id} is done.\n`,
});
