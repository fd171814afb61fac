import { describe, expect, test } from "vitest";
import { claudeSession } from "../../src/readers/claude/claude-session.js";
import { claudeStream } from "../../src/readers/claude/claude-stream.js";
import { taskAt } from "../../src/readers/claude/task-results.js";
import {
  bytesOf,
  holdsGoldens,
  neverThrows,
  readInChunks,
  type Summary,
  saysTheSameWhenCut,
  transcriptsOf,
} from "./recorded.js";

const files = transcriptsOf("claude-code");
const APP = { phase: "resting", turns: 1, place: "/home/dev/app@main", model: "claude-sonnet-4-5", todos: [] } as const;
const OLD = { ...APP, version: "1.0.128" } as const;
const MIDDLE = { ...APP, version: "2.1.30" } as const;
const NEW = { ...APP, version: "2.1.325" } as const;
/** Older versions do not print who they are, and none prints what it was asked. */
const STREAM = { ...APP, title: "", place: "/home/dev/app@", version: "" } as const;

const ON_FIRST = ["[~] Inspect helper", "[ ] Rename helper", "[ ] Run tests"];
const ON_SECOND = ["[x] Inspect helper", "[~] Rename helper", "[ ] Run tests"];
const ON_LAST = ["[x] Inspect helper", "[x] Rename helper", "[~] Run tests"];

const PLANNED = { ...NEW, title: "Plan the rename.", model: "claude-sonnet-4-6" } as const;
const PLAN = "# Rename helper\n\n- Rename x to y\n- Run the tests\n";

const GOLDEN: Readonly<Record<string, readonly Summary[]>> = {
  "1.0.128-compact-manual": [
    { ...OLD, title: "Scripted run", turns: 2, calls: "3/0", tokens: 550, todos: ON_LAST, compactions: 1 },
  ],
  "1.0.128-compact-manual.session-x": [],
  "1.0.128-compact-manual.stream-1": [{ ...STREAM, calls: "2/0", tokens: 330, todos: ON_SECOND, cost: 0.00159 }],
  "1.0.128-compact-manual.stream-2": [
    { ...STREAM, phase: "new", turns: 0, calls: "0/0", tokens: 0, cost: 0.00069, compactions: 1 },
  ],
  "1.0.128-compact-manual.stream-3": [{ ...STREAM, calls: "1/0", tokens: 220, todos: ON_LAST, cost: 0.00126 }],
  "1.0.128-subagent-old": [
    { ...OLD, title: "Delegate the inspection.", calls: "3/0", tokens: 440, todos: ON_SECOND },
    {
      ...OLD,
      title: "LANE:child Inspect the helper and report.",
      calls: "3/0",
      tokens: 440,
      model: "claude-sonnet-4-20250514",
      parent: "2eaea35c-ce46-494d-a61f-541aa6690ba1",
    },
  ],
  "1.0.128-todo-resume": [{ ...OLD, title: "Start the rename.", turns: 2, calls: "3/0", tokens: 550, todos: ON_LAST }],
  "1.0.128-todo-resume.session-x": [],
  "1.0.128-todo-simple": [{ ...OLD, title: "Rename the helper and run the tests.", calls: "5/0", tokens: 660 }],
  "1.0.128-todo-simple.stream-1": [{ ...STREAM, calls: "5/0", tokens: 660, cost: 0.00318 }],
  "2.1.30-compact-manual": [
    { ...MIDDLE, title: "Start the rename.", turns: 2, calls: "3/0", tokens: 505, todos: ON_LAST, compactions: 1 },
  ],
  "2.1.30-compact-manual.stream-1": [
    { ...MIDDLE, title: "", calls: "2/0", tokens: 330, place: "/home/dev/app@", todos: ON_SECOND, cost: 0.00165 },
  ],
  "2.1.30-compact-manual.stream-2": [
    {
      ...MIDDLE,
      title: "",
      phase: "new",
      turns: 0,
      calls: "0/0",
      tokens: 0,
      place: "/home/dev/app@",
      cost: 0.0006,
      compactions: 1,
    },
  ],
  "2.1.30-compact-manual.stream-3": [
    { ...MIDDLE, title: "", calls: "1/0", tokens: 220, place: "/home/dev/app@", todos: ON_LAST, cost: 0.00105 },
  ],
  "2.1.30-subagent-old.agent-1": [
    {
      ...MIDDLE,
      title: "LANE:child Inspect the helper and report.",
      calls: "3/0",
      tokens: 404,
      parent: "4cd1c876-134b-450b-af1c-92a9a8168e6c",
    },
  ],
  "2.1.30-subagent-old": [
    { ...MIDDLE, title: "Delegate the inspection.", calls: "3/0", tokens: 404, todos: ON_SECOND },
  ],
  "2.1.30-todo-resume": [
    { ...MIDDLE, title: "Start the rename.", turns: 2, calls: "3/0", tokens: 505, todos: ON_LAST },
  ],
  "2.1.30-todo-simple": [{ ...MIDDLE, title: "Rename the helper and run the tests.", calls: "5/0", tokens: 606 }],
  "2.1.30-todo-simple.stream-1": [
    { ...MIDDLE, title: "", calls: "5/0", tokens: 660, place: "/home/dev/app@", cost: 0.00315 },
  ],
  "2.1.325-api-error": [
    { ...NEW, title: "Rename the helper.", calls: "1/0", tokens: 110, todos: ON_FIRST, cost: 0.00045 },
  ],
  "2.1.325-api-error.stream-1": [
    { ...NEW, title: "", calls: "1/0", tokens: 110, place: "/home/dev/app@", todos: ON_FIRST, cost: 0.00045 },
  ],
  "2.1.325-compact-manual": [
    {
      ...NEW,
      title: "Start the rename.",
      turns: 2,
      calls: "3/0",
      tokens: 550,
      todos: ON_LAST,
      cost: 0.0027,
      compactions: 1,
    },
  ],
  "2.1.325-compact-manual.stream-1": [
    { ...NEW, title: "", calls: "2/0", tokens: 330, place: "/home/dev/app@", todos: ON_SECOND, cost: 0.00135 },
  ],
  "2.1.325-compact-manual.stream-2": [
    {
      ...NEW,
      title: "",
      phase: "new",
      turns: 0,
      calls: "0/0",
      tokens: 0,
      place: "/home/dev/app@",
      cost: 0.0018,
      compactions: 1,
    },
  ],
  "2.1.325-compact-manual.stream-3": [
    { ...NEW, title: "", calls: "1/0", tokens: 220, place: "/home/dev/app@", todos: ON_LAST, cost: 0.0027 },
  ],
  "2.1.325-hooks-block": [{ ...NEW, title: "Try.", calls: "4/2", tokens: 550, cost: 0.00225 }],
  "2.1.325-hooks.agent-1": [
    { ...NEW, title: "LANE:child look", calls: "0/0", tokens: 110, parent: "2ecfe6fc-f561-4dbe-92d4-f5080ae5c93a" },
  ],
  "2.1.325-hooks": [
    {
      ...NEW,
      title: "Track this.",
      turns: 2,
      calls: "9/2",
      tokens: 1430,
      cost: 0.0063,
      tasks: ["#1 [x] Good task", "#3 [ ] HOLDME"],
    },
  ],
  "2.1.325-interrupts": [
    { ...NEW, title: "do K:int", turns: 7, calls: "9/5", tokens: 1201, todos: ON_SECOND, cost: 0.0045 },
  ],
  "2.1.325-mcp": [{ ...NEW, title: "Use the note server.", calls: "4/1", tokens: 550, cost: 0.00225 }],
  "2.1.325-new-model-default": [
    { ...NEW, title: "Hello.", calls: "2/2", tokens: 330, model: "claude-sonnet-5", cost: 0.0009 },
  ],
  "2.1.325-new-model-optin": [
    { ...NEW, title: "Hello.", calls: "2/0", tokens: 330, model: "claude-sonnet-5", cost: 0.0009, tasks: ["#1 [ ] x"] },
  ],
  "2.1.325-parallel-tools": [
    {
      ...NEW,
      title: "do K:a",
      turns: 4,
      calls: "7/0",
      tokens: 880,
      todos: ["[x] Inspect helper", "[~] Rename helper", "[~] Run tests"],
      cost: 0.0036,
    },
  ],
  "2.1.325-plan-approved": [
    {
      ...NEW,
      title: "do K:run",
      turns: 4,
      calls: "9/5",
      tokens: 880,
      todos: ON_FIRST,
      cost: 0.00405,
      plan: { key: "toolu_r0007_1", text: "# The plan\n\n- rename x\n- test\n", status: "approved" },
      earlierPlans: ["toolu_r0006_1 rejected"],
    },
  ],
  "2.1.325-plan-edited": [
    {
      ...{ ...PLANNED, calls: "6/1", tokens: 770 },
      plan: {
        ...{ key: "toolu_plan_1", status: "approved", isEdited: true },
        text: "# Rename helper\n\n- Rename x to z, said the person\n",
      },
    },
  ],
  "2.1.325-plan-escaped": [
    {
      ...{ ...PLANNED, turns: 2, calls: "5/2", tokens: 550 },
      plan: { key: "toolu_plan_2", text: `${PLAN}- Tell the users\n`, status: "rejected" },
      earlierPlans: ["toolu_plan_1 rejected"],
    },
  ],
  "2.1.325-plan-host-denied": [
    {
      ...{ ...PLANNED, calls: "3/1", tokens: 440 },
      plan: { key: "toolu_plan_1", text: PLAN, status: "rejected", reason: "No: too short, said the person." },
    },
  ],
  "2.1.325-plan-mode": [
    { ...NEW, title: "Plan the rename.", calls: "2/1", tokens: 330, todos: ON_FIRST, cost: 0.00135 },
  ],
  "2.1.325-plan-rejected-approved": [
    {
      ...{ ...PLANNED, calls: "6/1", tokens: 770 },
      plan: { key: "toolu_plan_2", text: `${PLAN}- Tell the users\n`, status: "approved" },
      earlierPlans: ["toolu_plan_1 rejected Do not rename, tell me why first."],
    },
  ],
  "2.1.325-rewind": [
    {
      ...NEW,
      title: "do K:a",
      turns: 4,
      calls: "5/0",
      tokens: 990,
      todos: ["[x] Inspect helper", "[~] Rename helper", "[~] Run tests"],
      cost: 0.00405,
    },
  ],
  "2.1.325-subagent.agent-1": [
    {
      ...NEW,
      title: "LANE:child Inspect the helper and report.",
      calls: "3/0",
      tokens: 440,
      parent: "e90e2a24-0094-4ab0-ae83-c1f0553732e3",
    },
  ],
  "2.1.325-subagent": [
    { ...NEW, title: "Delegate the inspection.", calls: "3/0", tokens: 440, todos: ON_SECOND, cost: 0.0036 },
  ],
  "2.1.325-subagent.stream-1": [
    { ...NEW, title: "", calls: "3/0", tokens: 440, place: "/home/dev/app@", todos: ON_SECOND, cost: 0.0036 },
    {
      ...STREAM,
      title: "LANE:child Inspect the helper and report.",
      calls: "3/0",
      tokens: 303,
      place: "@",
      model: "",
      parent: "e90e2a24-0094-4ab0-ae83-c1f0553732e3",
    },
  ],
  "2.1.325-tasks-many-turns": [
    {
      ...NEW,
      title: "Do a long job.",
      calls: "33/0",
      tokens: 3520,
      cost: 0.0144,
      tasks: ["#1 [x] Inspect helper", "#2 [ ] Rename helper", "#3 [ ] Run tests"],
    },
  ],
  "2.1.325-tasks-resume": [
    {
      ...NEW,
      title: "Start.",
      turns: 2,
      calls: "5/0",
      tokens: 660,
      cost: 0.0027,
      tasks: ["#1 [x] Inspect helper", "#2 [ ] Rename helper"],
    },
  ],
  "2.1.325-tasks": [
    {
      ...NEW,
      title: "Track this work with tasks.",
      calls: "28/1",
      tokens: 2860,
      cost: 0.0117,
      tasks: ["#1 [x] Inspect helper", "#2 [x] Rename helper <#1", "#4 [x] Renamed subject <#4", "#5 [ ] After delete"],
    },
  ],
  "2.1.325-tasks.stream-1": [
    {
      ...NEW,
      title: "",
      calls: "28/1",
      tokens: 2860,
      place: "/home/dev/app@",
      cost: 0.0117,
      tasks: ["#1 [x] Inspect helper", "#2 [x] Rename helper <#1", "#4 [x] Renamed subject <#4", "#5 [ ] After delete"],
    },
  ],
  "2.1.325-todo-default-off": [
    {
      ...NEW,
      title: "Rename the helper.",
      calls: "4/1",
      tokens: 550,
      cost: 0.00225,
      tasks: ["#1 [ ] Inspect helper", "#2 [ ] Inspect helper"],
    },
  ],
  "2.1.325-todo-many-turns": [{ ...NEW, title: "Do a long job.", calls: "44/0", tokens: 4950, cost: 0.02025 }],
  "2.1.325-todo-never": [{ ...NEW, title: "Do a long job.", calls: "24/0", tokens: 2750, cost: 0.01125 }],
  "2.1.325-todo-resume": [
    { ...NEW, title: "Start the rename.", turns: 2, calls: "3/0", tokens: 550, todos: ON_LAST, cost: 0.00225 },
  ],
  "2.1.325-todo-simple": [
    { ...NEW, title: "Rename the helper and run the tests.", calls: "5/0", tokens: 660, cost: 0.0027 },
  ],
  "2.1.325-todo-simple.stream-1": [
    { ...NEW, title: "", calls: "5/0", tokens: 660, place: "/home/dev/app@", cost: 0.0027 },
  ],
};

describe("recorded sessions", () => {
  holdsGoldens("claude-code", GOLDEN);
});

describe("tasks", () => {
  const onDisk = ["hooks", "new-model-optin", "tasks-many-turns", "tasks-resume", "tasks", "todo-default-off"];

  test.each(onDisk)("are in %s as the client kept them on disk", (scenario) => {
    const files = JSON.parse(bytesOf("claude-code", `2.1.325-${scenario}.tasks.json`).toString()) as Record<
      string,
      string
    >;
    const kept = Object.entries(files).flatMap(([path, text]) =>
      path.endsWith(".json") ? [taskAt(JSON.parse(text))] : [],
    );
    const [view] = readInChunks("claude-code", `2.1.325-${scenario}.jsonl`).views.values();
    const told = view?.tasks.flatMap(({ at: _, isDeleted, ...task }) => (isDeleted ? [] : [task]));
    expect(told).toEqual(kept);
  });
});

describe("whatever happens to a file", () => {
  test("cut anywhere and gone on with later, it says the same", () => saysTheSameWhenCut("claude-code", files));

  const name = "0199ab12-0000-4000-8000-000000000000.jsonl";
  const first = {
    type: "user",
    sessionId: "s1",
    session_id: "s1",
    uuid: "u1",
    parentUuid: null,
    message: { content: "go" },
  };

  test("no record makes a reader throw, and going on later changes nothing", () =>
    neverThrows({ agent: "claude-code", files, formats: [claudeSession, claudeStream], name, first }));
});
