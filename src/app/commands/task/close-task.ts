import { fail, ok } from "../../../core/result.js";
import { isOpen } from "../../../core/task/task.js";
import { terminalText } from "../../../core/text/terminal-text.js";
import { leftText } from "../../../core/text/time-text.js";
import { defineCommand, type Given } from "../../command-definition.js";
import { needed, text, toggle } from "../../fields.js";
import { type OfferedTodo, offerTodos } from "../../tasks/links/offer-todos.js";
import { noTask } from "../../tasks/task-board.js";
import type { TaskReport } from "../../tasks/task-report.js";
import { nextStep, WHO_FLAGS } from "../../terminal/next-step.js";
import { HOLDER, TASK, WHO } from "./task-flags.js";
import { askTask, oneTask, writeTasks } from "./write-task.js";

function todoRow({ number, session, subAgent, text, finished }: OfferedTodo, { as, store }: Given): string {
  const what = `Linked todo ${number} of ${terminalText(session)}: ${terminalText(text)}.`;
  if (finished) return `${what} It is now done too.`;
  const flags = { session, agent: subAgent, as, store };
  return `${what} To complete it too: ${nextStep(`todo done ${number}`, flags)}`;
}

const REASON = text("TEXT", "the reason", { mayBeEmpty: true });

function named({ id, subject }: TaskReport): string {
  return `#${id} ${terminalText(subject)}`;
}

export const doneTask = defineCommand({
  details: `A claimed task can only be completed by its holder, an unclaimed one by anybody. A task with an open blocker
cannot be completed.`,
  examples: ['milepost task done 3 --fence 1 --evidence "npm test: 212 passed"'],
  words: ["task"],
  input: {
    ...HOLDER,
    evidence: text("TEXT", "what proves that it is done", { mayBeEmpty: true }),
    yes: toggle("complete linked todos too, without asking"),
  },
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
  details: `The task is retried after 30 seconds, then with exponential backoff (one hour at most), until it has failed
--max-attempts times (default: 3). With --final it is not retried.`,
  examples: ['milepost task fail 3 --fence 1 --reason "the staging server is down"'],
  words: ["task"],
  input: {
    ...HOLDER,
    reason: needed(text("TEXT", "what went wrong", { mayBeEmpty: true })),
    final: toggle("do not retry"),
  },
  run: (context, input) =>
    askTask(context, "fail", input, ({ hold }) => {
      return { type: "fail", hold, reason: input.reason, isFinal: input.final };
    }),
  show({ task, now }) {
    const { failures, maxAttempts, retryAt } = task;
    if (retryAt === null) return `${named(task)}: failed for good.\n`;
    const wait = leftText(Date.parse(retryAt) - Date.parse(now));
    return `${named(task)}: attempt ${failures} of ${maxAttempts} failed. Retry in ${wait}.\n`;
  },
});

export const releaseTask = defineCommand({
  details: `Ends your lease: others can claim the task at once. If a cancel was requested, the task is cancelled.`,
  examples: ['milepost task release 3 --fence 1 --reason "out of time"'],
  words: ["task"],
  input: { ...HOLDER, reason: REASON },
  run: (context, input) =>
    askTask(context, "release", input, ({ hold }) => ({ type: "release", hold, reason: input.reason })),
  show: ({ task }) => `${named(task)}: ${task.status === "cancelled" ? "released and cancelled" : "released"}.\n`,
});

export const cancelTask = defineCommand({
  details: `If somebody else holds the task, the holder is asked to stop and hears of it with its next renewal. With
--force the task is cancelled at once, and later writes of the holder are refused.`,
  examples: ['milepost task cancel 3 --reason "we bought one instead"'],
  words: ["task"],
  input: {
    ...HOLDER,
    reason: REASON,
    force: toggle("cancel at once, even if somebody else holds it"),
  },
  run: (context, input) =>
    askTask(context, "cancel", input, ({ hold }) => {
      return { type: "cancel", hold, reason: input.reason, isForced: input.force };
    }),
  show({ task }, _, given) {
    if (task.status === "cancelled") return `${named(task)}: cancelled.\n`;
    const force = nextStep(`task cancel ${task.id} --force`, given, WHO_FLAGS);
    const holder = terminalText(task.lease?.owner ?? "the holder");
    return `${named(task)}: ${holder} was asked to stop. To cancel at once: ${force}\n`;
  },
});

export const reopenTask = defineCommand({
  details: `Makes a done, failed or cancelled task open again. Its failure count is reset; its history stays. An open
task is not changed. --json: {"task":{...},"now","reopened"}.`,
  examples: ["milepost task reopen 3"],
  words: ["task"],
  input: { ...TASK, ...WHO },
  run: (context, input) =>
    writeTasks(context, "reopen", input, function* (board, { list }) {
      const found = yield* board.find(input.task);
      if (!found) return fail(noTask(list, input.task));
      const { number } = found.task;
      const done = yield* board.run(number, { type: "reopen" });
      return done.ok ? ok({ ...(yield* oneTask(board, list, number)), reopened: !isOpen(found.task) }) : done;
    }),
  show({ task, reopened }) {
    if (reopened) return `${named(task)}: reopened.\n`;
    const { lease } = task;
    return `#${task.id} is already open${lease ? `; ${terminalText(lease.owner)} holds it` : ""}.\n`;
  },
});
