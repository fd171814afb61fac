import { describe, expect, test } from "vitest";
import { type Live, type Seen, type SessionState, type StateFacts, stateOf, type Told } from "./session-state.js";
import type { Reason, Source } from "./state/reason.js";

// The table of session states, row by row, with its borders.

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const NOW = 1_800_000_000_000;

const at = (ago: number) => NOW - ago;
const told = (state: Told["state"], reason: Reason, ago = 0, text?: string): Told => ({
  state,
  why: { reason, since: at(ago), ...(text && { text }) },
});
const seen = (
  phase: Seen["phase"],
  reason: Reason,
  ago = 0,
  more: { hasOpenCall?: boolean; text?: string } = {},
): Seen => ({
  phase,
  shown: { reason, since: at(ago), ...(more.text && { text: more.text }) },
  hasOpenCall: more.hasOpenCall ?? false,
});
const left = (ago = HOUR) => seen("left", "session-ended", ago);
const live = (state: Live["state"], ago: number, reason: Reason = "interrupted"): Live => ({
  state,
  reason: state === "busy" ? "in-turn" : reason,
  since: at(ago),
});
const facts = ({ quiet = 0, ...rest }: Case["facts"]): StateFacts => ({ now: NOW, heardAt: at(quiet), ...rest });

interface Case {
  readonly name: string;
  readonly facts: Partial<StateFacts> & { readonly quiet?: number };
  readonly is: readonly [SessionState, Reason, Source];
}

const check = (cases: readonly Case[]) =>
  test.each(cases)("$name: $is", ({ facts: given, is }) => {
    const { state, reason, source } = stateOf(facts(given));
    expect([state, reason, source]).toEqual(is);
  });

describe("known by its transcript alone", () => {
  const working = seen("working", "in-turn", HOUR);
  const asking = seen("asking", "question", HOUR);
  const resting = seen("resting", "turn-ended", HOUR);
  const fresh = seen("new", "started", HOUR);
  check([
    { name: "mid-turn", facts: { seen: working }, is: ["running", "in-turn", "transcript"] },
    {
      name: "mid-turn, 10 min",
      facts: { seen: working, quiet: 10 * MINUTE },
      is: ["stalled", "no-event", "transcript"],
    },
    { name: "just below", facts: { seen: working, quiet: 10 * MINUTE - 1 }, is: ["running", "in-turn", "transcript"] },
    {
      name: "a call runs, or nobody allowed it: who knows",
      facts: { seen: seen("working", "in-turn", HOUR, { hasOpenCall: true }), quiet: 10 * MINUTE },
      is: ["stalled", "no-event", "transcript"],
    },
    {
      name: "a call runs",
      facts: { seen: seen("working", "in-turn", HOUR, { hasOpenCall: true }) },
      is: ["running", "call-running", "transcript"],
    },
    {
      name: "mid-turn, below a day",
      facts: { seen: working, quiet: 24 * HOUR - 1 },
      is: ["stalled", "no-event", "transcript"],
    },
    { name: "mid-turn, a day", facts: { seen: working, quiet: 24 * HOUR }, is: ["ended", "long-quiet", "transcript"] },
    { name: "asks", facts: { seen: asking, quiet: 11 * MINUTE }, is: ["waiting", "question", "transcript"] },
    { name: "asks, a day", facts: { seen: asking, quiet: 24 * HOUR }, is: ["ended", "long-quiet", "transcript"] },
    { name: "turn over, 90 s", facts: { seen: resting, quiet: 90 * SECOND }, is: ["idle", "turn-ended", "transcript"] },
    {
      name: "turn over, less",
      facts: { seen: resting, quiet: 89 * SECOND },
      is: ["running", "turn-ended", "transcript"],
    },
    { name: "turn over, a day", facts: { seen: resting, quiet: 24 * HOUR }, is: ["ended", "long-quiet", "transcript"] },
    {
      name: "turn over, a day, and asleep until its next wake",
      facts: { seen: resting, quiet: 24 * HOUR, isAsleep: true },
      is: ["idle", "turn-ended", "transcript"],
    },
    { name: "new", facts: { seen: fresh, quiet: 89 * SECOND }, is: ["running", "started", "transcript"] },
    { name: "new, 90 s", facts: { seen: fresh, quiet: 90 * SECOND }, is: ["idle", "started", "transcript"] },
    {
      name: "Esc: idle at once",
      facts: { seen: seen("resting", "interrupted") },
      is: ["idle", "interrupted", "transcript"],
    },
    {
      name: "refused by the service",
      facts: { seen: seen("resting", "failed") },
      is: ["idle", "failed", "transcript"],
    },
    {
      name: "usage limit, an hour: not stalled",
      facts: { seen: seen("resting", "usage-limit", HOUR), quiet: HOUR },
      is: ["idle", "usage-limit", "transcript"],
    },
    { name: "clocks differ", facts: { seen: working, quiet: -HOUR }, is: ["running", "in-turn", "transcript"] },
    { name: "its process crashed", facts: { seen: working, isThere: false }, is: ["ended", "process-gone", "process"] },
    {
      name: "its process is there",
      facts: { seen: resting, isThere: true, quiet: 48 * HOUR },
      is: ["idle", "turn-ended", "transcript"],
    },
    { name: "its agent has closed it", facts: { seen: left() }, is: ["ended", "session-ended", "transcript"] },
    {
      name: "its agent has closed it, and is there with another one",
      facts: { seen: left(), isThere: true },
      is: ["ended", "session-ended", "transcript"],
    },
    { name: "nothing is known", facts: { quiet: HOUR }, is: ["idle", "started", "transcript"] },
  ]);
});

describe("wired by hooks", () => {
  const running = told("running", "in-turn", HOUR);
  const permission = told("waiting", "permission", 60 * SECOND, "Bash: npm publish");
  const busy = { hasOpenCall: true };
  check([
    { name: "mid-turn", facts: { told: running }, is: ["running", "in-turn", "hook"] },
    {
      name: "closed since, and no hook told",
      facts: { told: told("idle", "turn-ended", 2 * HOUR), seen: left() },
      is: ["ended", "session-ended", "transcript"],
    },
    {
      name: "opened again since",
      facts: { told: told("idle", "started", SECOND), seen: left() },
      is: ["idle", "started", "hook"],
    },
    {
      name: "closed: hooks know why",
      facts: { told: told("ended", "session-ended"), seen: left() },
      is: ["ended", "session-ended", "hook"],
    },
    { name: "10 min of nothing", facts: { told: running, quiet: 10 * MINUTE }, is: ["stalled", "no-event", "hook"] },
    {
      name: "10 min of a call",
      facts: { told: running, seen: seen("working", "in-turn", 2 * HOUR, busy), quiet: 10 * MINUTE },
      is: ["running", "call-running", "hook"],
    },
    {
      name: "30 min of a call",
      facts: { told: running, seen: seen("working", "in-turn", 2 * HOUR, busy), quiet: 30 * MINUTE },
      is: ["stalled", "no-event", "hook"],
    },
    { name: "crash in mid-turn", facts: { told: running, isThere: false }, is: ["ended", "process-gone", "process"] },
    {
      name: "crash while it waits",
      facts: { told: permission, isThere: false },
      is: ["ended", "process-gone", "process"],
    },
    {
      name: "crash when idle",
      facts: { told: told("idle", "turn-ended"), isThere: false },
      is: ["ended", "process-gone", "process"],
    },
    {
      name: "a permission, for days",
      facts: { told: permission, quiet: 48 * HOUR, isThere: true },
      is: ["waiting", "permission", "hook"],
    },
    {
      name: "idle for days",
      facts: { told: told("idle", "turn-ended"), quiet: 48 * HOUR, isThere: true },
      is: ["idle", "turn-ended", "hook"],
    },
    {
      name: "idle for days, nobody can tell",
      facts: { told: told("idle", "turn-ended"), quiet: 48 * HOUR },
      is: ["ended", "long-quiet", "hook"],
    },
    {
      name: "said that it ended",
      facts: { told: told("ended", "session-ended") },
      is: ["ended", "session-ended", "hook"],
    },
    {
      name: "ended, and its file has an end of turn as well",
      facts: { told: told("ended", "session-ended", SECOND), seen: seen("resting", "interrupted") },
      is: ["ended", "session-ended", "hook"],
    },
    {
      name: "ended, and gone on with where no hook tells",
      facts: { told: told("ended", "session-ended", HOUR), seen: seen("working", "in-turn", MINUTE) },
      is: ["running", "in-turn", "transcript"],
    },
    {
      name: "No to a permission: only the file tells",
      facts: { told: permission, seen: seen("resting", "interrupted", 5 * SECOND) },
      is: ["idle", "interrupted", "transcript"],
    },
    {
      name: "Esc at an earlier dialog is over",
      facts: { told: permission, seen: seen("resting", "interrupted", 90 * SECOND) },
      is: ["waiting", "permission", "hook"],
    },
    {
      name: "another call of the same answer ended while the dialog is open",
      facts: { told: permission, seen: seen("working", "in-turn", SECOND, busy) },
      is: ["waiting", "permission", "hook"],
    },
    {
      name: "Esc on a plan: nobody waits",
      facts: { told: told("waiting", "plan", MINUTE), seen: seen("resting", "interrupted", SECOND) },
      is: ["idle", "interrupted", "transcript"],
    },
    {
      name: "Esc on a question",
      facts: { told: told("waiting", "question", MINUTE), seen: seen("resting", "interrupted", SECOND) },
      is: ["idle", "interrupted", "transcript"],
    },
    {
      name: "Esc in mid-turn",
      facts: { told: told("running", "in-turn", MINUTE), seen: seen("resting", "interrupted", SECOND) },
      is: ["idle", "interrupted", "transcript"],
    },
    {
      name: "usage limit in mid-turn",
      facts: { told: told("running", "in-turn", MINUTE), seen: seen("resting", "usage-limit", SECOND), quiet: 0 },
      is: ["idle", "usage-limit", "transcript"],
    },
    {
      name: "the file says that the turn is over: its hook is about to",
      facts: { told: told("running", "in-turn", MINUTE), seen: seen("resting", "turn-ended", SECOND) },
      is: ["running", "in-turn", "hook"],
    },
    {
      name: "and after 90 s there is none",
      facts: {
        told: told("running", "in-turn", HOUR),
        seen: seen("resting", "turn-ended", 2 * MINUTE),
        quiet: 90 * SECOND,
      },
      is: ["idle", "turn-ended", "transcript"],
    },
    {
      name: "a question that no hook told",
      facts: { told: told("running", "in-turn", MINUTE), seen: seen("asking", "question", SECOND, busy) },
      is: ["waiting", "question", "transcript"],
    },
    {
      name: "the last words are a question: the turn is over",
      facts: { told: told("idle", "turn-ended", SECOND), seen: seen("asking", "question", 2 * SECOND) },
      is: ["idle", "turn-ended", "hook"],
    },
    {
      name: "agents in the background",
      facts: { told: told("running", "background-work", MINUTE) },
      is: ["running", "background-work", "hook"],
    },
    {
      name: "agents in the background that say nothing",
      facts: { told: told("running", "background-work", HOUR), quiet: 10 * MINUTE },
      is: ["stalled", "no-event", "hook"],
    },
    {
      name: "asleep: never stalled",
      facts: { told: told("idle", "turn-ended", 23 * HOUR), quiet: 23 * HOUR, isAsleep: true },
      is: ["idle", "turn-ended", "hook"],
    },
  ]);
});

describe("what the client says of itself", () => {
  const permission = told("waiting", "permission", MINUTE, "Bash: make");
  const run = told("running", "in-turn", MINUTE);
  const there = { isThere: true };
  check([
    {
      name: "granted, and the call runs: no hook yet",
      facts: { ...there, told: permission, live: live("busy", 5 * SECOND) },
      is: ["running", "in-turn", "process"],
    },
    {
      name: "denied, or Esc",
      facts: { ...there, told: permission, live: live("idle", SECOND) },
      is: ["idle", "interrupted", "process"],
    },
    {
      name: "still asked",
      facts: { ...there, told: permission, live: live("waiting", 59 * SECOND, "permission") },
      is: ["waiting", "permission", "hook"],
    },
    {
      name: "Esc before the first word",
      facts: { ...there, told: run, live: live("idle", SECOND) },
      is: ["idle", "interrupted", "process"],
    },
    {
      name: "a dialog that no hook told",
      facts: { ...there, told: run, live: live("waiting", SECOND, "input") },
      is: ["waiting", "input", "process"],
    },
    {
      name: "a dialog that is open while other calls end",
      facts: {
        ...there,
        told: told("running", "in-turn", 5 * SECOND),
        live: live("waiting", 20 * SECOND, "permission"),
      },
      is: ["waiting", "permission", "process"],
    },
    {
      name: "a hook has just told more than the file",
      facts: { ...there, told: told("waiting", "permission", SECOND), live: live("busy", 5 * SECOND) },
      is: ["waiting", "permission", "hook"],
    },
    {
      name: "the turn is over for both",
      facts: { ...there, told: told("idle", "turn-ended", MINUTE), live: live("idle", MINUTE) },
      is: ["idle", "turn-ended", "hook"],
    },
    {
      name: "it went on by itself",
      facts: { ...there, told: told("idle", "turn-ended", MINUTE), live: live("busy", SECOND) },
      is: ["running", "in-turn", "process"],
    },
    {
      name: "agents in the background",
      facts: { ...there, told: told("running", "background-work", MINUTE), live: live("busy", MINUTE) },
      is: ["running", "background-work", "hook"],
    },
    {
      name: "busy, and silent for 10 min",
      facts: { ...there, told: told("running", "in-turn", HOUR), live: live("busy", HOUR), quiet: 10 * MINUTE },
      is: ["stalled", "no-event", "hook"],
    },
    {
      name: "no hooks: a permission",
      facts: {
        ...there,
        seen: seen("working", "in-turn", MINUTE, { hasOpenCall: true }),
        live: live("waiting", SECOND, "permission"),
      },
      is: ["waiting", "permission", "process"],
    },
    {
      name: "no hooks: a question in a dialog",
      facts: {
        ...there,
        seen: seen("asking", "question", MINUTE, { hasOpenCall: true }),
        live: live("waiting", MINUTE, "input"),
      },
      is: ["waiting", "question", "transcript"],
    },
    {
      name: "no hooks: a question in the last words",
      facts: { ...there, seen: seen("asking", "question", MINUTE), live: live("idle", MINUTE) },
      is: ["waiting", "question", "transcript"],
    },
    {
      name: "no hooks: the turn is just over",
      facts: { ...there, seen: seen("resting", "turn-ended", SECOND), live: live("idle", SECOND) },
      is: ["idle", "turn-ended", "transcript"],
    },
    {
      name: "no hooks: nothing said yet",
      facts: { ...there, seen: seen("new", "started", SECOND), live: live("idle", SECOND) },
      is: ["idle", "started", "transcript"],
    },
    {
      name: "no hooks: Esc before the first word",
      facts: { ...there, seen: seen("working", "in-turn", MINUTE), live: live("idle", SECOND) },
      is: ["idle", "interrupted", "process"],
    },
  ]);
});

test("what is asked stands beside waiting, and beside nothing else", () => {
  const asked = told("waiting", "permission", MINUTE, "Bash: npm publish");
  expect(stateOf(facts({ told: asked }))).toMatchObject({ text: "Bash: npm publish", since: at(MINUTE) });
  expect(stateOf(facts({ told: asked, seen: seen("resting", "interrupted", SECOND) }))).not.toHaveProperty("text");
  const untold = told("waiting", "permission", MINUTE);
  const shown = seen("asking", "question", 2 * MINUTE, { hasOpenCall: true, text: "Now or later?" });
  expect(stateOf(facts({ told: untold, seen: shown }))).toMatchObject({ reason: "question", text: "Now or later?" });
});
