import { fail, ok, type Result } from "../../../core/result.js";
import { clampTtl } from "../../../core/task/lease.js";
import { parseDuration, parseTtl } from "../../../core/text/duration.js";
import { terminalText } from "../../../core/text/terminal-text.js";
import { leftText } from "../../../core/text/time-text.js";
import { dueWaits, readyNumbers } from "../../../store/tasks/task-index.js";
import { type CommandContext, defineCommand, type Given } from "../../command-definition.js";
import { text } from "../../fields.js";
import { readSettings } from "../../settings.js";
import { checkList, lookAtTasks } from "../../tasks/read-tasks.js";
import { noTask } from "../../tasks/task-board.js";
import { nextStep, WHERE_FLAGS, WHO_FLAGS } from "../../terminal/next-step.js";
import { leaseRemark } from "./lease-remark.js";
import { durationFlag, HOLDER, listOf, WHO, type Who } from "./task-flags.js";
import { askTask, type OneTask, oneTask, standardTtl, writeTasks } from "./write-task.js";

const TTL = text("DURATION", "duration of the lease, such as 90s, 30m, 2h (5s to 24h)", {
  check: (given) => (parseTtl(given) === undefined ? "use a duration such as 90s, 30m or 2h" : undefined),
});

function readTtl({ environment }: CommandContext, text: string | undefined): number | undefined {
  const asked = text === undefined ? undefined : parseTtl(text);
  return asked === undefined ? undefined : clampTtl(asked, readSettings(environment).shortestLease);
}

/** Says how long the lease is where it is not as long as was asked for. */
async function tellLength(context: CommandContext, asked: string | undefined, { task: { lease }, now }: OneTask) {
  if (asked === undefined || !lease) return;
  const left = Date.parse(lease.until) - Date.parse(now);
  const remark = leaseRemark(asked, left, readSettings(context.environment).shortestLease);
  if (remark !== undefined) await context.notice(remark);
}

interface ClaimInput extends Who {
  readonly task?: string | undefined;
  readonly ttl?: string | undefined;
}

/** Workers that poll an empty list must not queue for the write lock. */
async function isWorthTrying(context: CommandContext, { task, key, ...where }: ClaimInput): Promise<boolean> {
  if (task !== undefined || key !== undefined) return true;
  const list = listOf(context, where);
  if (!list.ok) return true;
  const { store } = await context.open("write");
  const found = await lookAtTasks(store, function* (look) {
    return (yield* dueWaits(look, 1, list.value)).length + (yield* readyNumbers(look, list.value, 1)).length;
  });
  return found !== 0;
}

/** Nothing is ready, and that is not because an index is damaged. */
async function sureOfNone(context: CommandContext, where: ClaimInput, none: Result<Claimed>): Promise<Result<Claimed>> {
  const list = listOf(context, where);
  if (list.ok) await checkList((await context.open("write")).store, list.value);
  return none;
}

const LONGEST_PAUSE = 5000;

/** Exponential, with jitter so that waiting workers do not poll in step. */
function pauseAfter(round: number): number {
  return Math.min(LONGEST_PAUSE, 200 * 1.5 ** Math.min(round, 20)) * (0.5 + Math.random());
}

function claim(context: CommandContext, input: ClaimInput): Promise<Result<Claimed>> {
  const ttl = readTtl(context, input.ttl);
  return writeTasks<Claimed>(context, "claim", input, function* (board, place) {
    const { list, owner, session } = place;
    const lease = { ttl: ttl ?? standardTtl(place), owner, session: session || undefined };
    const named = input.task === undefined ? undefined : yield* board.find(input.task);
    if (input.task !== undefined && !named) return fail(noTask(list, input.task));
    const claimed = named
      ? yield* board.run(named.task.number, { type: "claim", ...lease })
      : yield* board.claimBest(lease.ttl);
    if (!claimed.ok) return claimed;
    return ok(claimed.value ? yield* oneTask(board, list, claimed.value.number) : NOTHING);
  });
}

const NOTHING = { task: null } as const;

type Claimed = OneTask | typeof NOTHING;

export const claimTask = defineCommand({
  details: `Without TASK: claims the best ready task, by priority, then age. When no task is ready, it exits with 0
({"task":null}). A task assigned to somebody else is only claimed by its number.
A claim is a lease: 10 minutes in a session, whose activity renews it, otherwise 30 minutes. milepost task renew extends
it. Each claim has a fence, a number that grows with every claim. Pass it with every later write: a write with an
outdated fence is refused, so it cannot overwrite the work of the next holder.`,
  examples: [
    "milepost task claim --json | jq -r '.task.lease.fence'",
    "milepost task claim 3 --as worker-1 --ttl 2h",
    "milepost task claim --wait 10m",
  ],
  words: ["task"],
  input: {
    task: text("TASK", "task number, such as 3, or UUID"),
    ttl: TTL,
    wait: durationFlag("how long to wait for a ready task, such as 10m"),
    ...WHO,
  },
  async run(context, { wait, ...input }) {
    const patience = wait === undefined ? 0 : (parseDuration(wait) ?? 0);
    const interrupted = context.interrupted();
    const start = Date.now();
    for (let round = 0; ; round += 1) {
      const claimed = (await isWorthTrying(context, input)) ? await claim(context, input) : ok<Claimed>(NOTHING);
      const left = patience - (Date.now() - start);
      if (claimed.ok && claimed.value.task) await tellLength(context, input.ttl, claimed.value);
      if (!claimed.ok || claimed.value.task) return claimed;
      if (left <= 0 || interrupted.aborted) return await sureOfNone(context, input, claimed);
      await context.sleep(Math.min(left, pauseAfter(round)));
    }
  },
  show: (claimed, _, given) => (claimed.task ? claimText(claimed, given) : noneText(given)),
});

function noneText(given: Given): string {
  return `No task is ready. Open tasks: ${nextStep("task list", given, WHERE_FLAGS)}\n`;
}

function claimText(claimed: OneTask, given: Given): string {
  const { id, subject, lease, description } = claimed.task;
  const left = leaseLeft(claimed);
  const words = description === "" ? "" : `${nextStep(`task show ${id}`, given, WHERE_FLAGS)} shows the description. `;
  const done = nextStep(`task done ${id} --fence ${lease?.fence}`, given, WHO_FLAGS);
  const fence = `fence ${lease?.fence}`;
  // Also for whoever typed #3, which the shell takes for a comment.
  if (given.task === undefined) {
    const back = nextStep(`task release ${id} --fence ${lease?.fence}`, given, WHO_FLAGS);
    const said = `The next ready task, claimed for ${left}, ${fence}. ${words}To put it back: ${back}`;
    return `#${id} ${terminalText(subject)}\n${said}\nTo complete it: ${done}\n`;
  }
  return `#${id} ${terminalText(subject)}\nClaimed for ${left}, ${fence}. ${words}To complete it: ${done}\n`;
}

function leaseLeft({ task: { lease }, now }: OneTask): string {
  return leftText(lease ? Date.parse(lease.until) - Date.parse(now) : 0);
}

export const renewTask = defineCommand({
  details: `Renews the lease for its original duration, or for --ttl; it never gets shorter. The answer says whether a
cancel was requested: {"task":{...},"now","cancel":{"by","reason"}}, or "cancel":null. If so, release or cancel it.`,
  examples: ['milepost task renew 3 --fence 1 --progress "half of the tests pass"'],
  words: ["task"],
  input: { ...HOLDER, ttl: TTL, progress: text("TEXT", "progress so far, in a few words", { mayBeEmpty: true }) },
  async run(context, input) {
    const ttl = readTtl(context, input.ttl);
    const { progress } = input;
    const renewed = await askTask(context, "renew", input, ({ hold }) => ({ type: "renew", hold, ttl, progress }));
    if (!renewed.ok) return renewed;
    await tellLength(context, input.ttl, renewed.value);
    return ok({ ...renewed.value, cancel: renewed.value.task.cancel });
  },
  show({ cancel, ...renewed }, _, given) {
    const { id, lease } = renewed.task;
    const left = leaseLeft(renewed);
    if (!cancel) return `#${id}: lease renewed, ${left} left.\n`;
    const release = nextStep(`task release ${id} --fence ${lease?.fence}`, given, WHO_FLAGS);
    const who = cancel.by === null ? "Somebody" : terminalText(cancel.by);
    const why = cancel.reason === null ? "." : `: ${terminalText(cancel.reason)}`;
    return `#${id}: lease renewed, ${left} left. ${who} requested a cancel${why}\nTo stop: ${release}\n`;
  },
});
