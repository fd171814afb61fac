import { describe, expect, test } from "vitest";
import { readHookInput } from "../../src/app/hooks/hook-input.js";
import { sightingOf } from "../../src/app/hooks/sightings.js";
import { withEvents } from "../../src/app/session/session-view.js";
import { NEW_SESSION, type Session } from "../../src/core/session/session.js";
import type { Reason } from "../../src/core/session/state/reason.js";
import type { NewEvent } from "../../src/store/event-store.js";

// Each way into a state and out of it, as the hooks of Claude Code 2.1.325 and Codex 0.166 report it.

type Hook = readonly [event: string, fields?: object];

/** Events one second apart; a stop that nobody holds up is an end. */
function sessionAfter(...hooks: readonly Hook[]): Session {
  return hooks.reduce((session: Session, [event, fields], at) => {
    const input = readHookInput(JSON.stringify({ hook_event_name: event, session_id: "s1", ...fields }), "box:1");
    const sighting = input.ok ? sightingOf(input.value) : undefined;
    if (!sighting || sighting.agent !== undefined) return session;
    const { events = [], ifSilent = [], reply } = sighting;
    const seen: readonly NewEvent[] = [...events, ...(reply ? [reply.event] : []), ...ifSilent];
    return withEvents(
      session,
      seen.map((one) => ({ ...one, at: (at + 1) * 1000 })),
    );
  }, NEW_SESSION);
}

const prompt: Hook = ["UserPromptSubmit", { prompt: "go" }];
const asks = (tool_name: string, tool_input: object = {}): Hook => ["PermissionRequest", { tool_name, tool_input }];
const bash = asks("Bash", { command: "npm publish", description: "publishes" });
const ran: Hook = ["PostToolUse", { tool_name: "Bash", tool_use_id: "c1", tool_input: {} }];
const batch: Hook = ["PostToolBatch", { tool_calls: [{ tool_name: "Bash", tool_use_id: "c1" }] }];
const notified = (notification_type: string, message = "Claude needs your permission"): Hook => [
  "Notification",
  { notification_type, message },
];
const stop = (fields: object = {}): Hook => [
  "Stop",
  { stop_hook_active: false, last_assistant_message: "Done.", ...fields },
];
const notice: Hook = ["UserPromptSubmit", { prompt: "<task-notification>\n<task-id>b1</task-id>" }];
const question = asks("AskUserQuestion", {
  questions: [{ question: "Drop the old column now?" }, { question: "Which release?" }],
});
const agent = { agent_id: "a1", agent_type: "general-purpose" };
const task = (type: string, status = "running") => ({
  background_tasks: [{ id: "b1", type, status }],
  session_crons: [],
});

interface Case {
  readonly name: string;
  readonly hooks: readonly Hook[];
  readonly is: readonly [Session["state"], Reason];
  readonly text?: string;
  /** In seconds: at which of the hooks it began. */
  readonly since?: number;
}

const cases: readonly Case[] = [
  { name: "a prompt", hooks: [prompt], is: ["running", "in-turn"], since: 1 },
  { name: "a second prompt begins a turn anew", hooks: [prompt, prompt], is: ["running", "in-turn"], since: 2 },
  { name: "calls do not", hooks: [prompt, batch, batch], is: ["running", "in-turn"], since: 1 },
  { name: "the turn is over", hooks: [prompt, stop()], is: ["idle", "turn-ended"], since: 2 },
  { name: "a permission", hooks: [prompt, bash], is: ["waiting", "permission"], text: "Bash: npm publish", since: 2 },
  { name: "granted", hooks: [prompt, bash, ran, batch], is: ["running", "in-turn"], since: 3 },
  { name: "denied with a word: the answer goes on", hooks: [prompt, bash, batch], is: ["running", "in-turn"] },
  {
    name: "told again some seconds later, without saying what for",
    hooks: [prompt, question, notified("permission_prompt")],
    is: ["waiting", "question"],
    text: "Drop the old column now? Which release?",
    since: 2,
  },
  {
    name: "only told by a notification",
    hooks: [prompt, notified("permission_prompt")],
    is: ["waiting", "permission"],
  },
  { name: "answered", hooks: [prompt, question, ran, batch], is: ["running", "in-turn"] },
  {
    name: "a plan",
    hooks: [prompt, asks("ExitPlanMode", { plan: "\n# Move to Redis\n\n1. x" })],
    is: ["waiting", "plan"],
    text: "Move to Redis",
  },
  { name: "a plan in a file", hooks: [prompt, asks("ExitPlanMode")], is: ["waiting", "plan"] },
  { name: "a plan, approved", hooks: [prompt, asks("ExitPlanMode"), ran, batch], is: ["running", "in-turn"] },
  {
    name: "an elicitation",
    hooks: [prompt, notified("elicitation_dialog", "Which account?")],
    is: ["waiting", "elicitation"],
    text: "Which account?",
  },
  {
    name: "an elicitation, answered",
    hooks: [prompt, notified("elicitation_dialog"), notified("elicitation_response")],
    is: ["running", "in-turn"],
  },
  {
    name: "some other input",
    hooks: [prompt, notified("agent_needs_input", "Choose a pane")],
    is: ["waiting", "input"],
    text: "Choose a pane",
  },
  { name: "an idle notification", hooks: [prompt, stop(), notified("idle_prompt")], is: ["idle", "turn-ended"] },
  { name: "a kind nobody knows", hooks: [prompt, notified("something_new")], is: ["running", "in-turn"] },
  {
    name: "before 2.0: words alone",
    hooks: [prompt, ["Notification", { message: "Claude needs your permission to use Bash" }]],
    is: ["waiting", "permission"],
  },
  {
    name: "before 2.0: idle",
    hooks: [prompt, stop(), ["Notification", { message: "Claude is waiting for your input" }]],
    is: ["idle", "turn-ended"],
  },
  {
    name: "compacted while it waits",
    hooks: [prompt, bash, ["PreCompact", { trigger: "auto" }], ["PostCompact", { trigger: "auto" }]],
    is: ["waiting", "permission"],
    text: "Bash: npm publish",
  },
  { name: "Codex: Esc", hooks: [prompt, ["Interrupt", { turn_id: "t" }]], is: ["idle", "interrupted"], since: 2 },
  {
    name: "Codex: Esc at a dialog",
    hooks: [prompt, bash, ["Interrupt", { turn_id: "t" }]],
    is: ["idle", "interrupted"],
  },
  {
    name: "Codex: a question",
    hooks: [
      prompt,
      [
        "PreToolUse",
        {
          turn_id: "t",
          tool_name: "request_user_input",
          tool_use_id: "c",
          tool_input: { questions: [{ question: "Now?" }] },
        },
      ],
    ],
    is: ["waiting", "question"],
    text: "Now?",
  },
  {
    name: "Codex: a command as a list",
    hooks: [prompt, asks("shell", { command: ["git", "push"] })],
    is: ["waiting", "permission"],
    text: "shell: git push",
  },
  { name: "the service refused", hooks: [prompt, ["StopFailure", { error: "server_error" }]], is: ["idle", "failed"] },
  {
    name: "a usage limit",
    hooks: [
      prompt,
      ["StopFailure", { error: "rate_limit", last_assistant_message: "You've hit your session limit · resets 3pm" }],
    ],
    is: ["idle", "usage-limit"],
  },
  {
    name: "a limit of the moment is none",
    hooks: [
      prompt,
      ["StopFailure", { error: "rate_limit", last_assistant_message: "API Error: Request rejected (429)" }],
    ],
    is: ["idle", "failed"],
  },
  {
    name: "a prompt after a limit",
    hooks: [prompt, ["StopFailure", { error: "rate_limit" }], prompt],
    is: ["running", "in-turn"],
  },
  { name: "a command in the background", hooks: [prompt, stop(task("shell"))], is: ["idle", "turn-ended"] },
  {
    name: "an agent in the background",
    hooks: [prompt, ["SubagentStart", agent], stop(task("subagent"))],
    is: ["running", "background-work"],
  },
  { name: "an agent that is over", hooks: [prompt, stop(task("subagent", "completed"))], is: ["idle", "turn-ended"] },
  {
    name: "and then over",
    hooks: [prompt, ["SubagentStart", agent], stop(task("subagent")), ["SubagentStop", agent]],
    is: ["idle", "turn-ended"],
  },
  { name: "the client goes on by itself", hooks: [prompt, stop(), notice], is: ["running", "in-turn"], since: 3 },
  {
    name: "the client goes on by a schedule",
    hooks: [prompt, stop(), ["UserPromptSubmit", { prompt: "check", source: "loop_wakeup" }]],
    is: ["running", "in-turn"],
  },
  { name: "ended", hooks: [prompt, ["SessionEnd", { reason: "logout" }]], is: ["ended", "session-ended"] },
  {
    name: "ended while it waits",
    hooks: [prompt, bash, ["SessionEnd", { reason: "logout" }]],
    is: ["ended", "session-ended"],
  },
];

test.each(cases)("$name: $is", ({ hooks, is, text, since }) => {
  const { state, why } = sessionAfter(...hooks);
  expect([state, why.reason, why.text]).toEqual([...is, text]);
  if (since !== undefined) expect(why.since).toBe(since * 1000);
});

describe("what is asked", () => {
  const textOf = (...hooks: readonly Hook[]) => sessionAfter(prompt, ...hooks).why.text ?? "";

  test("holds no secret, and ends somewhere", () => {
    const secret = `ghp_${"a1B2".repeat(9)}`;
    expect(textOf(asks("Bash", { command: `curl -H "Authorization: Bearer ${secret}" x` }))).not.toContain(secret);
    expect(textOf(asks("AskUserQuestion", { questions: [{ question: "why ".repeat(10_000) }] }))).toHaveLength(300);
    expect(
      textOf(asks("AskUserQuestion", { questions: Array(10_000).fill({ question: "why?" }) })).length,
    ).toBeLessThan(301);
  });

  test.each([
    [{ questions: "none" }],
    [{ questions: [null, 7, { question: { toString: 0 } }] }],
    [{}],
    ["text"],
    [null],
    [[]],
  ])("an odd input %#: waits all the same", (tool_input) => {
    const session = sessionAfter(prompt, ["PermissionRequest", { tool_name: "AskUserQuestion", tool_input }]);
    expect([session.state, session.why.reason]).toEqual(["waiting", "question"]);
  });

  test("is gone with the dialog", () => {
    expect(sessionAfter(prompt, bash, ran, batch).why).not.toHaveProperty("text");
    expect(sessionAfter(prompt, bash, ["Interrupt", { turn_id: "t" }]).why).not.toHaveProperty("text");
  });
});

describe("a time to go on", () => {
  const crons = (...schedules: unknown[]) => stop({ session_crons: schedules.map((schedule) => ({ schedule })) });

  test("the next of them; gone with the next stop that has none", () => {
    const { state, wakesAt } = sessionAfter(prompt, crons("0 0 1 1 *", "* * * * *"));
    expect(state).toBe("idle");
    expect((wakesAt ?? 0) - Date.now()).toBeLessThanOrEqual(60_000);
    expect(sessionAfter(prompt, crons("* * * * *"), prompt, stop()).wakesAt).toBeUndefined();
  });

  test.each(["", "soon", "* * * *", "61 * * * *", "*/0 * * * *", "5-1 * * * *", 7, null])(
    "no schedule: %j",
    (schedule) => {
      expect(sessionAfter(prompt, crons(schedule)).wakesAt).toBeUndefined();
    },
  );
});
