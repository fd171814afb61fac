import * as z from "zod";
import { type Failure, fail, ok } from "../../../core/result.js";
import { checkTtl } from "../../../core/task/lease.js";
import { terminalText } from "../../../core/text/terminal-text.js";
import { leftText } from "../../age-text.js";
import { type CommandContext, defineCommand } from "../../command.js";
import { readSettings } from "../../settings.js";
import { noTask } from "../../tasks/board.js";
import { parseDuration } from "../../tasks/duration.js";
import { durationFlag, HOLDER, TASK } from "../../tasks/task-input.js";
import { standardTtl, WHO } from "../../tasks/task-place.js";
import type { CancelReport, TaskReport } from "../../tasks/task-report.js";
import { askTask, reportNow, writeTasks } from "../../tasks/write-task.js";

const TTL = durationFlag("how long the lease lasts, such as 90s, 30m, 2h (5s to 24h)");

/** What a flag says, or undefined without one; and why it cannot be. */
function readTtl({ environment }: CommandContext, text: string | undefined): { ttl?: number; refused?: Failure } {
  if (text === undefined) return {};
  const ttl = parseDuration(text) ?? Number.NaN;
  const refused = checkTtl(ttl, readSettings(environment).shortestLease);
  return refused ? { refused } : { ttl };
}

interface Claimed {
  readonly task: TaskReport | null;
}

export const claimTask = defineCommand({
  details: `Without TASK: the best one that is ready, by priority, then age; with nothing ready it says so, and ends with 0 ({"task":null}). What
is kept for somebody else is only had by its number. A claim is a lease: 10 minutes in a session, whose work renews it, else
30; milepost task renew makes it longer. Its fence is a number that grows with every claim: say it with every later write, and
who comes too late is told so instead of overwriting the next one's work.

Examples:
  milepost task claim --json | jq -r '.task.lease.fence'
  milepost task claim 3 --as worker-1 --ttl 2h`,
  words: ["task"],
  input: z.object({ task: TASK.task.optional(), ttl: TTL, ...WHO }),
  async run(context, input) {
    const { ttl, refused } = readTtl(context, input.ttl);
    if (refused) return fail(refused);
    return writeTasks<Claimed>(context, "claim", input, function* (board, place) {
      const { list, owner, session } = place;
      const lease = { ttl: ttl ?? standardTtl(place), owner, session: session || undefined };
      const named = input.task === undefined ? undefined : yield* board.find(input.task);
      if (input.task !== undefined && !named) return fail(noTask(list, input.task));
      const claimed = named
        ? yield* board.run(named.task.number, { type: "claim", ...lease })
        : yield* board.claimBest(lease.ttl);
      if (!claimed.ok) return claimed;
      return ok({ task: claimed.value ? yield* reportNow(board, list, claimed.value.number) : null });
    });
  },
  show: ({ task }) => (task ? claimText(task) : "Nothing is ready.\n"),
});

function claimText({ id, subject, lease, description }: TaskReport): string {
  const left = leftText(lease ? Date.parse(lease.until) - Date.now() : 0);
  const words = description === "" ? "" : `milepost task show ${id} tells more. `;
  return `#${id} ${terminalText(subject)}\nYours for ${left}, fence ${lease?.fence}. ${words}When it is done: milepost task done ${id} --fence ${lease?.fence}\n`;
}

interface Renewed {
  readonly task: TaskReport;
  readonly cancel: CancelReport | null;
}

export const renewTask = defineCommand({
  details: `The lease lasts as long again as when it was claimed, or as --ttl says; it never gets shorter. The answer tells whether somebody wants
the work stopped: {"task":{...},"cancel":{"by","reason"}}, or "cancel":null. Then release it, or cancel it.

Example:
  milepost task renew 3 --fence 1 --progress "half of the tests pass"`,
  words: ["task"],
  input: z.object({ ...HOLDER, ttl: TTL, progress: z.string().optional().describe("how far it is, in a few words") }),
  async run(context, input) {
    const { ttl, refused } = readTtl(context, input.ttl);
    if (refused) return fail(refused);
    const { progress } = input;
    const renewed = await askTask(context, "renew", input, ({ hold }) => ({ type: "renew", hold, ttl, progress }));
    return renewed.ok ? ok<Renewed>({ ...renewed.value, cancel: renewed.value.task.cancel }) : renewed;
  },
  show({ task: { id, lease }, cancel }) {
    const left = leftText(lease ? Date.parse(lease.until) - Date.now() : 0);
    if (!cancel) return `#${id} is yours for ${left}.\n`;
    const who = cancel.by === null ? "Somebody" : terminalText(cancel.by);
    const why = cancel.reason === null ? "." : `: ${terminalText(cancel.reason)}`;
    return `#${id} is yours for ${left}, but ${who} wants it stopped${why}\nmilepost task release ${id} stops it.\n`;
  },
});
