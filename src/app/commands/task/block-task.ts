import type { Result } from "../../../core/result.js";
import { terminalText } from "../../../core/text/terminal-text.js";
import { type CommandContext, defineCommand } from "../../command-definition.js";
import { many, needed, text, type Values } from "../../fields.js";
import { splitNames, TASK, WHO } from "./task-flags.js";
import { numbersOf, type OneTask, withTask } from "./write-task.js";

const INPUT = {
  ...TASK,
  blockers: needed(many(text("TASK", "tasks that must be done first"))),
  ...WHO,
};

export const blockTask = defineCommand({
  details: `A task with an open blocker cannot be claimed or completed. Refused: a blocker that does not exist, the task
itself, and a blocker that would create a cycle (the message shows it).`,
  examples: ["milepost task block 5 3 4"],
  words: ["task", "blockers"],
  input: INPUT,
  run: (context, input) => changeBlockers(context, "block", input),
  show: blockedText,
});

export const unblockTask = defineCommand({
  details: `These tasks no longer block it; its other blockers stay.`,
  examples: ["milepost task unblock 5 3"],
  words: ["task", "blockers"],
  input: INPUT,
  run: (context, input) => changeBlockers(context, "unblock", input),
  show: blockedText,
});

function changeBlockers(
  context: CommandContext,
  verb: "block" | "unblock",
  input: Values<typeof INPUT>,
): Promise<Result<OneTask>> {
  return withTask(context, verb, input, function* (board, { list, task }) {
    const blockers = yield* numbersOf(board, list, splitNames(input.blockers));
    return blockers.ok ? yield* board[verb](task.number, blockers.value) : blockers;
  });
}

function blockedText({ task: { id, subject, blocked } }: OneTask): string {
  const by = blocked.map((blocker) => `#${blocker}`).join(", ");
  return `#${id} ${terminalText(subject)}: ${by === "" ? "no open blockers" : `blocked by ${by}`}.\n`;
}
