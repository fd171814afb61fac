import * as z from "zod";
import { fail, ok, type Result } from "../../../core/result.js";
import type { Wait } from "../../../core/task/wait-until.js";
import { terminalText } from "../../../core/text/terminal-text.js";
import { defineCommand } from "../../command.js";
import { WHO } from "../../tasks/task-place.js";
import type { TaskReport } from "../../tasks/task-report.js";
import { askTask, reportNow, writeTasks } from "../../tasks/write-task.js";
import { waitText } from "../../terminal/task-detail.js";
import { parseDuration } from "./duration.js";
import { durationFlag, HOLDER, jsonOf, PAYLOAD, TASK } from "./task-flags.js";

const INPUT = z.object({
  ...HOLDER,
  for: durationFlag("so long, such as 90s, 30m, 2h, 1d"),
  until: z
    .string()
    .refine((text) => Date.parse(text) >= 0, "Use a time such as 2026-01-31T09:00:00Z")
    .optional()
    .describe("until this time, such as 2026-01-31T09:00:00Z"),
  topic: z.string().optional().describe("until a signal of this topic comes"),
  correlation: z.string().optional().describe("only a signal with this id, or one without any"),
  manual: z.boolean().default(false).describe("until somebody wakes it"),
  timeout: durationFlag("wake it after so long, whatever happens"),
});

export const waitTask = defineCommand({
  details: `The task is let go, and nobody can claim it until then. Say one of --for, --until, --topic and --manual. Whoever claims it afterwards
finds what a signal brought in "payload".

Examples:
  milepost task wait 3 --fence 1 --for 2h
  milepost task wait 3 --fence 1 --topic deploy --correlation build-77 --timeout 1d`,
  words: ["task"],
  input: INPUT,
  async run(context, input) {
    const wait = readWait(input);
    if (!wait.ok) return wait;
    return askTask(context, "wait", input, ({ hold, now }) => ({ type: "wait", hold, wait: wait.value(now) }));
  },
  show: ({ task }) =>
    `#${task.id} ${terminalText(task.subject)}: ${task.waiting ? waitText(task.waiting) : "waited"}.\n`,
});

/** By the store's clock, which only the write knows. */
function readWait(input: z.output<typeof INPUT>): Result<(now: number) => Wait> {
  const { for: span, until, topic, correlation, manual } = input;
  const ways = [span, until, topic, manual || undefined].filter((way) => way !== undefined);
  if (ways.length !== 1)
    return fail({
      code: "bad-usage",
      message: "Say one of --for, --until, --topic and --manual. See milepost task wait --help.",
    });
  if (correlation !== undefined && topic === undefined)
    return fail({ code: "bad-usage", message: "--correlation tells signals of one topic apart: it needs --topic." });
  const limit = (now: number) =>
    input.timeout === undefined ? {} : { timeout: now + (parseDuration(input.timeout) ?? 0) };
  if (topic !== undefined)
    return ok((now) => ({
      kind: "event",
      topic,
      ...(correlation === undefined ? {} : { correlation }),
      ...limit(now),
    }));
  if (manual) return ok((now) => ({ kind: "manual", ...limit(now) }));
  const at = (now: number) => (until === undefined ? now + (parseDuration(span ?? "") ?? 0) : Date.parse(until));
  return ok((now) => ({ kind: "timer", at: at(now), ...limit(now) }));
}

export const wakeTask = defineCommand({
  details: `Ends its wait, whatever it waits for.

Example:
  milepost task wake 3`,
  words: ["task"],
  input: z.object({ ...TASK, ...WHO }),
  run: (context, input) => askTask(context, "wake", input, () => ({ type: "wake", by: "manual" })),
  show: ({ task }) => `#${task.id} ${terminalText(task.subject)}: awake.\n`,
});

export const signalTasks = defineCommand({
  details: `Wakes every task of the list that waits for the topic; with --correlation those that wait for that id, or for any. A signal that nobody
waits for is not kept.

Example:
  milepost task signal deploy --correlation build-77 --payload '{"url": "https://example.com"}'`,
  words: ["topic"],
  input: z.object({
    topic: z.string().min(1).describe("what has happened"),
    correlation: z.string().optional().describe("which one of several"),
    payload: PAYLOAD,
    ...WHO,
  }),
  run: (context, input) =>
    writeTasks<{ readonly tasks: readonly TaskReport[] }>(context, "signal", input, function* (board, { list }) {
      const { topic, correlation, payload } = input;
      const signal = { topic, ...(correlation === undefined ? undefined : { correlation }) };
      const tasks: TaskReport[] = [];
      for (const { number } of yield* board.signal(signal, jsonOf(payload)))
        tasks.push(yield* reportNow(board, list, number));
      return ok({ tasks });
    }),
  show: ({ tasks }) =>
    tasks.length === 0
      ? "Nobody waits for that.\n"
      : tasks.map(({ id, subject }) => `#${id} ${terminalText(subject)}: awake.\n`).join(""),
});
