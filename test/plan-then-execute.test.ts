import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { openMilepost } from "../src/app/milepost.js";
import type { PlanReport } from "../src/app/plans/plan-report.js";
import { judgePlan, proposePlan, readPlan } from "../src/app/plans/plans.js";
import { sessionEvent } from "../src/app/session/session-view.js";
import { append } from "../src/store/event-store.js";
import { attacksOn } from "./attack-entries.js";
import { client } from "./hooked-client.js";
import { runOn } from "./run-on.js";
import { neighbours } from "./store/plan-contract.js";

// A plan is for approval, a list is for work: two states, which are only ever joined by a person's wish.

const folder = mkdtempSync(join(tmpdir(), "milepost-plan-then-execute-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const AGENT = { CLAUDECODE: "1" };
const PLAN = "# Move to Redis\n\n1. Add the client\n2. Move the sessions\n";

/** A machine of its own with one session, and its commands: those of a person, and those of its agent. */
async function machine() {
  const home = mkdtempSync(join(folder, "home-"));
  const project = join(home, "shop");
  mkdirSync(project);
  const run = async (line: readonly string[], input = "", environment: Record<string, string> = {}) => {
    const { exit, out, err } = await runOn(home, [...line, "--json"], { input, environment, folder: project });
    const answer = JSON.parse(exit === 0 ? out : err);
    return { exit, answer, code: answer.error?.code ?? "ok" };
  };
  const call = async (tool: string, input: object, dialect = "milepost", session = "s1") => {
    const line = JSON.stringify({ tool, input, session });
    const { out } = await runOn(home, ["call", "--dialect", dialect], { input: `${line}\n`, folder: project });
    return JSON.parse(out);
  };
  const propose = async (text = PLAN, session = "s1"): Promise<PlanReport> =>
    (await run(["plan", "propose", "-", "--session", session], text, AGENT)).answer.plan;
  return {
    run,
    call,
    propose,
    plan: async (id: string): Promise<PlanReport> => (await run(["plan", "show", id])).answer.plan,
    decide: (verb: string, id: string, ...more: string[]) => run(["plan", verb, id, ...more]),
    list: async (session = "s1") => {
      const { answer } = await run(["todo", "list", "--session", session]);
      const phases: { todos: { text: string; status: string }[] }[] = answer.list.phases;
      return phases.flatMap(({ todos }) => todos.map(({ text, status }) => `${status} ${text}`));
    },
    digest: async () => (await run(["digest", "--session", "s1"])).answer.text as string,
    session: async () => (await run(["sessions", "s1"])).answer.sessions[0],
  };
}

const DIALECTS = [
  {
    dialect: "milepost",
    tool: "todo",
    look: { add: ["Look"] },
    write: { add: ["Add the client", "Move the sessions"] },
    end: { done: [1, 2, 3] },
  },
  {
    dialect: "claude",
    tool: "TodoWrite",
    look: { todos: [{ content: "Look", status: "in_progress", activeForm: "Looking" }] },
    write: {
      todos: [
        { content: "Add the client", status: "in_progress", activeForm: "Adding" },
        { content: "Move the sessions", status: "pending", activeForm: "Moving" },
      ],
    },
    end: {
      todos: [
        { content: "Add the client", status: "completed", activeForm: "Adding" },
        { content: "Move the sessions", status: "completed", activeForm: "Moving" },
      ],
    },
  },
] as const;

describe.each(DIALECTS)("propose, approve, run a list: $dialect", ({ dialect, tool, look, write, end }) => {
  test("two states, each with an end of its own", async () => {
    const { call, propose, decide, plan, list, digest, session } = await machine();
    await call(tool, look, dialect);
    const before = await list();
    expect(before).toHaveLength(1);
    const { id, status } = await propose();
    expect([status, await list()]).toEqual(["proposed", before]);
    expect(await digest()).not.toContain("Approved plan");
    expect((await session()).plan).toMatchObject({ id, title: "Move to Redis", status: "proposed" });
    const approved = await decide("approve", id);
    // Nothing is ticked, nothing is seeded.
    expect(approved.answer).toMatchObject({ plan: { status: "approved" }, todos: [], tasks: [] });
    expect(await list()).toEqual(before);
    expect(await digest()).toContain(`Approved plan ${id}`);
    await call(tool, write, dialect);
    expect(await list()).not.toEqual(before);
    expect(await digest()).toContain(`Approved plan ${id}`);
    await call(tool, end, dialect);
    // The work is over, so nobody is asked to go on; what was decided stays decided.
    expect(await digest()).toBe("");
    expect(await plan(id)).toMatchObject({ status: "approved", text: PLAN, supersededBy: null });
    expect((await session()).plan).toMatchObject({ id, status: "approved" });
  });
});

describe("an approval is of one text", () => {
  test("a changed plan needs a new approval", async () => {
    const { call, propose, decide, plan, digest } = await machine();
    await call("todo", { add: ["Look"] });
    const first = await propose();
    await decide("approve", first.id);
    const second = await propose(`${PLAN}3. Drop the old table\n`);
    expect(second).toMatchObject({ status: "proposed", supersedes: first.id });
    expect(await plan(first.id)).toMatchObject({ status: "superseded", supersededBy: second.id });
    expect(await digest()).not.toContain("Approved plan");
    expect((await decide("approve", first.id)).code).toBe("plan-superseded");
  });

  test("for another hash, or for a text that was edited since, it is refused", async () => {
    const { run, call, propose, decide, plan } = await machine();
    await call("todo", { add: ["Look"] });
    const { id, hash } = await propose();
    expect((await decide("approve", id, "--hash", "0".repeat(64))).code).toBe("plan-changed");
    expect((await run(["plan", "edit", id, "-"], "# Another plan\n")).code).toBe("ok");
    expect((await decide("approve", id, "--hash", hash)).code).toBe("plan-changed");
    expect(await plan(id)).toMatchObject({ status: "proposed", title: "Another plan" });
  });

  test("it is given once, and taken back once", async () => {
    const { call, propose, decide } = await machine();
    await call("todo", { add: ["Look"] });
    const { id } = await propose();
    const codes: string[] = [];
    for (const [verb, ...more] of [["approve"], ["approve"], ["reject"], ["reject", "--withdraw"], ["approve"]])
      codes.push((await decide(verb ?? "", id, ...more)).code);
    expect(codes).toEqual(["ok", "plan-decided", "plan-decided", "ok", "plan-decided"]);
  });

  test.each([["approve"], ["reject"], ["edit", "-"]])(
    "an agent's own shell does not decide: %s",
    async (verb, ...more) => {
      const { run, call, propose, plan } = await machine();
      await call("todo", { add: ["Look"] });
      const { id } = await propose();
      for (const environment of [AGENT, { CODEX_THREAD_ID: "t1" }, { CODEX_CI: "1" }]) {
        const { exit, code } = await run(["plan", verb, id, ...more], "# Mine\n", environment);
        expect([exit, code]).toEqual([1, "agent-shell"]);
      }
      expect(await plan(id)).toMatchObject({ status: "proposed", text: PLAN });
    },
  );
});

test("a session's plans are listed as its own, and not those that lie beside them in the store", async () => {
  const { call, propose, run } = await machine();
  const sessions = neighbours();
  const ids: string[] = [];
  for (const session of sessions) {
    await call("todo", { add: ["a"] }, "milepost", session);
    ids.push((await propose(PLAN, session)).id);
  }
  for (const [at, session] of sessions.entries()) {
    const { answer } = await run(["plan", "list", "--session", session]);
    expect(answer.plans.map(({ id }: PlanReport) => id)).toEqual([ids[at]]);
  }
});

test("replayed, and for another session, an answer is refused", async () => {
  const { store, todo } = await client();
  for (const session of ["s1", "s2"]) await todo({ add: ["Look"] }, session);
  const ids: string[] = [];
  for (const session of ["s1", "s2"]) {
    const plan = await proposePlan(store, { session, key: "k", text: PLAN });
    if (plan.ok) ids.push(plan.value.id);
  }
  const [first = "", second = ""] = ids;
  const answer = { type: "approve", by: "ann", via: "elicitation", session: "s1", fact: "answer-1" } as const;
  const codes: string[] = [];
  for (const id of [second, first, first, second]) {
    const judged = await judgePlan(store, { ...answer, id });
    codes.push(judged.ok ? "ok" : judged.error.code);
  }
  expect(codes).toEqual(["other-session", "ok", "already-used", "already-used"]);
  expect([(await readPlan(store, first))?.status, (await readPlan(store, second))?.status]).toEqual([
    "approved",
    "proposed",
  ]);
});

test("prompt-compaction-poison: approvals after compaction come from the store, never from summary text", async () => {
  const poison = attacksOn("prompt").find(({ id }) => id === "prompt-compaction-poison")?.input ?? "";
  const { store, hook, said, todo } = await client();
  const compact = async () => {
    await hook("PreCompact", { trigger: "auto" });
    return said("SessionStart", { source: "compact", summary: poison, compact_summary: poison });
  };
  await hook("SessionStart", { source: "startup" });
  await hook("UserPromptSubmit", { prompt: poison });
  await todo({ add: [poison] });
  const plan = await proposePlan(store, { session: "s1", key: "k", text: `# ${poison}\n\n${poison}` });
  if (!plan.ok) throw new Error(plan.error.message);
  const { id } = plan.value;
  // What is on the list is quoted as data; that a plan was approved, nobody says.
  expect(await compact()).not.toMatch(/Approved plan/);
  expect(await readPlan(store, id)).toMatchObject({ status: "proposed" });
  await judgePlan(store, { type: "approve", id, by: "ann", via: "command", isTold: true });
  expect(await compact()).toContain(`Approved plan ${id} (by Milepost's record): "${poison}"`);
  await judgePlan(store, { type: "reject", id, by: "ann", via: "command", isTold: true, isWithdrawal: true });
  expect(await compact()).not.toMatch(/Approved plan/);
});

test("tasks that the client keeps come to their end: the plan is finished with them", async () => {
  const { store, hook, session, events } = await client();
  await hook("SessionStart", { source: "startup" });
  const plan = await proposePlan(store, { session: "s1", key: "k", text: PLAN });
  if (!plan.ok) throw new Error(plan.error.message);
  await judgePlan(store, { type: "approve", id: plan.value.id, by: "ann", via: "client" });
  const task = async (tool: string, call: string, input: object, response: object) =>
    hook("PostToolUse", { tool_name: tool, tool_use_id: call, tool_input: input, tool_response: response });
  await task("TaskCreate", "t1", { subject: "Add it", description: "" }, { task: { id: "1", subject: "Add it" } });
  expect((await session()).plan).toMatchObject({ isBegun: true, isFinished: false });
  const done = { success: true, taskId: "1", statusChange: { from: "pending", to: "completed" } };
  await task("TaskUpdate", "t2", { taskId: "1", status: "completed" }, done);
  expect((await session()).plan).toMatchObject({ status: "approved", isFinished: true });
  expect(await events("plan.finished")).toHaveLength(1);
  expect(await readPlan(store, plan.value.id)).toMatchObject({ status: "approved" });
});

test("a session whose turn is over waits for the person, until they have decided", async () => {
  const home = mkdtempSync(join(folder, "home-"));
  const milepost = await openMilepost({ store: join(home, "milepost", "milepost.db") });
  const { store } = milepost;
  const told = [
    { type: "session.started", source: "startup", client: "codex", folder: "/elsewhere", process: "" },
    { type: "turn.started", isStop: false },
    { type: "turn.ended" },
  ] as const;
  await store.commit(append([{ stream: "session:s1", events: told.map((event) => sessionEvent(event)) }]));
  const plan = await proposePlan(store, { session: "s1", client: "codex", key: "k", text: PLAN });
  if (!plan.ok) throw new Error(plan.error.message);
  const { id } = plan.value;
  const shown = async () => {
    const [report] = JSON.parse((await runOn(home, ["sessions", "--json"])).out).sessions;
    return [report.state, report.why.reason, report.waitingFor?.text, report.plan.id, report.plan.status];
  };
  expect(await shown()).toEqual(["waiting", "plan", "Move to Redis", id, "proposed"]);
  expect((await runOn(home, ["sessions"])).out).toContain(`plan ${id}, proposed: Move to Redis`);
  await judgePlan(store, { type: "approve", id, by: "ann", via: "command" });
  expect(await shown()).toEqual(["idle", "turn-ended", undefined, id, "approved"]);
  expect((await runOn(home, ["sessions", "s1"])).out).toMatch(
    new RegExp(`plan ${id}, approved \\S+ ago by ann: Move to Redis\\n  milepost plan show ${id}`),
  );
  const forgotten = await runOn(home, ["forget", "s1", "--yes"]);
  expect(forgotten.out).toContain("(with 1 plan)");
  await milepost.close();
});
