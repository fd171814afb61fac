import { defined, type JsonObject } from "../../../core/json.js";
import { fail, ok, type Result } from "../../../core/result.js";
import type { TaskDetails } from "../../../core/task/events.js";
import { terminalText } from "../../../core/text/terminal-text.js";
import type { Script } from "../../../store/script.js";
import { defineCommand } from "../../command-definition.js";
import { many, needed, text, type Values } from "../../fields.js";
import type { Board } from "../../tasks/task-board.js";
import { DETAILS, HOLDER, jsonOf, parsePriority, TASK, WHO } from "./task-flags.js";
import { askTask, parentOf, withTask } from "./write-task.js";

const INPUT = { subject: text("SUBJECT", "new subject"), ...DETAILS, ...HOLDER };
type EditInput = Values<typeof INPUT>;

export const editTask = defineCommand({
  details: `Changes only the fields you pass. An empty text clears it: --parent "", --assignee "", --active-form "".
--label replaces all labels; --label "" removes them. --metadata sets the given keys; null removes a key. Anybody can
edit a task, whoever holds it; an outdated --fence is refused.`,
  examples: [
    "milepost task edit 3 --priority critical --assignee ann",
    'milepost task edit 3 --label web --label urgent --metadata \'{"estimate": 5, "draft": null}\'',
  ],
  words: ["task"],
  input: INPUT,
  async run(context, input) {
    if (CHANGEABLE.every((name) => input[name] === undefined))
      return fail({
        code: "bad-usage",
        message: "Pass a field to change, such as --priority high.",
      });
    return withTask(context, "edit", input, function* (board, { list, task, hold }) {
      const details = yield* detailsOf(board, list, input);
      return details.ok ? yield* board.run(task.number, { type: "change", hold, details: details.value }) : details;
    });
  },
  show: ({ task }) => `#${task.id} ${terminalText(task.subject)}: changed.\n`,
});

const CHANGEABLE = ["subject", ...(Object.keys(DETAILS) as (keyof typeof DETAILS)[])] as const;

function* detailsOf(board: Board, list: string, input: EditInput): Script<Result<TaskDetails>> {
  const { subject, description, activeForm, priority, label, parent, assignee, maxAttempts, metadata } = input;
  const named = parent === undefined || parent === "" ? ok(null) : yield* parentOf(board, list, parent);
  if (!named.ok) return named;
  return ok(
    defined({
      subject,
      description,
      activeForm: activeForm === "" ? null : activeForm,
      priority: priority === undefined ? undefined : parsePriority(priority),
      labels: label && [...new Set(label.filter((one) => one !== ""))],
      parent: parent === undefined ? undefined : named.value,
      assignee: assignee === "" ? null : assignee,
      maxAttempts,
      metadata: jsonOf(metadata) as JsonObject | undefined,
    }),
  );
}

export const noteTask = defineCommand({
  details: `Adds a note with its author and time. Notes cannot be changed. Anybody can add one, not only the holder.`,
  examples: ['milepost task note 3 "The bug is in the session cookie"'],
  words: ["task", "text"],
  input: { ...TASK, text: needed(many(text("TEXT", "text of the note", { mayBeEmpty: true }))), ...WHO },
  run: (context, input) => askTask(context, "note", input, () => ({ type: "note", text: input.text.join(" ") })),
  show: ({ task }) => `#${task.id} ${terminalText(task.subject)}: noted.\n`,
});
