import * as z from "zod";
import { defineCommand } from "../../command.js";
import { showWhole } from "../../terminal/todo-rows.js";
import { WHOSE } from "../../todo/list-place.js";
import { openList, reportOn } from "../../todo/opened-list.js";
import { undoEdit } from "../../todo/undo-edit.js";

export const undoTodos = defineCommand({
  details: `Takes back the last change that a person made to the list, and says which; the next undo takes back the one
before it, as far as the history goes. It stops where the model has written the list: what a model wrote is never
undone.

Example:
  milepost todo undo`,
  input: z.object({ ...WHOSE }),
  async run(context, whose) {
    const opened = await openList(context, whose, "write");
    if (!opened.ok) return opened;
    const { store, place } = opened.value;
    const undone = await undoEdit(store, place);
    if (!undone.ok) return undone;
    const { action, by, left, list } = undone.value;
    const who = by === undefined || by === place.by ? "" : ` what ${by} did`;
    const more = left === 0 ? "Nothing more to undo." : `${left} more can be undone.`;
    const said = `Took back${who}: ${action}. ${more}`;
    return reportOn(opened.value, { said, changed: true, list });
  },
  show: showWhole,
});
