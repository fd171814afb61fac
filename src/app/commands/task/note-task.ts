import * as z from "zod";
import { terminalText } from "../../../core/text/terminal-text.js";
import { defineCommand } from "../../command.js";
import { WHO } from "../../tasks/task-place.js";
import { askTask } from "../../tasks/write-task.js";
import { TASK } from "./task-flags.js";

export const noteTask = defineCommand({
  details: `Notes are only ever added, with who wrote them and when. Anybody may, whoever holds the task.

Example:
  milepost task note 3 "The bug is in the session cookie"`,
  words: ["task", "text"],
  input: z.object({ ...TASK, text: z.array(z.string()).min(1).describe("what to keep with it"), ...WHO }),
  run: (context, input) => askTask(context, "note", input, () => ({ type: "note", text: input.text.join(" ") })),
  show: ({ task }) => `#${task.id} ${terminalText(task.subject)}: noted.\n`,
});
