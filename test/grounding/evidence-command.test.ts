import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { openMilepost } from "../../src/app/milepost.js";
import { SESSIONS } from "../../src/app/session/session-view.js";
import { append } from "../../src/store/event-store.js";
import { runOn } from "../run-on.js";

// What a person says about checks: `milepost todo waive`, `milepost todo evidence`; and what they see of a missed one.

const folder = realpathSync(mkdtempSync(join(tmpdir(), "milepost-evidence-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let machines = 0;
let home = "";
beforeEach(async () => {
  home = join(folder, `${++machines}`);
  mkdirSync(home);
  await write(
    ["turn.started", { isStop: false }],
    ["phase.opened", { name: "" }],
    ["todo.added", { number: 1, phase: 0, text: "Fix the cookie", status: "in_progress" }],
    ["todo.added", { number: 2, phase: 0, text: "Write it down", status: "pending" }],
  );
});

const run = (line: string, environment = {}) => runOn(home, [...line.split(" "), "--session", "s1"], { environment });

async function onStore<T>(use: (store: Awaited<ReturnType<typeof openMilepost>>["store"]) => Promise<T>): Promise<T> {
  const { store, close } = await openMilepost({ environment: { MILEPOST_HOME: join(home, "milepost") } });
  const value = await use(store);
  await close();
  return value;
}

const write = (...events: readonly (readonly [string, object])[]) =>
  onStore(async (store) => {
    const all = events.map(([type, data]) => ({ type, data: { revision: 1, ...data } }));
    expect((await store.commit(append([{ stream: "session:s1", events: all }]))).ok).toBe(true);
  });

const session = () => onStore((store) => store.view(SESSIONS, "session:s1"));

describe("todo waive", () => {
  test("the whole list, one todo, and the same again", async () => {
    expect((await run("todo waive The printer is away")).out).toContain("the list. Reason: The printer is away");
    expect((await run("todo waive 2 No paper")).out).toContain("2 Write it down. Reason: No paper");
    const again = await run("todo waive 2 No paper --json");
    expect([again.exit, JSON.parse(again.out).changed]).toEqual([0, false]);
    expect((await session()).waivers).toEqual([{ reason: "The printer is away" }, { reason: "No paper", todo: 2 }]);
  });

  test.each([
    ["todo waive 2", /The reason is missing.*\[empty-text\]/],
    ["todo waive 7 No paper", /\[no-todo\]/],
    [`todo waive ${"x".repeat(301)}`, /at most 300 characters.*\[text-too-long\]/],
  ])("%s is refused", async (line, says) => {
    const { exit, err } = await run(line);
    expect(exit).not.toBe(0);
    expect(err).toMatch(says);
    expect((await session()).waivers).toEqual([]);
  });
});

describe("todo evidence", () => {
  test("shows what holds, and sets it for this list", async () => {
    expect((await run("todo evidence")).out).toContain("Evidence: nudge (the setting evidence)");
    expect((await run("todo evidence require")).out).toContain("Evidence: require (said for this list)");
    expect((await run("todo evidence")).out).toContain("Evidence: require (said for this list)");
    expect((await session()).evidence).toBe("require");
  });

  test("is a person's to say", async () => {
    const { exit, err } = await run("todo evidence off", { CLAUDECODE: "1" });
    expect([exit, err]).toEqual([1, expect.stringContaining("[agent-shell]")]);
    expect((await session()).evidence).toBe(undefined);
  });
});

test("an agent that was let go with work that nothing shows is marked in the views", async () => {
  await write(["check.missed", { refusals: 2 }], ["turn.ended", {}]);
  const { sessions } = JSON.parse((await runOn(home, ["sessions", "--json"])).out);
  expect(sessions[0].alerts).toMatchObject([{ detector: "unchecked", level: "warn", count: 2, isOver: false }]);
  expect((await runOn(home, ["alerts"])).out).toContain("no check has passed since");
});
