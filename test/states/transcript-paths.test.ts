import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/core/json.js";
import { evolveView, newView, type SessionView } from "../../src/core/session/session-facts.js";
import type { Reason } from "../../src/core/session/state/reason.js";
import { codexRollout } from "../../src/readers/codex/rollout.js";
import {
  answers,
  calls,
  type Line,
  readOne,
  refuses,
  says,
  summarised,
  system,
  user,
} from "../readers/claude-lines.js";

// Each way into a phase and out of it, as Claude Code 2.1.325 and Codex 0.166 write it down.

interface Case<Written> {
  readonly name: string;
  readonly lines: readonly Written[];
  readonly is: readonly [SessionView["phase"], Reason];
  readonly text?: string;
  readonly resetsAt?: number;
}

const expectShown = (view: SessionView, { is, text, resetsAt }: Case<unknown>) =>
  expect([view.phase, view.shown.reason, view.shown.text, view.shown.resetsAt]).toEqual([...is, text, resetsAt]);

describe("Claude Code", () => {
  const go = user("go");
  const cut = user([{ type: "text", text: "[Request interrupted by user for tool use]" }]);
  const no = refuses("c", "The user doesn't want to proceed with this tool use.");
  const questions = { questions: [{ question: "Drop it now?" }, { question: "Which release?" }] };
  const asks = calls("c", "AskUserQuestion", questions);
  const plan = calls("c", "ExitPlanMode", { plan: "# Move to Redis\n\n1. one" });
  const failed = (text: string, fields: JsonObject = {}): Line => ({
    ...says(text, { model: "<synthetic>" }),
    isApiErrorMessage: true,
    error: "rate_limit",
    ...fields,
  });
  const info = { rate_limit_info: { status: "rejected", resetsAt: 1_794_838_092, rateLimitType: "five_hour" } };
  const cases: readonly Case<Line>[] = [
    { name: "a prompt", lines: [go], is: ["working", "in-turn"] },
    { name: "a call", lines: [go, calls("c", "Bash")], is: ["working", "in-turn"] },
    { name: "the last word", lines: [go, says("Done.")], is: ["resting", "turn-ended"] },
    {
      name: "the last word asks",
      lines: [go, says("Done.\n\nShall I go on?")],
      is: ["asking", "question"],
      text: "Shall I go on?",
    },
    { name: "No, or Esc, at a permission", lines: [go, calls("c", "Bash"), no, cut], is: ["resting", "interrupted"] },
    { name: "Esc in mid-call", lines: [go, calls("c", "Bash"), cut], is: ["resting", "interrupted"] },
    { name: "a denial with a word", lines: [go, calls("c", "Bash"), no], is: ["working", "in-turn"] },
    { name: "a question", lines: [go, asks], is: ["asking", "question"], text: "Drop it now? Which release?" },
    { name: "a question, answered", lines: [go, asks, answers("c")], is: ["working", "in-turn"] },
    { name: "a question, Esc", lines: [go, asks, no, cut], is: ["resting", "interrupted"] },
    { name: "a plan", lines: [go, plan], is: ["asking", "plan"], text: "Move to Redis" },
    { name: "a plan, approved", lines: [go, plan, answers("c")], is: ["working", "in-turn"] },
    { name: "a plan, Esc: nobody waits", lines: [go, plan, no, cut], is: ["resting", "interrupted"] },
    {
      name: "compacted while it asks",
      lines: [go, asks, system("compact_boundary"), summarised()],
      is: ["asking", "question"],
      text: "Drop it now? Which release?",
    },
    { name: "a prompt after Esc", lines: [go, cut, user("again")], is: ["working", "in-turn"] },
    {
      name: "the service failed",
      lines: [go, failed("API Error: 529", { error: "overloaded" })],
      is: ["resting", "failed"],
    },
    {
      name: "a limit of the moment",
      lines: [go, failed("API Error: Request rejected (429)")],
      is: ["resting", "failed"],
    },
    {
      name: "a usage limit",
      lines: [
        go,
        failed("You've hit your session limit · resets 3pm", { apiError: "usage_limit_reached", apiErrorParams: info }),
      ],
      is: ["resting", "usage-limit"],
      resetsAt: 1_794_838_092_000,
    },
    {
      name: "a usage limit, in words alone",
      lines: [go, failed("You've hit your weekly limit · resets Monday")],
      is: ["resting", "usage-limit"],
    },
    {
      name: "a usage limit of an older version",
      lines: [go, failed("Claude AI usage limit reached|1760000400")],
      is: ["resting", "usage-limit"],
      resetsAt: 1_760_000_400_000,
    },
    {
      name: "a prompt after a limit",
      lines: [go, failed("You've hit your session limit"), user("again")],
      is: ["working", "in-turn"],
    },
    {
      name: "a command in the background, and the turn is over",
      lines: [go, calls("c", "Bash", { run_in_background: true }), answers("c"), says("Started.")],
      is: ["resting", "turn-ended"],
    },
  ];
  test.each(cases)("$name: $is", (row) => expectShown(readOne(row.lines), row));

  const scheduled = (toolUseResult: object) => answers("c", "ok", { toolUseResult });
  test.each([
    ["ScheduleWakeup", {}, { scheduledFor: 1_794_832_020_000 }, { until: 1_794_832_020_000 }],
    ["ScheduleWakeup", {}, { stopped: true }, null],
    [
      "CronCreate",
      { cron: "0 9 * * 1-5" },
      { id: "x", recurring: true, nextFireAt: 5000 },
      { until: 5000, schedule: "0 9 * * 1-5" },
    ],
    ["CronCreate", { cron: "0 9 1 1 *" }, { id: "x", recurring: false, nextFireAt: 5000 }, { until: 5000 }],
    ["CronCreate", { cron: "soon" }, { id: "x" }, null],
    ["Bash", { cron: "* * * * *" }, {}, null],
  ])("%s %j, answered %j: goes on at %j", (tool, input, result, wake) => {
    expect(readOne([go, calls("c", tool, input), scheduled(result), says("Later.")]).wake).toEqual(wake);
  });

  test("a schedule that is deleted wakes nobody", () => {
    const made = [calls("c", "ScheduleWakeup"), scheduled({ scheduledFor: 5000 })];
    expect(readOne([go, ...made, calls("d", "CronDelete", { id: "x" }), answers("d")]).wake).toBeNull();
  });
});

describe("Codex", () => {
  type Record = { readonly type: string; readonly payload: JsonObject };
  const event = (type: string, fields: JsonObject = {}): Record => ({
    type: "event_msg",
    payload: { type, ...fields },
  });
  const response = (type: string, fields: JsonObject): Record => ({
    type: "response_item",
    payload: { type, ...fields },
  });
  const started = event("task_started");
  const run = response("function_call", { call_id: "c", name: "exec_command", arguments: '{"cmd":"ls"}' });
  const ask = response("function_call", {
    call_id: "c",
    name: "request_user_input",
    arguments: JSON.stringify({ questions: [{ id: "a", question: "Drop it now?" }] }),
  });
  const out = (output: string) => response("function_call_output", { call_id: "c", output });
  const aborted = event("turn_aborted", { reason: "interrupted" });
  const over = (fields: JsonObject = {}) => event("task_complete", { last_agent_message: "Done.", ...fields });
  const limits = (used_percent: number) =>
    event("token_count", {
      info: null,
      rate_limits: { primary: { used_percent, window_minutes: 300, resets_at: 1_794_838_092 }, secondary: null },
    });
  const limit = over({
    last_agent_message: null,
    error: { message: "You’ve hit your usage limit.", codex_error_info: "usage_limit_exceeded" },
  });
  const view = (lines: readonly Record[]) => {
    const reader = codexRollout.open("x.jsonl");
    const meta = { type: "session_meta", payload: { id: "t1", cwd: "/x" } };
    return [meta, ...lines]
      .flatMap((one, at) => reader.read({ timestamp: new Date(1000 * (at + 1)).toISOString(), ...one }))
      .reduce(evolveView, newView("t1"));
  };
  const cases: readonly Case<Record>[] = [
    { name: "a turn", lines: [started, run], is: ["working", "in-turn"] },
    { name: "over", lines: [started, run, out("ok"), over()], is: ["resting", "turn-ended"] },
    {
      name: "Esc at a permission",
      lines: [started, run, out("aborted by user"), aborted],
      is: ["resting", "interrupted"],
    },
    { name: "Esc before the first word", lines: [started, aborted], is: ["resting", "interrupted"] },
    { name: "a question", lines: [started, ask], is: ["asking", "question"], text: "Drop it now?" },
    { name: "a question, answered", lines: [started, ask, out("{}")], is: ["working", "in-turn"] },
    {
      name: "a question, Esc",
      lines: [started, ask, out("aborted by user after 4.9s"), aborted],
      is: ["resting", "interrupted"],
    },
    {
      name: "the last word asks",
      lines: [started, over({ last_agent_message: "Which one?" })],
      is: ["asking", "question"],
      text: "Which one?",
    },
    {
      name: "a usage limit",
      lines: [started, limits(100), limit],
      is: ["resting", "usage-limit"],
      resetsAt: 1_794_838_092_000,
    },
    {
      name: "a usage limit that does not say until when",
      lines: [started, limits(60), limit],
      is: ["resting", "usage-limit"],
    },
    {
      name: "the service failed",
      lines: [started, over({ error: { message: "no", codex_error_info: "other" } })],
      is: ["resting", "failed"],
    },
    { name: "a turn after a limit", lines: [started, limits(100), limit, started], is: ["working", "in-turn"] },
  ];
  test.each(cases)("$name: $is", (row) => expectShown(view(row.lines), row));
});
