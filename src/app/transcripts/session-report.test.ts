import { describe, expect, test } from "vitest";
import { listWith, reportWith, viewWith } from "../../../test/readers/session-reports.js";
import { NO_SEEN_WORK } from "../../core/grounding/seen-work.js";
import { NO_TOKENS } from "../../core/session/observation.js";
import { resumeCommand } from "./report/resume-command.js";
import { reportOf, todosIn } from "./session-report.js";

// DESIGN.md, section 4: what scripts rely on. More may be added, none goes.

const KEYS =
  "id agent parent title state why waitingFor limited sleeping list finished plan goal tasks calls call turns compactions tokens context cost pullRequest refusal alerts children offers project folder branch version model startedAt updatedAt activeAt resume transcript badLines unfinishedBytes".split(
    " ",
  );
const asJson = (report: object) => JSON.parse(JSON.stringify(report));

const RAN_NOTHING = {
  verdict: null,
  facts: { calls: 0, failures: 0, files: [], moreFiles: 0, added: 0, removed: 0, milliseconds: 0, check: null },
};

describe("the contract", () => {
  test("a session of which nothing is known has every key", () => {
    const report = asJson(reportWith());
    expect(Object.keys(report)).toEqual(KEYS);
    expect(report).toMatchObject({
      ...{
        id: "s1",
        agent: "claude-code",
        parent: null,
        title: "",
        state: "running",
        list: { phases: [] },
        finished: null,
        plan: null,
      },
      ...{
        tasks: [],
        calls: { total: 0, failed: 0 },
        turns: 0,
        compactions: 0,
        tokens: NO_TOKENS,
        cost: null,
        alerts: [],
      },
      ...{ project: null, folder: null, branch: null, version: null, model: null, startedAt: null, transcript: null },
      ...{ badLines: { lines: 0, first: [] }, unfinishedBytes: 0 },
    });
  });

  test("a cleared list is an object with no phases", () => {
    expect(asJson(reportWith({ list: listWith() }).list)).toEqual({ phases: [] });
  });

  test("a todo has all its fields, closed ones their verdict", () => {
    const check = [0, 200, 0, 1, "npm test"] as const;
    const runs = [[1_800_000_000_000 - 1000, 0, 1, 1, 0, 200, [0, 100, 2, 1, 0, 0], check] as const];
    const work = {
      ...NO_SEEN_WORK,
      times: { since: 1_800_000_000_000, spans: [[1, 0, 1_800_000_000_000] as const] },
      runs,
      files: ["a.ts"],
    };
    const closed = { status: "completed", activeForm: null, notes: [], evidence: [] };
    const { list } = asJson(reportWith({ list: { ...listWith("a.", "b."), explanation: "why" }, work }));
    expect(list).toEqual({
      explanation: "why",
      phases: [
        {
          name: "",
          todos: [
            {
              ...{ number: 1, text: "a", ...closed, verdict: "contradicted" },
              facts: {
                ...{ calls: 1, failures: 1, files: ["a.ts"], moreFiles: 0, added: 2, removed: 1, milliseconds: 200 },
                check: { kind: "tests", result: "failed", at: "2027-01-15T07:59:59.200Z", command: "npm test" },
              },
            },
            {
              ...{ number: 2, text: "b", ...closed, verdict: "unbacked" },
              facts: RAN_NOTHING.facts,
            },
          ],
        },
      ],
    });
  });

  test("todos over all phases", () => {
    const [one] = listWith("a", "b!").phases;
    const phases = [
      { name: "x", todos: one?.todos ?? [] },
      { name: "y", todos: one?.todos ?? [] },
    ];
    expect(todosIn(reportWith({ list: { ...listWith("a"), phases } })).map(({ text }) => text)).toEqual([
      "a",
      "b",
      "a",
      "b",
    ]);
  });

  test("a task is shown with its blockers; deleted and nameless ones are not", () => {
    const task = { id: "1", subject: "t", status: "pending", blocks: [], blockedBy: ["2"], at: 5 } as const;
    const tasks = [task, { ...task, id: "2", isDeleted: true as const }, { ...task, id: "3", subject: "" }];
    expect(asJson(reportWith({ tasks }).tasks)).toEqual([
      {
        id: "1",
        subject: "t",
        status: "pending",
        activeForm: null,
        owner: null,
        blocks: [],
        blockedBy: ["2"],
        ...RAN_NOTHING,
      },
    ]);
  });

  test.each([
    [0, null],
    [1000, "1970-01-01T00:00:01.000Z"],
    [8.64e15 + 1, null],
    [Number.NaN, null],
  ])("the time %d is %s", (time, expected) => {
    const beside = {
      status: { state: "idle", reason: "turn-ended", source: "transcript", since: 0 },
      now: 0,
      updatedAt: time,
      transcript: null,
      problems: { lines: 0, first: [] },
      unfinished: 0,
    } as const;
    const { startedAt, updatedAt } = reportOf(viewWith({ startedAt: time }), beside);
    expect([startedAt, updatedAt]).toEqual([expected, expected]);
  });
});

describe("the command that goes on with it", () => {
  const OPENCLAW = "openclaw agent --message continue --session-id";
  test.each([
    [{ id: "s1", agent: "claude-code", parent: null }, "claude --resume s1"],
    [{ id: "t1", agent: "codex", parent: null }, "codex resume t1"],
    [{ id: "o1", agent: "oh-my-pi", parent: null }, "omp --resume o1"],
    [{ id: "p1", agent: "pi", parent: null }, "pi --session p1"],
    [{ id: "o2", agent: "oh-my-pi", parent: "o1" }, null],
    [{ id: "s1/a", agent: "claude-code", parent: "s1" }, null],
    [{ id: "s1/a", agent: "claude-code", parent: null }, null],
    [{ id: "t2", agent: "codex", parent: "t1" }, null],
    [{ id: "p1", agent: "copilot", parent: null }, "copilot --resume=p1"],
    // A name that our server gave: its client does not know it.
    [{ id: "app-70467eff", agent: "opencode", parent: null, folder: "/work/app" }, null],
    [{ id: "app-70467eff-2", agent: "opencode", parent: null, folder: "/work/app" }, null],
    [{ id: "app-70467eff", agent: "openclaw", parent: null, folder: "/app" }, `${OPENCLAW} app-70467eff`],
    [{ id: "s1", agent: "", parent: null }, null],
    [{ id: "s1", agent: "constructor", parent: null }, null],
  ])("%j: %s", (view, command) => expect(resumeCommand(view)).toBe(command));
});
