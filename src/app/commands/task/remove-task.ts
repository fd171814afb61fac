import * as z from "zod";
import { fail, ok } from "../../../core/result.js";
import { checkHold, held } from "../../../core/task/lease.js";
import { OUR_POLICY } from "../../../core/task/policy.js";
import { isLive } from "../../../core/task/standing.js";
import { defineCommand } from "../../command.js";
import { noTask } from "../../tasks/task-board.js";
import { writeTasks } from "../../tasks/write-task.js";
import { HOLDER } from "./task-flags.js";

export const removeTask = defineCommand({
  details: `For what should never have been there; work that is no longer wanted is better cancelled. Its edges go with it, its subtasks stay, and
its number is not given again. One that somebody else holds is left alone unless --force is said.

Example:
  milepost task rm 3 --yes`,
  words: ["task"],
  input: z.object({
    ...HOLDER,
    yes: z.boolean().default(false).describe("do not ask"),
    force: z.boolean().default(false).describe("also when somebody else is at it"),
  }),
  async run(context, input) {
    if (!input.yes) {
      const isSure = await context.confirm(`Remove task ${input.task}?`);
      if (isSure === undefined)
        return fail({
          code: "needs-yes",
          message: "Nobody is there to ask, so nothing was removed. milepost task rm --help tells more.",
        });
      if (!isSure) return fail({ code: "not-confirmed", message: "Nothing was removed." });
    }
    return writeTasks(context, "rm", input, function* (board, { list, owner }) {
      yield* board.lockEdges();
      const found = yield* board.find(input.task);
      if (!found) return fail(noTask(list, input.task));
      const { task } = found;
      const may = checkHold(task, { owner, fence: input.fence }, { policy: OUR_POLICY, now: board.now });
      if (!may.ok && input.fence !== undefined) return may;
      if (!may.ok && !input.force && isLive(task.lease, board.now)) return fail(held(task, owner, board.now));
      const removed = yield* board.remove(task.number);
      return removed.ok ? ok({ removed: String(task.number) }) : removed;
    });
  },
  show: ({ removed }) => `#${removed}: removed.\n`,
});
