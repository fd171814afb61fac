import * as z from "zod";
import { fail, ok, type Result } from "../../../core/result.js";
import { checkTtl } from "../../../core/task/lease.js";
import type { Task } from "../../../core/task/task.js";
import { defineCommand } from "../../command.js";
import { readSettings } from "../../settings.js";
import { noTask } from "../../tasks/board.js";
import { parseDuration } from "../../tasks/duration.js";
import { onBoard } from "../../tasks/on-board.js";
import { placeOf, standardTtl, WHO } from "../../tasks/task-place.js";
import { reportTask, type TaskReport } from "../../tasks/task-report.js";

export const claimTask = defineCommand({
  details: "",
  words: ["task"],
  input: z.object({
    task: z.string().optional().describe("its number; without one, the best that is ready"),
    ttl: z.string().optional().describe("how long the lease lasts, such as 90s, 30m, 2h"),
    ...WHO,
  }),
  async run(context, input) {
    const place = placeOf(context, input, ["claim", input]);
    if (!place.ok) return place;
    const ttl = input.ttl === undefined ? standardTtl(place.value) : (parseDuration(input.ttl) ?? Number.NaN);
    const refused = checkTtl(ttl, readSettings(context.environment).shortestLease);
    if (refused) return fail(refused);
    const { store } = await context.open("write");
    const { list, owner, session } = place.value;
    return onBoard(store, place.value, function* (board) {
      let claimed: Result<Task | undefined>;
      if (input.task === undefined) claimed = yield* board.claimBest(ttl);
      else {
        const found = yield* board.find(input.task);
        if (!found) return fail(noTask(list, input.task));
        claimed = yield* board.run(found.task.number, { type: "claim", owner, ttl, session: session || undefined });
      }
      if (!claimed.ok) return claimed;
      const task = claimed.value && (yield* board.find(claimed.value.number));
      return ok({ task: task ? reportTask(list, task) : null });
    });
  },
  show: ({ task }: { readonly task: TaskReport | null }) =>
    task ? `#${task.id} ${task.subject} (fence ${task.lease?.fence})\n` : "Nothing is ready.\n",
});
