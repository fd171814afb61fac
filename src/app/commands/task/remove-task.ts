import { fail, ok } from "../../../core/result.js";
import { checkHold, held } from "../../../core/task/lease.js";
import { OUR_POLICY } from "../../../core/task/policy.js";
import { isLive } from "../../../core/task/standing.js";
import { defineCommand } from "../../command-definition.js";
import { toggle } from "../../fields.js";
import { finishRemovals } from "../../tasks/finish-removals.js";
import { noTask } from "../../tasks/task-board.js";
import { HOLDER } from "./task-flags.js";
import { holdOf, placeOf, writeTasks } from "./write-task.js";

export const removeTask = defineCommand({
  details: `For a task added by mistake; use milepost task cancel for work that is no longer wanted. Its subtasks
move up to its parent, and its number is not reused. If somebody else holds it, --force is needed.`,
  examples: ["milepost task rm 3 --yes"],
  words: ["task"],
  input: {
    ...HOLDER,
    yes: toggle("do not ask for confirmation"),
    force: toggle("remove it even if somebody else holds it"),
  },
  async run(context, input) {
    if (!input.yes) {
      const isSure = await context.confirm(`Remove task ${input.task}?`);
      if (isSure === undefined)
        return fail({
          code: "needs-yes",
          message: "Nothing was removed: confirmation needs a terminal, or --yes.",
        });
      if (!isSure) return fail({ code: "not-confirmed", message: "Nothing was removed." });
    }
    const done = await writeTasks(context, "rm", input, function* (board, { list, owner }) {
      yield* board.lockEdges();
      const found = yield* board.find(input.task);
      if (!found) return fail(noTask(list, input.task));
      const { task } = found;
      const may = checkHold(task, holdOf(context, owner, input), { policy: OUR_POLICY, now: board.now });
      if (!may.ok && input.fence !== undefined) return may;
      if (!may.ok && !input.force && isLive(task.lease, board.now)) return fail(held(task, owner, board.now));
      const removed = yield* board.remove(task.number);
      return removed.ok ? ok({ id: String(task.number), list, removed: true }) : removed;
    });
    const place = placeOf(context, input, undefined);
    if (done.ok && place.ok) await finishRemovals((await context.open("write")).store, place.value);
    return done;
  },
  show: ({ id }) => `#${id}: removed.\n`,
});
