import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/core/json.js";
import { codexAppServer } from "../../src/readers/codex/app-server.js";
import { codexExec } from "../../src/readers/codex/exec.js";
import { codexRollout } from "../../src/readers/codex/rollout.js";
import { Transcript } from "../../src/readers/transcript.js";
import {
  bytesOf,
  holdsGoldens,
  neverThrows,
  type Summary,
  saysTheSameWhenCut,
  summary,
  transcriptsOf,
} from "./recorded.js";

const files = transcriptsOf("codex");

const APP = { phase: "resting", turns: 1, place: "/home/dev/app@main", todos: [] } as const;
const OLD = { ...APP, version: "0.110.0", model: "gpt-5.2" } as const;
const NEW = { ...APP, version: "0.166.0", model: "gpt-5.2" } as const;
/** Its stdout says neither where it runs nor what it was asked. */
const EXEC = { ...APP, title: "", place: "@", version: "", model: "" } as const;

const NONE_YET = ["[ ] Inspect helper", "[ ] Rename helper", "[ ] Run tests"];
const FIRST_DONE = ["[x] Inspect helper", "[ ] Rename helper", "[ ] Run tests"];
const ONE_LEFT = ["[x] Inspect helper", "[x] Rename helper", "[ ] Run tests"];
const ON_FIRST = ["[~] Inspect helper", "[ ] Rename helper", "[ ] Run tests"];
const ON_SECOND = ["[x] Inspect helper", "[~] Rename helper", "[ ] Run tests"];
const ON_LAST = ["[x] Inspect helper", "[x] Rename helper", "[~] Run tests"];
const PLAN = {
  key: "01a1de9d-817a-72d0-98fd-9290a6c6c234",
  text: "# Rename helper\n\n- Rename x to y\n- Run the tests\n",
  status: "approved",
} as const;
const PARENT = "01a1de9d-7464-7663-be2c-791ac17abd11";

const GOLDEN: Readonly<Record<string, readonly Summary[]>> = {
  "0.110.0-compact.exec-1": [{ ...EXEC, calls: "1/0", tokens: 9400, todos: ONE_LEFT }],
  "0.110.0-compact.exec-2": [{ ...EXEC, calls: "0/0", tokens: 9500 }],
  "0.110.0-compact": [
    { ...OLD, title: "Start the rename.", turns: 2, calls: "3/0", tokens: 9500, todos: ON_LAST, compactions: 1 },
  ],
  "0.110.0-errors.exec-1": [{ ...EXEC, calls: "1/1", tokens: 1100 }],
  "0.110.0-errors": [{ ...OLD, title: "Exercise the edges.", calls: "10/7", tokens: 1100 }],
  "0.110.0-resume.exec-1": [{ ...EXEC, calls: "0/0", tokens: 200, todos: FIRST_DONE }],
  "0.110.0-resume.exec-2": [{ ...EXEC, calls: "1/0", tokens: 500, todos: ONE_LEFT }],
  "0.110.0-resume": [{ ...OLD, title: "Start the rename.", turns: 2, calls: "3/0", tokens: 500, todos: ON_LAST }],
  "0.110.0-simple.exec-1": [{ ...EXEC, calls: "2/0", tokens: 600 }],
  "0.110.0-simple": [{ ...OLD, title: "Rename the helper and run the tests.", calls: "5/0", tokens: 600 }],
  "0.166.0-api-error.exec-1": [{ ...EXEC, calls: "0/0", tokens: 0, todos: NONE_YET }],
  "0.166.0-api-error": [{ ...NEW, title: "Rename the helper.", calls: "1/0", tokens: 100, todos: ON_FIRST }],
  "0.166.0-code-mode-model.exec-1": [
    { ...EXEC, calls: "1/0", tokens: 300, todos: ["[ ] Inspect helper", "[ ] Run tests"] },
  ],
  "0.166.0-code-mode-model": [
    {
      ...{ ...NEW, title: "Rename the helper.", model: "gpt-6-sol", calls: "3/0", tokens: 300 },
      todos: ["[~] Inspect helper", "[ ] Run tests"],
    },
  ],
  "0.166.0-compact.exec-1": [{ ...EXEC, calls: "1/0", tokens: 9400, todos: ONE_LEFT }],
  "0.166.0-compact.exec-2": [{ ...EXEC, calls: "0/0", tokens: 9500 }],
  "0.166.0-compact": [
    { ...NEW, title: "Start the rename.", turns: 2, calls: "3/0", tokens: 9500, todos: ON_LAST, compactions: 1 },
  ],
  "0.166.0-default-off.exec-1": [{ ...EXEC, calls: "0/0", tokens: 200 }],
  "0.166.0-default-off": [{ ...NEW, title: "Rename the helper.", calls: "1/1", tokens: 200 }],
  "0.166.0-hooks.exec-1": [{ ...EXEC, calls: "1/0", tokens: 9500, todos: ONE_LEFT }],
  "0.166.0-hooks.exec-2": [{ ...EXEC, calls: "0/0", tokens: 9700 }],
  "0.166.0-hooks": [
    { ...NEW, title: "Start the rename.", turns: 2, calls: "3/0", tokens: 9700, todos: ON_LAST, compactions: 1 },
  ],
  "0.166.0-many-turns.exec-1": [{ ...EXEC, calls: "25/0", tokens: 2800 }],
  "0.166.0-many-turns": [{ ...NEW, title: "Do a long job.", calls: "27/0", tokens: 2800 }],
  "0.166.0-mcp.exec-1": [{ ...EXEC, calls: "4/2", tokens: 500 }],
  "0.166.0-mcp": [{ ...NEW, title: "Use the note server.", calls: "4/2", tokens: 500 }],
  "0.166.0-plan-implemented": [
    {
      ...{ ...NEW, title: "Plan the rename.", model: "gpt-6.1-sol", place: "/home/dev/app@", turns: 2 },
      ...{ calls: "0/0", tokens: 200, plan: { ...PLAN, key: "01a1e6dc-451a-7f33-a33a-ffb3884c2b25" } },
    },
  ],
  "0.166.0-plan-mode.appserver": [
    { ...NEW, title: "Plan the rename.", place: "/home/dev/app@", turns: 2, calls: "1/0", tokens: 600, plan: PLAN },
  ],
  "0.166.0-plan-mode": [{ ...NEW, title: "Plan the rename.", turns: 2, calls: "4/1", tokens: 600, plan: PLAN }],
  "0.166.0-resume.exec-1": [{ ...EXEC, calls: "0/0", tokens: 200, todos: FIRST_DONE }],
  "0.166.0-resume.exec-2": [{ ...EXEC, calls: "1/0", tokens: 500, todos: ONE_LEFT }],
  "0.166.0-resume": [{ ...NEW, title: "Start the rename.", turns: 2, calls: "3/0", tokens: 500, todos: ON_LAST }],
  "0.166.0-simple.exec-1": [{ ...EXEC, calls: "2/0", tokens: 600 }],
  "0.166.0-simple": [{ ...NEW, title: "Rename the helper and run the tests.", calls: "5/0", tokens: 600 }],
  "0.166.0-subagent.child": [
    { ...NEW, title: "LANE:child Inspect the helper and report.", calls: "3/0", tokens: 400, parent: PARENT },
  ],
  "0.166.0-subagent.exec-1": [
    { ...EXEC, calls: "2/0", tokens: 500, todos: FIRST_DONE },
    { ...EXEC, phase: "new", turns: 0, calls: "0/0", tokens: 0, parent: PARENT },
  ],
  "0.166.0-subagent": [{ ...NEW, title: "Delegate the inspection.", calls: "4/0", tokens: 500, todos: ON_SECOND }],
};

describe("recorded sessions", () => {
  holdsGoldens("codex", GOLDEN);

  test("an explanation stays with the list it explains", () => {
    const file = "0.166.0-simple.jsonl";
    const transcript = new Transcript({ file });
    const bytes = bytesOf("codex", file);
    transcript.push(bytes.subarray(0, bytes.indexOf('"name":"exec_command"')));
    const [view] = transcript.views.values();
    expect(view && summary(view)).toMatchObject({ todos: ON_FIRST, explanation: "Start with a look at the code" });
  });
});

describe("whatever happens to a file", () => {
  test("cut anywhere and gone on with later, it says the same", () => saysTheSameWhenCut("codex", files));

  // So that somebody is there to be told of: by its name, or by a first record.
  const name = "rollout-2026-11-15T09-50-24-01a1de9d-5790-73b1-91f9-a0b9ae312826.jsonl";
  const first: JsonObject = { type: "thread.started", thread_id: "t1" };

  test("no record makes a reader throw, and going on later changes nothing", () =>
    neverThrows({ agent: "codex", files, formats: [codexRollout, codexExec, codexAppServer], name, first }));
});
