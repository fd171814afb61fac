import { defined } from "../../../core/json.js";
import { fail, ok, type Result } from "../../../core/result.js";
import type { Wait } from "../../../core/task/wait-until.js";
import { parseDuration } from "../../../core/text/duration.js";
import { terminalText } from "../../../core/text/terminal-text.js";
import type { EventStore } from "../../../store/event-store.js";
import { giveWay } from "../../../store/upkeep/give-way.js";
import { defineCommand } from "../../command-definition.js";
import { needed, text, toggle, type Values } from "../../fields.js";
import { type BoardOptions, onBoard } from "../../tasks/task-board.js";
import type { TaskReport } from "../../tasks/task-report.js";
import { waitText } from "../../terminal/task-detail.js";
import { durationFlag, HOLDER, jsonOf, PAYLOAD, TASK, WHO } from "./task-flags.js";
import { askTask, placeOf, reportNow } from "./write-task.js";

const INPUT = {
  ...HOLDER,
  for: durationFlag("wait this long, such as 90s, 30m, 2h, 1d"),
  until: text("TIME", "wait until this time, such as 2026-01-31T09:00:00Z", {
    check: (given) => (Date.parse(given) >= 0 ? undefined : "use a time such as 2026-01-31T09:00:00Z"),
  }),
  topic: text("TOPIC", "wait for a signal with this topic"),
  correlation: text("ID", "only a signal with this correlation id, or without one"),
  manual: toggle("wait until somebody runs milepost task wake"),
  timeout: durationFlag("wake it after this long in any case"),
};

export const waitTask = defineCommand({
  details: `Releases the task; nobody can claim it until the wait ends. Pass exactly one of --for, --until, --topic and
--manual. The next holder finds the data of the signal in "payload".`,
  examples: [
    "milepost task wait 3 --fence 1 --for 2h",
    "milepost task wait 3 --fence 1 --topic deploy --correlation build-77 --timeout 1d",
  ],
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

/** Relative to the store's clock, which only the write knows. */
function readWait(input: Values<typeof INPUT>): Result<(now: number) => Wait> {
  const { for: span, until, topic, correlation, manual } = input;
  const ways = [span, until, topic, manual || undefined].filter((way) => way !== undefined);
  if (ways.length !== 1)
    return fail({
      code: "bad-usage",
      message: "Pass exactly one of --for, --until, --topic and --manual. See milepost task wait --help.",
    });
  if (correlation !== undefined && topic === undefined)
    return fail({ code: "bad-usage", message: "--correlation needs --topic. See milepost task wait --help." });
  return ok((now) => {
    const after = (duration: string) => now + (parseDuration(duration) ?? 0);
    const timeout = input.timeout === undefined ? undefined : after(input.timeout);
    if (topic !== undefined) return defined({ kind: "event", topic, correlation, timeout });
    if (manual) return defined({ kind: "manual", timeout });
    return defined({ kind: "timer", at: until === undefined ? after(span ?? "") : Date.parse(until), timeout });
  });
}

export const wakeTask = defineCommand({
  details: `Ends the wait of a task, whatever it waits for.`,
  examples: ["milepost task wake 3"],
  words: ["task"],
  input: { ...TASK, ...WHO },
  run: (context, input) => askTask(context, "wake", input, () => ({ type: "wake", by: "manual" })),
  show: ({ task }) => `#${task.id} ${terminalText(task.subject)}: awake.\n`,
});

const SIGNAL = {
  topic: needed(text("TOPIC", "topic that the tasks wait for")),
  correlation: text("ID", "correlation id"),
  payload: PAYLOAD,
  ...WHO,
};

interface SomeAwake {
  readonly tasks: readonly TaskReport[];
  readonly next?: number | undefined;
}

/** Many waiters are woken in several writes. Each has a key of its own: sent again, all give their first answers. */
function wakeSome(
  store: EventStore,
  { idempotency, ...place }: BoardOptions,
  { topic, correlation, payload }: Values<typeof SIGNAL>,
  after: number,
): Promise<Result<SomeAwake>> {
  // No key of a caller has a space in it.
  const own = idempotency && { ...idempotency, key: after === 0 ? idempotency.key : `${idempotency.key} ${after}` };
  return onBoard<SomeAwake>(store, { ...place, idempotency: own }, function* (board) {
    const some = yield* board.signalSome(defined({ topic, correlation }), jsonOf(payload), after);
    const tasks: TaskReport[] = [];
    for (const { number } of some.tasks) tasks.push(yield* reportNow(board, place.list, number));
    return ok({ tasks, next: some.next });
  });
}

export const signalTasks = defineCommand({
  details: `Wakes every task of the list that waits for the topic. With --correlation: only those that wait for that id,
or for any id. A signal that no task waits for is dropped.`,
  examples: ['milepost task signal deploy --correlation build-77 --payload \'{"url": "https://example.com"}\''],
  words: ["topic"],
  input: SIGNAL,
  async run(context, input) {
    const place = placeOf(context, input, ["signal", input]);
    if (!place.ok) return place;
    const { store } = await context.open("write");
    const tasks: TaskReport[] = [];
    for (let after: number | undefined = 0; after !== undefined; ) {
      const some: Result<SomeAwake> = await wakeSome(store, place.value, input, after);
      if (!some.ok) return some;
      tasks.push(...some.value.tasks);
      after = some.value.next;
      if (after !== undefined) await giveWay();
    }
    return ok({ tasks });
  },
  show: ({ tasks }) =>
    tasks.length === 0
      ? "No task waits for this signal.\n"
      : tasks.map(({ id, subject }) => `#${id} ${terminalText(subject)}: awake.\n`).join(""),
});
