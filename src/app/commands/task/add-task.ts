import type { JsonObject } from "../../../core/json.js";
import { type Failure, fail, ok, type Result } from "../../../core/result.js";
import type { NewTask } from "../../../core/task/command.js";
import { terminalText } from "../../../core/text/terminal-text.js";
import type { Script } from "../../../store/script.js";
import { defineCommand } from "../../command-definition.js";
import { many, needed, text, type Values } from "../../fields.js";
import type { Board } from "../../tasks/task-board.js";
import { DETAILS, jsonOf, parsePriority, splitNames, WHO } from "./task-flags.js";
import { numbersOf, type OneTask, oneTask, parentOf, writeTasks } from "./write-task.js";

const INPUT = {
  subject: needed(many(text("SUBJECT", "what to do, in a few words", { mayBeEmpty: true }))),
  ...DETAILS,
  after: many(text("TASK", "its blockers: tasks to be done first, such as 3,4")),
  before: many(text("TASK", "tasks that it blocks until it is done")),
  ...WHO,
};

export const addTask = defineCommand({
  details: `Prints the task's number, which is unique in its list and never reused. --json also has its UUID.`,
  examples: [
    'milepost task add "Fix the login" --priority high --label bug --label web',
    'milepost task add "Write the docs" --after 3,4 --parent 1',
    'milepost task add "Nightly build" --metadata \'{"estimate": 2}\' --key build-2026-01-31',
  ],
  words: ["subject"],
  input: INPUT,
  run: (context, input) =>
    writeTasks<OneTask>(context, "add", input, function* (board, { list }) {
      yield* board.lockEdges();
      const task = yield* newTask(board, list, input);
      if (!task.ok) return task;
      const added = yield* board.add(task.value);
      return added.ok ? ok(yield* oneTask(board, list, added.value.number)) : added;
    }),
  show: ({ task }) => `#${task.id} ${terminalText(task.subject)}\n`,
});

function* newTask(board: Board, list: string, input: Values<typeof INPUT>): Script<Result<NewTask, Failure>> {
  const { subject, description, activeForm, priority, label, assignee, maxAttempts, metadata } = input;
  const blockedBy = yield* numbersOf(board, list, splitNames(input.after));
  if (!blockedBy.ok) return blockedBy;
  const blocks = yield* numbersOf(board, list, splitNames(input.before));
  if (!blocks.ok) return blocks;
  const parent = input.parent === undefined ? ok(undefined) : yield* parentOf(board, list, input.parent);
  if (!parent.ok) return fail(parent.error);
  return ok({
    subject: subject.join(" "),
    description,
    activeForm,
    priority: priority === undefined ? undefined : parsePriority(priority),
    labels: label && [...new Set(label)],
    metadata: jsonOf(metadata) as JsonObject | undefined,
    parent: parent.value,
    blockedBy: blockedBy.value,
    blocks: blocks.value,
    assignee,
    maxAttempts,
  });
}
