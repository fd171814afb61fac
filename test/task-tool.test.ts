import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { utf8Length } from "../src/core/text/length.js";
import { promptText } from "../src/core/text/prompt-text.js";
import { sized } from "./sizes.js";
import { openTaskCalls, type TaskCalls } from "./task-calls.js";

const MINUTE = 60_000;

/** A call of the session s1, one of another session, or time that passes. */
type Given = object | { readonly by: string; readonly input: object } | { readonly pass: number };

async function tasksAfter(given: readonly Given[]): Promise<TaskCalls> {
  const calls = await openTaskCalls();
  for (const step of given) {
    if ("pass" in step && typeof step.pass === "number") calls.pass(step.pass);
    else {
      const isOther = "by" in step && "input" in step;
      const { isError, text } = isOther ? await calls.call(step.input, String(step.by)) : await calls.call(step);
      if (isError) throw new Error(text);
    }
  }
  return calls;
}

const two = { add: ["Write parser", "Test parser"] };
const chain = { add: ["Write parser", { subject: "Test parser", after: ["Write parser"] }] };
const s2 = (input: object) => ({ by: "s2", input });
const LEASE = "(lease 10 min, renewed while you work)";

interface Row {
  readonly name: string;
  readonly given?: readonly Given[];
  readonly when: unknown;
  readonly then: string;
}

const HOW_TO_ADD = 'Nothing is open; {"add":["first task","second task"]} adds tasks.';

const LOOKING: readonly Row[] = [
  { name: "nothing there", when: {}, then: HOW_TO_ADD },
  {
    name: "nothing held",
    given: [two],
    when: {},
    then: 'You hold nothing. 2 ready, 2 open. {"claim":-1} takes the best: #1 Write parser',
  },
  {
    name: "nothing held, nothing ready",
    given: [two, s2({ claim: [1, 2] })],
    when: {},
    then: "You hold nothing. 0 ready, 2 open.",
  },
  { name: "one held", given: [two, { claim: 1 }], when: {}, then: "1 ready, 2 open. You hold #1 Write parser" },
  {
    name: "one held, with what was said last",
    given: [two, { claim: 1 }, { note: "half way" }],
    when: {},
    then: "1 ready, 2 open. You hold #1 Write parser (half way)",
  },
  {
    name: "several held",
    given: [two, { claim: [1, 2] }],
    when: {},
    then: "0 ready, 2 open. You hold 2:\n#1 Write parser\n#2 Test parser",
  },
  {
    name: "a list says how each one stands, before its title",
    given: [
      { add: ["a", "b", "c", "d", "e", "f", "g", "h"] },
      { claim: 1 },
      s2({ claim: 2 }),
      { task: 3, after: [1, 2] },
      { task: 4, wait: "topic:deploy" },
      { done: 5 },
      { cancel: 6 },
      { claim: 7 },
      { fail: 7, reason: "x" },
      { task: 8, priority: "high" },
    ],
    when: { list: "all" },
    then: [
      "#1 yours: a",
      "#2 held by s2: b",
      "#3 blocked by #1-2: c",
      '#4 waits for the signal "deploy": d',
      "#5 done: e",
      "#6 cancelled: f",
      "#7 retried in 30 s: g",
      "#8 ready, high: h",
    ].join("\n"),
  },
  {
    name: "what is ready, the most urgent first",
    given: [two, { task: 2, priority: "high" }],
    when: { list: "ready" },
    then: "#2 ready, high: Test parser\n#1 ready: Write parser",
  },
  { name: "mine", given: [two, { claim: 2 }], when: { list: "mine" }, then: "#2 yours: Test parser" },
  { name: "blocked", given: [chain], when: { list: "blocked" }, then: "#2 blocked by #1: Test parser" },
  {
    name: "waiting",
    given: [two, { task: 1, wait: "person" }],
    when: { list: "waiting" },
    then: "#1 waits for a person: Write parser",
  },
  { name: "done", given: [two, { done: 1 }], when: { list: "done" }, then: "#1 done: Write parser" },
  { name: "open, by another spelling", given: [two, { done: 1 }], when: { list: true }, then: "#2 ready: Test parser" },
  {
    name: "one that was left",
    given: [two, s2({ claim: 1 }), { pass: 11 * MINUTE }],
    when: { list: "stale" },
    then: "#1 left by s2, ready: Write parser",
  },
  { name: "words", given: [two], when: { list: "test PARSER" }, then: "#2 ready: Test parser" },
  {
    name: "a label",
    given: [{ add: ["a"], labels: ["ui"] }, { add: ["b"] }],
    when: { list: "label:ui" },
    then: "#1 ready: a",
  },
  { name: "parts of a task", given: [two, { add: ["c"], parent: 1 }], when: { list: "parent:1" }, then: "#3 ready: c" },
  {
    name: "nothing found",
    given: [two],
    when: { list: 'no "such" words' },
    then: `No task is in the list "no 'such' words". {"list":"open"} shows what is to be done.`,
  },
  {
    name: "one in full",
    given: [
      { add: ["Write parser"], description: "For lists.\n\nNot for maps.", labels: ["ui", "db"], priority: "low" },
      { add: ["Test it"], after: [1], parent: 1 },
      { claim: 1 },
      { note: "began" },
      { done: 1, evidence: "12 pass" },
    ],
    when: { list: "#1" },
    then: "#1 done, low: Write parser\nBefore #2. Labels: ui, db.\nEvidence:\n  s1: 12 pass\nNotes:\n  s1: began\nDescription:\n  For lists.\n  Not for maps.",
  },
  {
    name: "in full, by another name",
    given: [chain],
    when: { show: "#2" },
    then: "#2 blocked by #1: Test parser\nBlocked by #1.",
  },
  { name: "a task that nothing is said of is shown", given: [two], when: { task: 2 }, then: "#2 ready: Test parser" },
  {
    name: "a long subject is cut in a row only",
    given: [{ add: [`${"word ".repeat(20)}end`] }],
    when: { show: 1 },
    then: `#1 ready: ${"word ".repeat(10)}word…\nSubject: ${"word ".repeat(20)}end`,
  },
];

const CHANGES: readonly Row[] = [
  { name: "add", when: two, then: "Added #1-2." },
  { name: "add one, blocked by another", given: [two], when: { add: ["Ship"], after: [1, 2] }, then: "Added #3." },
  {
    name: "add and take",
    when: { add: ["Write parser"], claim: -1 },
    then: `Added #1. Claimed #1 Write parser ${LEASE}`,
  },
  { name: "claim the best", given: [two], when: { claim: -1 }, then: `Claimed #1 Write parser ${LEASE}` },
  {
    name: "claim the most urgent",
    given: [two, { add: ["Fix it"], priority: "critical" }],
    when: { claim: true },
    then: `Claimed #3 Fix it ${LEASE}`,
  },
  { name: "claim one", given: [two], when: { claim: 2 }, then: `Claimed #2 Test parser ${LEASE}` },
  {
    name: "claim two",
    given: [two],
    when: { claim: [2, 1] },
    then: `Claimed #2 Test parser ${LEASE}\nClaimed #1 Write parser`,
  },
  {
    name: "claim when nothing is ready",
    given: [two, s2({ claim: [1, 2] })],
    when: { claim: -1 },
    then: 'Nothing is ready. {"list":"open"} shows why.',
  },
  {
    name: "claim what is held already",
    given: [two, { claim: 1 }],
    when: { claim: 1 },
    then: "You hold #1 Write parser",
  },
  {
    name: "a claim tells what the task is about",
    given: [
      { add: ["Write parser"], description: "For lists.\nNot for maps." },
      { task: 1, note: "see RFC" },
    ],
    when: { claim: -1 },
    then: `Claimed #1 Write parser ${LEASE}\n  For lists.\n  Not for maps.\nNote: see RFC`,
  },
  {
    name: "a lease that is over is taken by another",
    given: [two, s2({ claim: 1 }), { pass: 11 * MINUTE }],
    when: { claim: 1 },
    then: `Claimed #1 Write parser ${LEASE}`,
  },
  {
    name: "who claims again needs no fence: a session knows its claims",
    given: [two, { claim: 1 }, { release: 1 }],
    when: { claim: 1 },
    then: `Claimed #1 Write parser ${LEASE}`,
  },
  {
    name: "and finds it again",
    given: [two, { claim: 1 }, { release: 1 }, { claim: 1 }],
    when: {},
    then: "1 ready, 2 open. You hold #1 Write parser",
  },
  { name: "done", given: [two, { claim: 1 }], when: { done: 1, evidence: "12 pass" }, then: "Done #1." },
  { name: "done, though nobody had claimed it", given: [two], when: { done: [1, 2] }, then: "Done #1-2." },
  {
    name: "done with the fence",
    given: [two, { claim: 1 }, { release: 1 }, { claim: 1 }],
    when: { done: 1, fence: 2 },
    then: "Done #1.",
  },
  {
    name: "done, and the next one",
    given: [two, { claim: 1 }],
    when: { done: 1, claim: -1 },
    then: "Done #1. Claimed #2 Test parser",
  },
  {
    name: "done, and what waited for it",
    given: [chain, { claim: 1 }],
    when: { done: true, claim: true },
    then: "Done #1. Now ready: #2. Claimed #2 Test parser",
  },
  {
    name: "what was set free does not come before what is more urgent",
    given: [chain, { add: ["Fix it"], priority: "high" }, { claim: 1 }],
    when: { done: 1, claim: -1 },
    then: "Done #1. Now ready: #2. Claimed #3 Fix it",
  },
  {
    name: "what was set free comes before what is less urgent",
    given: [chain, { add: ["Later"], priority: "low" }, { claim: 1 }],
    when: { done: 1, claim: -1 },
    then: "Done #1. Now ready: #2. Claimed #2 Test parser",
  },
  { name: "done twice", given: [two, { done: 1 }], when: { done: 1 }, then: "Already done: #1." },
  {
    name: "fail",
    given: [two, { claim: 1 }],
    when: { fail: 1, reason: "API down" },
    then: "Failed #1 (1 of 3); ready again in 30 s.",
  },
  {
    name: "a note is a reason",
    given: [two, { claim: 1 }],
    when: { fail: 1, note: "API down" },
    then: "Failed #1 (1 of 3); ready again in 30 s.",
  },
  {
    name: "fail for the last time",
    given: [
      two,
      { claim: 1 },
      { fail: 1, reason: "a" },
      { pass: MINUTE },
      s2({ claim: 1 }),
      s2({ fail: 1, reason: "b" }),
      { pass: MINUTE },
      { by: "s3", input: { claim: 1 } },
      { by: "s3", input: { fail: 1, reason: "c" } },
    ],
    when: { show: 1 },
    then: '#1 failed: Write parser\nFailed 3 of 3 times. Reason: "c".',
  },
  {
    name: "why it failed is told to the next one",
    given: [two, s2({ claim: 1 }), s2({ fail: 1, reason: "API down" }), { pass: MINUTE }],
    when: { claim: 1 },
    then: `Claimed #1 Write parser ${LEASE}\nFailed before: API down`,
  },
  { name: "release", given: [two, { claim: 1 }], when: { release: 1 }, then: "Released #1." },
  {
    name: "release, and not the same again",
    given: [two, { claim: 1 }],
    when: { release: 1, claim: -1 },
    then: `Released #1. Claimed #2 Test parser ${LEASE}`,
  },
  { name: "cancel", given: [two], when: { cancel: 1, reason: "obsolete" }, then: "Cancelled #1." },
  { name: "cancel of what blocks another", given: [chain], when: { cancel: 1 }, then: "Cancelled #1. Now ready: #2." },
  {
    name: "cancel of what somebody else holds",
    given: [two, s2({ claim: 1 })],
    when: { cancel: 1 },
    then: "Asked s2 to stop #1.",
  },
  { name: "reopen", given: [two, { done: 1 }], when: { reopen: 1 }, then: "Reopened #1." },
  { name: "block", given: [two], when: { block: 2, by: [1] }, then: "#2 is blocked by #1." },
  { name: "block, by another spelling", given: [two], when: { task: "#2", after: "1" }, then: "#2 is blocked by #1." },
  { name: "unblock", given: [chain], when: { unblock: 2, by: [1] }, then: "#2 has no open blocker." },
  {
    name: "wait for a time",
    given: [two, { claim: 1 }],
    when: { wait: "30m" },
    then: "#1 waits 30 min more; you no longer hold it.",
  },
  {
    name: "wait, by another spelling",
    given: [two],
    when: { wait: 1, for: "topic:deploy", timeout: "2h" },
    then: '#1 waits for the signal "deploy", 2 h at most; you no longer hold it.',
  },
  {
    name: "wait until",
    given: [two],
    when: { task: 1, wait: "2030-01-01T03:00:00Z" },
    then: "#1 waits 3 h more; you no longer hold it.",
  },
  {
    name: "wait for a person",
    given: [two],
    when: { task: 1, wait: "person" },
    then: "#1 waits for a person; you no longer hold it.",
  },
  {
    name: "a wait that is over",
    given: [two, { task: 1, wait: "30m" }, { pass: 31 * MINUTE }],
    when: { claim: 1 },
    then: `Claimed #1 Write parser ${LEASE}`,
  },
  { name: "a note", given: [two], when: { task: 2, note: "see log" }, then: "Noted on #2." },
  { name: "a note on what is held", given: [two, { claim: 2 }], when: { note: "see log" }, then: "Noted on #2." },
  {
    name: "a note on what is finished with it",
    given: [two, { claim: [1, 2] }],
    when: { done: 1, note: "n" },
    then: "Noted on #1. Done #1.",
  },
  { name: "progress", given: [two, { claim: 2 }], when: { progress: "half" }, then: "Progress kept with #2." },
  { name: "change", given: [two], when: { task: 1, subject: "Write lexer", priority: "P1" }, then: "Changed #1." },
  {
    name: "several at once, in their order",
    given: [two, { claim: 1 }],
    when: { claim: -1, done: 1, add: ["Ship"], task: 2, note: "n" },
    then: "Added #3. Noted on #2. Done #1. Claimed #2 Test parser\nNote: n",
  },
  {
    name: "a change and a look",
    given: [two],
    when: { done: 1, list: "open" },
    then: "Done #1.\n#2 ready: Test parser",
  },
];

const CANCEL = 'Cancel of #1 is requested by s2 ("no"): release or cancel it.';
const asked = [two, { claim: 1 }, s2({ cancel: 1, reason: "no" })];

const CANCELS: readonly Row[] = [
  { name: "said to who looks", given: asked, when: {}, then: `1 ready, 2 open. You hold #1 Write parser\n${CANCEL}` },
  { name: "said with a note", given: asked, when: { note: "hm" }, then: `Noted on #1.\n${CANCEL}` },
  { name: "said with progress", given: asked, when: { progress: "hm" }, then: `Progress kept with #1.\n${CANCEL}` },
  { name: "said with a look at it", given: asked, when: { show: 1 }, then: `#1 yours: Write parser\n${CANCEL}` },
  {
    name: "said to who takes it once more",
    given: asked,
    when: { claim: 1 },
    then: `You hold #1 Write parser\n${CANCEL}`,
  },
  { name: "who lets go has cancelled", given: asked, when: { release: 1 }, then: "Cancelled #1." },
  { name: "who agrees has cancelled", given: asked, when: { cancel: 1 }, then: "Cancelled #1." },
  { name: "not said to others", given: asked, when: { task: 2, note: "x" }, then: "Noted on #2." },
];

const SPELLINGS: readonly Row[] = [
  { name: "numbers as texts", given: [two], when: { done: "#1" }, then: "Done #1." },
  { name: "numbers as a range", given: [two], when: { done: "1-2" }, then: "Done #1-2." },
  { name: "a list as JSON text", given: [two], when: { done: "[1,2]" }, then: "Done #1-2." },
  { name: "tasks as JSON text", when: { add: '[{"subject":"a"},"b"]' }, then: "Added #1-2." },
  { name: "a pasted list", when: { add: "- [ ] a\n- [ ] b" }, then: "Added #1-2." },
  { name: "one object", when: { add: { subject: "a", priority: "urgent" } }, then: "Added #1." },
  {
    name: "everything filled in with nothing",
    given: [two],
    when: { add: [], description: "", claim: 0, done: 1, evidence: null, after: [], list: "", fence: 0 },
    then: "Done #1.",
  },
  { name: "JSON text in JSON text", given: [two], when: '{"done":1}', then: "Done #1." },
  { name: "no arguments", when: null, then: HOW_TO_ADD },
];

for (const [name, rows] of Object.entries({ LOOKING, CHANGES, CANCELS, SPELLINGS }))
  describe(name.toLowerCase(), () => {
    test.each(rows)("$name", async ({ given = [], when, then }) => {
      const calls = await tasksAfter(given);
      expect(await calls.call(when)).toEqual({ text: then, isError: false });
      await calls.close();
    });
  });

const REFUSALS: readonly Row[] = [
  {
    name: "a field that is not there",
    when: { id: "t1", status: "completed", owner: "mallory", fence: 999999 },
    then: 'There is no field "id", only add, ',
  },
  { name: "a field with a hint", when: { blockedBy: [1] }, then: '{"task":5,"after":[3]} lets 5 come after 3.' },
  {
    name: "a field of objects only",
    when: { add: [{ subject: "a", status: "done" }] },
    then: 'A new task has no field "status"',
  },
  { name: "__proto__", when: JSON.parse('{"__proto__":{"done":1}}'), then: 'There is no field "__proto__"' },
  { name: "no object", when: [1], then: "The arguments must be one JSON object" },
  { name: "no JSON", when: "done 1", then: "The arguments must be one JSON object" },
  {
    name: "too deep",
    when: { add: JSON.parse(`${"[".repeat(100)}${"]".repeat(100)}`) },
    then: "nested deeper than 64 levels",
  },
  { name: "too wide", when: { add: Array(10_001).fill("a") }, then: "more than 10000 values" },
  { name: "too many new ones", when: { add: Array(201).fill("a") }, then: "at most 200 tasks a call" },
  { name: "too many numbers", when: { done: "1-500" }, then: "at most 100 tasks a call" },
  { name: "endless numbers", when: { done: "1-999999999" }, then: "takes the numbers of tasks" },
  { name: "an empty subject", when: { add: ["a", " \n"] }, then: "has an empty subject" },
  { name: "a subject that is none", when: { add: [1] }, then: '"add" takes subjects' },
  { name: "an object without a subject", when: { add: [{ description: "a" }] }, then: "has an empty subject" },
  {
    name: "a long subject",
    when: { add: ["a".repeat(5000)] },
    then: "The subject has 5000 characters; the limit is 4000",
  },
  {
    name: "a long description",
    when: { add: ["a"], description: "a".repeat(100_001) },
    then: "The description has 100001 characters",
  },
  { name: "one description for two", when: { ...two, description: "x" }, then: "is for one new task" },
  { name: "a subject beside add", when: { ...two, subject: "x" }, then: 'new ones go into "add"' },
  {
    name: "an unknown priority",
    when: { add: ["a"], priority: "soon" },
    then: "is one of critical, high, medium, low, lowest",
  },
  { name: "bad labels", when: { add: ["a"], labels: [1] }, then: '"labels" takes texts' },
  { name: "a blocker that is not there", when: { add: ["a"], after: [9] }, then: "There is no task #9" },
  {
    name: "a blocker by a subject that is not there",
    when: { add: [{ subject: "a", after: ["b"] }] },
    then: '"after" takes numbers, or the subject',
  },
  { name: "a parent that is not there", when: { add: ["a"], parent: 9 }, then: "There is no task #9" },
  { name: "a parent that is none", when: { add: ["a"], parent: "x" }, then: '"parent" takes the number' },
  {
    name: "a task that is not there",
    given: [two],
    when: { done: 9 },
    then: 'There is no task #9. {"list":"open"} shows what there is. Nothing was changed.',
  },
  {
    name: "words instead of a number",
    given: [two],
    when: { done: "Write parser" },
    then: '{"list":"words"} finds them',
  },
  { name: "a number that is none", when: { done: 1.5 }, then: '"done" takes the numbers of tasks' },
  { name: "a negative number", when: { done: -1 }, then: '"done" takes the numbers of tasks' },
  { name: "held by another", given: [two, s2({ claim: 1 })], when: { done: 1 }, then: "Task #1 is held by s2" },
  { name: "claimed by another", given: [two, s2({ claim: 1 })], when: { claim: 1 }, then: "Task #1 is held by s2" },
  {
    name: "a lease of another that is over",
    given: [two, s2({ claim: 1 }), { pass: 11 * MINUTE }],
    when: { done: 1 },
    then: 'Its lease is over: {"claim":1} takes it.',
  },
  {
    name: "too late",
    given: [two, { claim: 1 }, { pass: 11 * MINUTE }, s2({ claim: 1 }), s2({ done: 1 })],
    when: { done: 1 },
    then: "Fence 1 of s1 is stale for task #1",
  },
  {
    name: "a wrong fence",
    given: [two, { claim: 1 }],
    when: { done: 1, fence: 999_999 },
    then: "Fence 999999 of s1 is stale for task #1",
  },
  {
    name: "a wrong fence of a task that nobody holds",
    given: [two],
    when: { done: 1, fence: 999_999 },
    then: "Fence 999999 of s1 is stale",
  },
  {
    name: "a wrong fence with a note",
    given: [two, { claim: 1 }],
    when: { note: "x", fence: 7 },
    then: "Fence 7 of s1 is stale",
  },
  {
    name: "a wrong fence with a cancel",
    given: [two, s2({ claim: 1 })],
    when: { cancel: 1, fence: 7 },
    then: "Fence 7 of s1 is stale",
  },
  {
    name: "claimed and finished in one call",
    given: [two],
    when: { claim: 1, done: 1 },
    then: "#1 cannot be claimed and be done in one call",
  },
  {
    name: "a fence for nothing",
    given: [two],
    when: { claim: 1, fence: 1 },
    then: '"fence" goes with one change of one task',
  },
  {
    name: "a fence for two",
    given: [two, { claim: [1, 2] }],
    when: { done: [1, 2], fence: 1 },
    then: '"fence" goes with one change of one task',
  },
  {
    name: "a fence that is none",
    given: [two],
    when: { done: 1, fence: "x" },
    then: '"fence" takes the number that your claim',
  },
  {
    name: "blocked, claimed",
    given: [chain],
    when: { claim: 2 },
    then: "Task #2 cannot be claimed: it is blocked by #1",
  },
  {
    name: "blocked, finished",
    given: [chain],
    when: { done: 2 },
    then: "Task #2 cannot be completed: it is blocked by #1",
  },
  {
    name: "waiting",
    given: [two, { task: 1, wait: "30m" }],
    when: { claim: 1 },
    then: 'Task #1 waits 30 min more. Take another one: {"claim":-1}. Nothing was changed.',
  },
  {
    name: "not retried yet",
    given: [two, { claim: 1 }, { fail: 1, reason: "x" }],
    when: { claim: 1 },
    then: "Task #1 has failed 1 of 3 times",
  },
  { name: "closed", given: [two, s2({ done: 1 })], when: { done: 1 }, then: '{"reopen":1} does that.' },
  { name: "failing what is not held", given: [two], when: { fail: 1, reason: "x" }, then: '{"claim":1} does that.' },
  { name: "releasing what is not held", given: [two], when: { release: 1 }, then: '{"claim":1} does that.' },
  { name: "failing without a reason", given: [two, { claim: 1 }], when: { fail: 1 }, then: "Say why, as in" },
  { name: "a reason for nothing", given: [two], when: { done: 1, reason: "x" }, then: '"reason" goes with' },
  { name: "evidence for nothing", given: [two], when: { evidence: "x" }, then: '"evidence" goes with "done"' },
  { name: "a circle", given: [chain], when: { task: 1, after: [2] }, then: "would create a cycle" },
  { name: "itself", given: [two], when: { task: 1, after: [1] }, then: "cannot block itself" },
  { name: "blocking what is not there", given: [two], when: { block: 9, by: [1] }, then: "There is no task #9. " },
  { name: "blocking by nothing", given: [two], when: { block: 1 }, then: "Say which tasks" },
  { name: "blockers of nothing", given: [two], when: { after: [1] }, then: "Say which task comes after them" },
  {
    name: "details of nothing",
    given: [two],
    when: { priority: "high" },
    then: '"priority" goes with "add", or with "task"',
  },
  { name: "a wait for nothing", given: [two], when: { task: 1, wait: "soon" }, then: '"wait" takes "30m"' },
  {
    name: "a wait for a number",
    given: [two],
    when: { task: 1, wait: 2 },
    then: 'for another task say {"task":5,"after":[3]}',
  },
  { name: "an endless wait", given: [two], when: { task: 1, wait: "999999999d" }, then: '"wait" takes "30m"' },
  {
    name: "a bad timeout",
    given: [two],
    when: { task: 1, wait: "person", timeout: 5 },
    then: '"timeout" takes a time',
  },
  { name: "for without wait", given: [two], when: { for: "30m" }, then: 'go with "wait"' },
  {
    name: "a wait while a cancel is asked for",
    given: asked,
    when: { wait: "30m" },
    then: "A cancel of task #1 was requested",
  },
  { name: "a note on nothing", given: [two], when: { note: "x" }, then: "You hold no task; say the number" },
  {
    name: "a note on one of two",
    given: [two, { claim: [1, 2] }],
    when: { note: "x" },
    then: "You hold #1-2; say the number",
  },
  { name: "a note that is none", given: [two], when: { task: 1, note: 5 }, then: '"note" takes a short text.' },
  { name: "finished and cancelled", given: [two], when: { done: 1, cancel: 1 }, then: "Task #1 is already completed" },
  {
    name: "the second of two changes",
    given: [two, s2({ claim: 2 })],
    when: { done: [1, 2] },
    then: "Task #2 is held by s2",
  },
  {
    name: "a look at what is not there, after a change",
    given: [two],
    when: { done: 1, show: 9 },
    then: "There is no task #9.",
  },
  { name: "two looks", given: [two], when: { show: 1, list: "open" }, then: "take one call each" },
  { name: "a place in no list", given: [two], when: { done: 1, from: 3 }, then: '"from" goes with "list"' },
  { name: "a place that is none", given: [two], when: { list: "open", from: "x" }, then: '"from" takes the number' },
];

describe("refusals change nothing, and say what to do", () => {
  test.each(REFUSALS)("$name", async ({ given = [], when, then }) => {
    const calls = await tasksAfter(given);
    const before = await calls.tasks();
    const { text, isError } = await calls.call(when);
    expect(text).toContain(then);
    expect(text).toMatch(/nothing was changed/i);
    expect(isError).toBe(true);
    expect(await calls.tasks()).toEqual(before);
    await calls.close();
  });
});

test("arguments may come as text, and one that is cut off is refused", async () => {
  const calls = await tasksAfter([two]);
  expect(await calls.callText('{"done":1}')).toEqual({ text: "Done #1.", isError: false });
  expect(await calls.callText('{"done":2')).toMatchObject({ isError: true });
  await calls.close();
});

test("what is written is what was said", async () => {
  const calls = await tasksAfter([
    { add: ["1. Read\nall"], description: "a\tb\u0000\r\nc", priority: 0, labels: "x, y" },
    { add: ["Write"], after: [1], parent: 1 },
    { claim: 1 },
    { done: 1, evidence: "seen\nit" },
    { done: 1, evidence: "more" },
  ]);
  expect((await calls.tasks()).map(({ task }) => task)).toMatchObject([
    {
      subject: "Read all",
      description: "a  b␀\nc",
      priority: "critical",
      labels: ["x", "y"],
      status: "completed",
      evidence: [{ text: "seen it", by: "s1" }],
      notes: [{ text: "more" }],
      blocks: [2],
    },
    { subject: "Write", parent: 1, blockedBy: [1] },
  ]);
  await calls.close();
});

test("a note of the holder renews its lease, one of another does not", async () => {
  const calls = await tasksAfter([two, { claim: 1 }, { pass: 5 * MINUTE }, s2({ task: 1, note: "hurry" })]);
  const lease = async () => (await calls.tasks())[0]?.task.lease;
  const before = await lease();
  await calls.call({ note: "half" });
  expect(await lease()).toMatchObject({ until: (before?.until ?? 0) + 5 * MINUTE, progress: "half" });
  await calls.close();
});

test("titles and notes change no status", async () => {
  const calls = await tasksAfter([{ add: ["task 1: completed ✅", "[x] b"] }, { task: 1, note: '{"done":1} #2 done' }]);
  expect((await calls.tasks()).map(({ task }) => task.status)).toEqual(["pending", "pending"]);
  await calls.close();
});

async function pagesOf(calls: TaskCalls, which: string): Promise<readonly string[]> {
  const rows: string[] = [];
  for (let input: unknown = { list: which }; input !== undefined; ) {
    const { text } = await calls.call(input);
    const lines = text.split("\n");
    const more = lines.at(-1)?.startsWith("More: ") ? lines.pop() : undefined;
    expect(lines.length).toBeLessThanOrEqual(20);
    rows.push(...lines);
    input = more && JSON.parse(more.slice("More: ".length));
  }
  return rows;
}

describe("pages", () => {
  test.each(["open", "ready", "all", "task"])("%s: every row once, 20 at most", async (which) => {
    const calls = await tasksAfter([{ add: Array.from({ length: 65 }, (_, at) => `task ${at + 1}`) }]);
    const rows = await pagesOf(calls, which);
    expect(rows).toEqual(Array.from({ length: 65 }, (_, at) => `#${at + 1} ready: task ${at + 1}`));
    await calls.close();
  });

  test("rows that are long make shorter pages, and none is lost", async () => {
    const calls = await tasksAfter([{ add: Array.from({ length: 30 }, (_, at) => `${at} ${"😀".repeat(80)}`) }]);
    const numbers = (await pagesOf(calls, "open")).map((row) => Number(/^#(\d+) /.exec(row)?.[1]));
    expect(numbers).toEqual(Array.from({ length: 30 }, (_, at) => at + 1));
    await calls.close();
  });

  test("a long description is read part by part", async () => {
    const text = Array.from({ length: 900 }, (_, at) => `word${at}`).join(" ");
    const calls = await tasksAfter([{ add: ["a"], description: text }]);
    let read = "";
    for (let input: unknown = { show: 1 }; input !== undefined; ) {
      const lines = (await calls.call(input)).text.split("\n");
      const more = lines.at(-1)?.startsWith("More: ") ? lines.pop() : undefined;
      read += lines
        .filter((line) => line.startsWith("  "))
        .map((line) => line.slice(2))
        .join("");
      input = more && JSON.parse(more.slice("More: ".length));
    }
    expect(read.replaceAll(" ", "")).toBe(text.replaceAll(" ", ""));
    await calls.close();
  });
});

const words = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      "a",
      "Write parser",
      "#3 done: x\n#4 ready: y",
      "<system>",
      "\u202e\u001b[2J",
      "😀".repeat(300),
    ),
  },
  fc.string({ unit: "binary", maxLength: 300 }),
);
const number = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 1, max: 6 }) },
  fc.integer(),
  fc.constantFrom("#2", "1-3", true, -1, null),
);
const numbers = fc.oneof(number, fc.array(number, { maxLength: 3 }));
const wellMeant = fc.record(
  {
    add: fc.oneof(
      fc.array(words, { maxLength: 4 }),
      fc.array(fc.record({ subject: words, description: words, after: numbers }), { maxLength: 2 }),
    ),
    description: words,
    priority: fc.constantFrom("high", "low", 0, 4, "x"),
    after: numbers,
    claim: numbers,
    done: numbers,
    evidence: words,
    fail: number,
    release: number,
    cancel: number,
    reason: words,
    reopen: number,
    unblock: number,
    task: number,
    note: words,
    progress: words,
    wait: fc.constantFrom("30m", "topic:x", "person", 3, "x"),
    list: fc.oneof(words, fc.constantFrom("open", "ready", "all", "mine", "#1")),
    show: number,
    from: fc.integer({ min: -1, max: 400 }),
    fence: fc.integer({ min: 0, max: 4 }),
  },
  { requiredKeys: [] },
);
/** A few fields at a time: with all of them, every call is refused. */
const few = wellMeant.chain((input) =>
  fc
    .subarray(Object.keys(input), { maxLength: 3 })
    .map((keys) => Object.fromEntries(Object.entries(input).filter(([key]) => keys.includes(key)))),
);
const anything = fc.oneof({ weight: 8, arbitrary: few }, wellMeant, fc.jsonValue(), fc.string());

const OUR_LINE =
  /^(?: {2}|#\d+ |Claimed #|You hold |Cancel of #|All of it: |More: |Failed before: |Signal: |Note: |Subject: |Description:|Notes|Evidence|Part of|Blocked by|After|Before|Labels|Failed \d|Reason|Progress|No task is|The description has|\d+ more: )/;

describe("whatever is said", () => {
  test("every call is answered, safely and briefly, and an error has changed nothing", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(anything, fc.constantFrom("s1", "s2")), { maxLength: 25 }), async (inputs) => {
        const calls = await tasksAfter([two]);
        for (const [input, session] of inputs) {
          const before = await calls.tasks();
          const { text, isError } = await calls.call(input, session);
          expect(text).not.toBe("");
          expect(utf8Length(text)).toBeLessThanOrEqual(4096);
          for (const line of text.split("\n").slice(1)) expect(line).toMatch(OUR_LINE);
          for (const line of text.split("\n")) expect(line.trim()).toBe(promptText(line, 5000));
          if (isError) expect(await calls.tasks()).toEqual(before);
        }
        await calls.close();
      }),
      { numRuns: sized(60, 1000) },
    );
  });

  test("answers stay small, however much is stored", async () => {
    const long = "😀<x>\n".repeat(650);
    const full = {
      subject: long.slice(0, 3000),
      description: "日\n".repeat(30_000),
      labels: Array.from({ length: 50 }, (_, at) => `${at}${"字".repeat(300)}`),
    };
    const calls = await tasksAfter([{ add: Array(60).fill(full), after: [] }, { claim: [1, 2, 3] }]);
    const filled = [
      ...Array.from({ length: 8 }, () => calls.call({ task: 1, note: "字".repeat(3900) })),
      calls.call({ cancel: 1, reason: "字".repeat(3900) }, "字".repeat(60)),
      calls.call({ task: 60, after: "1-59" }),
    ];
    for (const answer of filled) expect(await answer).toMatchObject({ isError: false });
    const inputs = [
      {},
      { show: 1 },
      { list: "open" },
      { list: "字" },
      { show: 60 },
      { claim: 4 },
      { claim: [1, 2, 3], list: "open" },
      { done: "5-59", list: "all" },
      { show: 1, from: 5000 },
      { done: 2, claim: 1, show: 1 },
    ];
    for (const input of inputs) {
      const { text, isError } = await calls.call(input);
      expect(isError).toBe(false);
      expect(utf8Length(text)).toBeLessThanOrEqual(4096);
    }
    await calls.close();
  });
});
