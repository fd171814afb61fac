import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { openMilepost } from "../../src/app/milepost.js";
import { append, type NewEvent } from "../../src/store/event-store.js";
import { runOn } from "../run-on.js";

// What a person is told of a todo: `milepost todo why`, and the marks of verdicts in the other views.

const folder = realpathSync(mkdtempSync(join(tmpdir(), "milepost-why-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let machines = 0;
let home = "";
beforeEach(() => {
  home = join(folder, `${++machines}`);
  mkdirSync(home);
});

const run = (line: string) => runOn(home, line.split(" "));
const MINUTE = 60_000;

/** `facts`: of a call that ended so many minutes ago. */
type Call = readonly [ago: number, facts: object, status?: string];

const EDIT = { kind: "edit", files: ["src/cookie.ts"], added: 12, removed: 3 };
const GREEN = { kind: "execute", check: "tests", result: "passed" };
const RED = { kind: "execute", check: "tests", result: "failed" };

async function write(own: readonly (readonly [ago: number, type: string, data: object])[], calls: readonly Call[]) {
  const { store, close } = await openMilepost({ environment: { MILEPOST_HOME: join(home, "milepost") } });
  const now = Date.now();
  const events = own.map(
    ([ago, type, data]): NewEvent => ({ type, data: { revision: 1, ...data }, at: now - ago * MINUTE }),
  );
  const ended = calls.map(([ago, facts, status = "completed"]): NewEvent => {
    const data = { tool: "Bash", status, facts, subject: "npm test", milliseconds: 1000 };
    return { type: "call.ended", data, at: now - ago * MINUTE };
  });
  const done = await store.commit(
    append([
      { stream: "session:s1", events },
      { stream: "calls:s1", events: ended },
    ]),
  );
  await close();
  expect(done.ok).toBe(true);
}

/** Two todos: the first was worked on from an hour ago until half an hour ago. */
const LIST = [
  [60, "turn.started", { isStop: false }],
  [60, "phase.opened", { name: "" }],
  [60, "todo.added", { number: 1, phase: 0, text: "Fix the cookie", status: "in_progress" }],
  [60, "todo.added", { number: 2, phase: 0, text: "Write it down", status: "pending" }],
  [30, "todo.moved", { number: 1, from: "in_progress", to: "completed" }],
  [30, "todo.moved", { number: 2, from: "pending", to: "in_progress" }],
] as const;

const rows = async (line: string) =>
  (await run(line)).out
    .trimEnd()
    .split("\n")
    .slice(1)
    .map((row) => row.trim());

describe("milepost todo why", () => {
  test.each<[string, readonly Call[], readonly (string | RegExp)[]]>([
    [
      "verified",
      [
        [50, EDIT],
        [40, GREEN],
      ],
      [
        "1 [x] Fix the cookie  ✓ verified",
        /^A check passed for it: tests \(npm test\) passed 40m ago \(.*\)\.$/,
        /^2 calls ran, 0 failed in 10m, the last one 40m ago \(.*\)\.$/,
        /^Changed: src\/cookie\.ts \(\+12 -3\), last 50m ago \(.*\)\.$/,
        /^Its last check: tests \(npm test\) passed 40m ago/,
        "It stays so until a check of the same files fails.",
      ],
    ],
    [
      "contradicted",
      [
        [50, EDIT],
        [20, RED, "failed"],
      ],
      [
        "1 [x] Fix the cookie  ✗ contradicted",
        /^It is called completed, but a check failed: tests \(npm test\) failed 20m ago/,
        /^1 call ran, 0 failed/,
        /^Changed: /,
        "No check ran while it was in progress.",
        /^A check that passes from now on verifies it\. Your own word: milepost todo done 1 --session s1 --evidence "/,
      ],
    ],
    [
      "worked",
      [[50, { kind: "read" }]],
      [
        "1 [x] Fix the cookie  ~ worked",
        "Calls ran while it was in progress, and no check tells how good the result is.",
        /^1 call ran/,
        "No file was changed.",
        "No check ran while it was in progress.",
        /^A check that passes after its last edit verifies it; one that fails contradicts it\./,
      ],
    ],
    [
      "unbacked",
      [],
      [
        "1 [x] Fix the cookie  ? unbacked",
        "It is called completed, and nothing ran while it was in progress.",
        "No call ran while it was in progress.",
        /^Work that runs while it is in progress backs it\./,
      ],
    ],
  ])("%s", async (_, calls, then) => {
    await write(LIST, calls);
    const told = await rows("todo why 1 --session s1");
    expect(told).toHaveLength(then.length);
    for (const [at, row] of then.entries()) expect(told[at]).toMatch(row);
  });

  test("an open todo has no verdict, and its facts so far", async () => {
    await write(LIST, [[20, EDIT]]);
    expect(await rows("todo why 2 --session s1")).toEqual([
      "2 [>] Write it down",
      "It is not completed: no verdict yet. So far:",
      expect.stringMatching(/^1 call ran/),
      expect.stringMatching(/^Changed: src\/cookie\.ts/),
      "No check ran while it was in progress.",
    ]);
  });

  test("--json says the same, with ISO times", async () => {
    await write(LIST, [
      [50, EDIT],
      [40, GREEN],
    ]);
    const { todo, because, said, session } = JSON.parse((await run("todo why 1 --session s1 --json")).out);
    expect(session).toBe("s1");
    expect(todo).toMatchObject({
      ...{ number: 1, verdict: "verified" },
      facts: { calls: 2, failures: 0, files: ["src/cookie.ts"], moreFiles: 0, added: 12, removed: 3 },
    });
    expect(because).toMatchObject({ by: "own-check", check: { kind: "tests", result: "passed", command: "npm test" } });
    expect(Date.parse(because.check.at)).toBeGreaterThan(0);
    expect(said).toHaveLength(5);
  });

  test("a number that is not there", async () => {
    await write(LIST, []);
    const { exit, err } = await run("todo why 9 --session s1");
    expect([exit, err]).toEqual([1, expect.stringContaining("[no-todo]")]);
  });

  test("a list that was finished and cleared", async () => {
    const cleared = [20, "list.cleared", { revision: 3 }] as const;
    const closed = [25, "todo.moved", { number: 2, from: "in_progress", to: "completed", revision: 2 }] as const;
    await write([...LIST, closed, cleared], [[50, EDIT]]);
    expect((await rows("todo why 1 --session s1"))[0]).toBe("1 [x] Fix the cookie  ~ worked");
  });

  test("a task that the client keeps, by its id", async () => {
    const task = (ago: number, status: string) =>
      [ago, "client-task.updated", { id: "7", subject: "Fix it", status }] as const;
    await write(
      [[60, "turn.started", { isStop: false }], task(55, "in_progress"), task(30, "completed")],
      [[50, EDIT]],
    );
    expect((await rows("todo why 7 --session s1"))[0]).toBe("7 [x] Fix it  ~ worked");
    const { sessions } = JSON.parse((await run("sessions s1 --json")).out);
    expect(sessions[0].tasks[0]).toMatchObject({ id: "7", verdict: "worked", facts: { calls: 1 } });
  });

  test("where nobody reports what runs, nothing is held against a list", async () => {
    const [, ...byHand] = LIST;
    await write(byHand, []);
    expect(await rows("todo why 1 --session s1")).toEqual([
      "1 [x] Fix the cookie",
      "Nobody has told what ran in this session.",
    ]);
    expect(await rows("todo --session s1")).toEqual(["1 [x] Fix the cookie", "2 [>] Write it down"]);
  });
});

describe("a person's word", () => {
  test("verifies a todo, also one that is completed", async () => {
    await write(LIST, []);
    const done = await runOn(home, ["todo", "done", "1", "--session", "s1", "--as", "ann", "--evidence", "I tried it"]);
    expect(done.out).toContain("1 [x] Fix the cookie  ✓ verified");
    expect((await rows("todo why 1 --session s1"))[1]).toBe("ann has said what shows that it is done: I tried it");
    const { list } = JSON.parse((await run("todo list --json --session s1")).out);
    expect(list.phases[0].todos[0]).toMatchObject({
      verdict: "verified",
      evidence: [{ text: "I tried it", by: "ann" }],
    });
  });
});

describe("other views", () => {
  test("todo, its tree, a session's page, the table and the digest", async () => {
    await write(LIST, [[20, RED, "failed"]]);
    expect(await rows("todo list --session s1")).toEqual(["1 [x] Fix the cookie  ? unbacked", "2 [>] Write it down"]);
    expect((await run("todo list --session s1 --view tree")).out).toMatch(/Fix the cookie {2}\? unbacked/);
    expect((await run("todo list --session s1 --view markdown")).out).not.toContain("unbacked");
    expect((await run("sessions s1")).out).toContain("[x] Fix the cookie  ? unbacked");
    expect((await run("sessions")).out).toMatch(/▸ Write it down {2}\? 1 unbacked/);
    expect((await run("digest --session s1")).out.split("\n")[1]).toBe(
      "#1 is called completed, but nothing ran for it.",
    );
  });

  test("the digest tells of a failed check", async () => {
    await write(LIST, [
      [50, EDIT],
      [20, RED, "failed"],
    ]);
    expect((await run("digest --session s1")).out.split("\n")[1]).toBe(
      "#1 is called completed, but the last check failed.",
    );
  });
});
