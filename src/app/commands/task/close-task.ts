import * as z from "zod";
import { fail, ok } from "../../../core/result.js";
import { isOpen } from "../../../core/task/task.js";
import { terminalText } from "../../../core/text/terminal-text.js";
import { defineCommand, type Given } from "../../command.js";
import { type OfferedTodo, offerTodos } from "../../tasks/links/offer-todos.js";
import { noTask } from "../../tasks/task-board.js";
import { WHO } from "../../tasks/task-place.js";
import type { TaskReport } from "../../tasks/task-report.js";
import { askTask, reportNow, writeTasks } from "../../tasks/write-task.js";
import { leftText } from "../../terminal/age-text.js";
import { nextStep } from "../../terminal/next-step.js";
import { HOLDER, TASK } from "./task-flags.js";

// How work on a task ends, and begins again.

function todoRow({ todo, session, agent, text, finished }: OfferedTodo, { as, store }: Given): string {
  const what = `Todo ${todo} of ${terminalText(session)} stands for it: ${terminalText(text)}.`;
  if (finished) return `${what} It is done too.`;
  const flags = ["session", "agent", "as", "store"];
  return `${what} If that is done too: ${nextStep(`todo done ${todo}`, { session, agent, as, store }, flags)}`;
}

const REASON = z.string().optional().describe("why");

function named({ id, subject }: TaskReport): string {
  return `#${id} ${terminalText(subject)}`;
}

export const doneTask = defineCommand({
  details: `A task that somebody holds is finished by its holder; one that nobody holds, by anybody. One with an open blocker cannot be
finished.

Example:
  milepost task done 3 --fence 1 --evidence "npm test: 212 passed"`,
  words: ["task"],
  input: z.object({
    ...HOLDER,
    evidence: z.string().optional().describe("what shows that it is done"),
    yes: z.boolean().default(false).describe("finish todos that stand for it too, without asking"),
  }),
  async run(context, input) {
    const { yes, ...asked } = input;
    const done = await askTask(context, "done", asked, ({ hold }) => {
      return { type: "complete", hold, evidence: input.evidence };
    });
    if (!done.ok) return done;
    return ok({ ...done.value, todos: await offerTodos(context, done.value.task.links, { yes, as: input.as }) });
  },
  show: ({ task, todos }, _, given) =>
    [`${named(task)}: done.`, ...todos.map((todo) => todoRow(todo, given)), ""].join("\n"),
});

export const failTask = defineCommand({
  details: `It is tried again after 30 seconds, then after twice as long each time, until it has failed as often as --max-attempts allows (3);
with --final it is not tried again.

Example:
  milepost task fail 3 --fence 1 --reason "the staging server is down"`,
  words: ["task"],
  input: z.object({
    ...HOLDER,
    reason: z.string().describe("what went wrong"),
    final: z.boolean().default(false).describe("do not try again"),
  }),
  run: (context, input) =>
    askTask(context, "fail", input, ({ hold }) => {
      return { type: "fail", hold, reason: input.reason, isFinal: input.final };
    }),
  show({ task }) {
    const { failures, maxAttempts, retryAt } = task;
    if (retryAt === null) return `${named(task)}: failed for good.\n`;
    const wait = leftText(Date.parse(retryAt) - Date.now());
    return `${named(task)}: failed, ${failures} of ${maxAttempts} times. It is tried again in ${wait}.\n`;
  },
});

export const releaseTask = defineCommand({
  details: `Somebody else can take it at once. A task whose holder was asked to stop is cancelled with it.

Example:
  milepost task release 3 --fence 1 --reason "out of time"`,
  words: ["task"],
  input: z.object({ ...HOLDER, reason: REASON }),
  run: (context, input) =>
    askTask(context, "release", input, ({ hold }) => ({ type: "release", hold, reason: input.reason })),
  show: ({ task }) => `${named(task)}: ${task.status === "cancelled" ? "stopped, and cancelled" : "free again"}.\n`,
});

export const cancelTask = defineCommand({
  details: `It is no longer wanted. Of a task that somebody else holds, the holder is asked to stop: it hears of it with its next renewal. With
--force it is taken away at once, and whatever the holder still writes is refused.

Example:
  milepost task cancel 3 --reason "we bought one instead"`,
  words: ["task"],
  input: z.object({
    ...HOLDER,
    reason: REASON,
    force: z.boolean().default(false).describe("also when somebody else is at it"),
  }),
  run: (context, input) =>
    askTask(context, "cancel", input, ({ hold }) => {
      return { type: "cancel", hold, reason: input.reason, isForced: input.force };
    }),
  show: ({ task }) =>
    task.status === "cancelled"
      ? `${named(task)}: cancelled.\n`
      : `${named(task)}: ${terminalText(task.lease?.owner ?? "its holder")} was asked to stop. --force does not ask.\n`,
});

interface Reopened {
  readonly task: TaskReport;
  readonly reopened: boolean;
}

export const reopenTask = defineCommand({
  details: `A task that is done, has failed or was cancelled is to be done again; its failures are forgotten, its history is not. One that is open
stays as it is. --json: {"task":{...},"reopened"}.

Example:
  milepost task reopen 3`,
  words: ["task"],
  input: z.object({ ...TASK, ...WHO }),
  run: (context, input) =>
    writeTasks<Reopened>(context, "reopen", input, function* (board, { list }) {
      const found = yield* board.find(input.task);
      if (!found) return fail(noTask(list, input.task));
      const { number } = found.task;
      const done = yield* board.run(number, { type: "reopen" });
      return done.ok ? ok({ task: yield* reportNow(board, list, number), reopened: !isOpen(found.task) }) : done;
    }),
  show({ task, reopened }) {
    if (reopened) return `${named(task)}: open.\n`;
    const { lease } = task;
    return `#${task.id} is open already${lease ? `; ${terminalText(lease.owner)} holds it` : ""}.\n`;
  },
});
