import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openMilepost } from "../src/app/milepost.js";
import { onBoard } from "../src/app/tasks/task-board.js";
import { ok } from "../src/core/result.js";
import { OUR_POLICY } from "../src/core/task/policy.js";
import { freshDatabase } from "./databases.js";
import { type Around, runOn } from "./run-on.js";

// Tasks as a person and a script use them: one command line after the other, on one store.

const folder = realpathSync(mkdtempSync(join(tmpdir(), "milepost-task-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

afterEach(() => void vi.useRealTimers());

let home = "";
let made = 0;
beforeEach(() => {
  home = join(folder, `home-${++made}`);
  mkdirSync(home);
});

const run = (words: readonly string[], around: Around = {}) =>
  runOn(home, ["task", ...words], { folder: home, ...around });

/** The words of a line; quotes keep blanks. */
function wordsOf(line: string): readonly string[] {
  return (line.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replace(/^'|'$/g, ""));
}

async function text(line: string, around: Around = {}): Promise<string> {
  const { exit, out, err } = await run(wordsOf(line), around);
  expect([exit, err]).toEqual([0, ""]);
  return out;
}

async function json(line: string, around: Around = {}) {
  return JSON.parse(await text(`${line} --json`, around));
}

async function add(...lines: readonly string[]): Promise<void> {
  for (const line of lines) await text(`add ${line}`);
}

describe("a person whose clock is wrong is told the store's time", () => {
  const places = {
    // Where the machine does not tell its own clock the process is believed; then both are wrong, and agree.
    "on a file": async () => ({}),
    "on a server": async () => ({ MILEPOST_STORE: await freshDatabase("task_clock") }),
  };

  test.each(Object.entries(places))("%s", async (_, made) => {
    const around = { environment: await made() };
    const real = Date.now();
    vi.useFakeTimers({ toFake: ["Date"], now: real + 3 * 60 * 60_000 });
    await text("add a", around);
    expect(await text("claim --as ann", around)).toContain("claimed for 30m, fence 1.");
    expect(await text("renew 1 --as ann --fence 1 --ttl 1h", around)).toContain("lease renewed, 1h left.");
    expect(await text("fail 1 --as ann --fence 1 --reason x", around)).toContain("Retry in 30s.");
    const { task, now } = await json("note 1 b", around);
    vi.useRealTimers();
    expect(Date.parse(task.retryAt) - Date.parse(now)).toBeGreaterThan(0);
  });
});

describe("the life of a task", () => {
  test("added, claimed, renewed, noted, done", async () => {
    expect(await text("add Fix the login --priority p1 --label web --label bug --max-attempts 5")).toBe(
      "#1 Fix the login\n",
    );
    expect(await text("add 'Write the docs' --after 1 --description Long")).toBe("#2 Write the docs\n");
    expect((await json("claim --as ann --ttl 1h")).task).toMatchObject({
      id: "1",
      uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      subject: "Fix the login",
      status: "in_progress",
      standing: "in_progress",
      priority: "high",
      labels: ["web", "bug"],
      maxAttempts: 5,
      attempts: 1,
      lease: { owner: "ann", fence: 1, session: null, progress: null },
    });
    expect(await text("claim --as bob")).toBe("No task is ready. Open tasks: milepost task list\n");
    expect(await text("renew 1 --as ann --fence 1 --progress half")).toBe("#1: lease renewed, 1h left.\n");
    expect(await text("note #1 'the cookie is' wrong --as bob")).toBe("#1 Fix the login: noted.\n");
    expect(await text("done 1 --as ann --fence 1 --evidence '212 passed'")).toBe("#1 Fix the login: done.\n");
    expect((await json("show 1")).task).toMatchObject({
      status: "completed",
      closedBy: "ann",
      lease: null,
      notes: [{ text: "the cookie is wrong", by: "bob" }],
      evidence: [{ text: "212 passed", by: "ann" }],
    });
    expect((await json("ready")).tasks.map(({ id }: { id: string }) => id)).toEqual(["2"]);
    expect(await text("reopen 1")).toBe("#1 Fix the login: reopened.\n");
    expect((await json("show 2")).task).toMatchObject({ standing: "blocked", blocked: ["1"] });
  });

  test("what is printed can be run as it stands", async () => {
    await add("'It is done' --list 'other' --description more");
    const store = join(home, "own store.db");
    expect(await text("claim --list other --as o'neil --ttl 30m")).toBe(
      "#1 It is done\nThe next ready task, claimed for 30m, fence 1. milepost task show 1 --list other shows the description. To put it back: milepost task release 1 --fence 1 --list other --as 'o'\\''neil'\nTo complete it: milepost task done 1 --fence 1 --list other --as 'o'\\''neil'\n",
    );
    await run(["cancel", "1", "--list", "other", "--as", "bob"]);
    expect(await text("renew 1 --list other --as o'neil --ttl 1h")).toContain(
      "\nTo stop: milepost task release 1 --fence 1 --list other --as 'o'\\''neil'\n",
    );
    await text(`add a --store '${store}'`);
    expect(await text(`claim --store '${store}' --session s1 --ttl 5s`)).toBe(
      `#1 a\nThe next ready task, claimed for 5s, fence 1. To put it back: milepost task release 1 --fence 1 --session s1 --store '${store}'\nTo complete it: milepost task done 1 --fence 1 --session s1 --store '${store}'\n`,
    );
    expect(await text(`ready --list other --store '${store}'`)).toBe(
      `No task is ready. Open tasks: milepost task list --list other --store '${store}'\n`,
    );
  });

  test("an open task need not be opened again", async () => {
    await add("a");
    expect(await text("reopen 1")).toBe("#1 is already open.\n");
    await text("claim 1 --as ann");
    expect(await text("reopen 1")).toBe("#1 is already open; ann holds it.\n");
    expect(await json("reopen 1")).toMatchObject({ task: { id: "1" }, reopened: false });
    expect((await json("history 1")).events).toHaveLength(2);
  });

  test("a todo that stands for it is offered with the command that finishes it, and only it", async () => {
    const todos = async (...words: string[]) => runOn(home, ["todo", ...words, "--session", "s1"], { folder: home });
    const call = { tool: "todo", session: "s1", input: { add: ["Write the docs", "Ship", "ship it"] } };
    await runOn(home, ["call"], { folder: home, input: JSON.stringify(call) });
    await text("promote 2 --session s1 --list team");
    expect(await text("show 1 --list team")).toContain("linked to todo 2 of s1\n");
    expect(await text("done 1 --list team --as s1")).toBe(
      "#1 Ship: done.\nLinked todo 2 of s1: Ship. To complete it too: milepost todo done 2 --session s1 --as s1\n",
    );
    expect((await todos("done", "Ship")).out).toContain("Done: 2 Ship\n");
    expect((await todos("drop", "#3")).out).toContain("Dropped: 3 ship it\n");
    expect((await todos("note", "1", "soon")).out).toContain("Noted on 1 Write the docs: soon\n");
    expect((await todos("done", "9")).exit).toBe(1);
    await text("promote 1 --session s1 --list team");
    expect((await todos("done", "1")).out).toContain("To complete it too: milepost task done 2 --list team\n");
  });

  test("failed, tried again, failed for good", async () => {
    await add("a --max-attempts 2", "b");
    await text("claim 1 --as ann");
    expect(await text("fail 1 --as ann --reason oops")).toBe("#1 a: attempt 1 of 2 failed. Retry in 30s.\n");
    expect((await json("show 1")).task).toMatchObject({
      status: "pending",
      standing: "retrying",
      failures: 1,
      reason: "oops",
    });
    await text("claim 2 --as ann");
    expect(await text("fail 2 --as ann --reason oops --final")).toBe("#2 b: failed for good.\n");
  });

  test("released, cancelled by its holder's consent, or by force", async () => {
    await add("a", "b");
    await text("claim 1 --as ann");
    expect(await text("release 1 --as ann")).toBe("#1 a: released.\n");
    await text("claim 1 --as ann");
    expect(await text("cancel 1 --as bob --reason stop")).toBe(
      "#1 a: ann was asked to stop. To cancel at once: milepost task cancel 1 --force --as bob\n",
    );
    expect(await json("renew 1 --as ann --fence 2")).toMatchObject({
      task: { id: "1", status: "in_progress" },
      cancel: { by: "bob", reason: "stop" },
    });
    expect(await text("renew 1 --as ann --fence 2")).toContain("bob requested a cancel: stop\n");
    expect(await text("release 1 --as ann --fence 2")).toBe("#1 a: released and cancelled.\n");
    await text("claim 2 --as ann");
    expect((await json("renew 2 --as ann")).cancel).toBeNull();
    expect(await text("cancel 2 --as bob --force")).toBe("#2 b: cancelled.\n");
    expect(await run(["done", "2", "--as", "ann", "--fence", "1"])).toMatchObject({ exit: 1 });
  });

  test("edited: what is said, and nothing else; an empty text takes away", async () => {
    await add('a --assignee ann --active-form doing --metadata {"x":1,"y":2}', "p");
    const line =
      'edit 1 --subject \'a b\' --priority 0 --label l --parent 2 --metadata {"y":null,"z":3} --max-attempts 9';
    expect((await json(line)).task).toMatchObject({
      subject: "a b",
      priority: "critical",
      labels: ["l"],
      parent: "2",
      assignee: "ann",
      metadata: { x: 1, z: 3 },
      maxAttempts: 9,
    });
    expect((await json("edit 1 --parent '' --assignee '' --active-form '' --label ''")).task).toMatchObject({
      parent: null,
      assignee: null,
      activeForm: null,
      labels: [],
      subject: "a b",
    });
  });

  test("removed, with its edges; its number is not given again", async () => {
    await add("a", "b --after 1");
    expect(await run(["rm", "1"])).toMatchObject({ exit: 1, err: expect.stringContaining("[needs-yes]") });
    expect(await json("rm 1 --yes")).toMatchObject({ id: "1", removed: true });
    expect((await json("show 2")).task).toMatchObject({ blockedBy: [], ready: true });
    expect(await text("add c")).toBe("#3 c\n");
    expect(await text("history 1")).toContain("removed\n");
    await text("claim 2 --as ann");
    expect(await run(["rm", "2", "--yes", "--as", "bob"])).toMatchObject({
      exit: 1,
      err: expect.stringContaining("[task-held]"),
    });
    expect(await text("rm 2 --yes --force --as bob")).toBe("#2: removed.\n");
  });

  test("waits for a time, a signal, a person", async () => {
    await add("a", "b", "c", "d");
    expect(await text("wait 1 --for 1ms")).toContain("#1 a: wait");
    await sleep(5);
    expect((await json("claim 1")).task).toMatchObject({ id: "1" });
    expect((await json("wait 2 --topic deploy --correlation b1 --timeout 1d")).task).toMatchObject({
      standing: "waiting",
      waiting: { kind: "event", topic: "deploy", correlation: "b1", timeout: expect.stringMatching(/Z$/) },
    });
    await text("wait 3 --manual");
    expect((await json("wait 4 --until 2099-01-31T09:00:00Z")).task.waiting).toEqual({
      kind: "timer",
      at: "2099-01-31T09:00:00.000Z",
      timeout: null,
    });
    expect((await json("list --waiting")).tasks).toHaveLength(3);
    expect(await text("signal deploy --correlation other")).toBe("No task waits for this signal.\n");
    expect((await json('signal deploy --correlation b1 --payload {"url":1}')).tasks).toMatchObject([
      { id: "2", ready: true, payload: { url: 1 } },
    ]);
    expect(await text("wake 3")).toBe("#3 c: awake.\n");
    expect(await run(["wake", "3"])).toMatchObject({ exit: 1, err: expect.stringContaining("[not-waiting]") });
  });
});

describe("whoever comes too late is told so", () => {
  test("a stale fence is refused by name, and changes nothing", async () => {
    await add("a");
    const environment = { MILEPOST_LEASE_SHORTEST: "1" };
    await text("claim 1 --as ann --ttl 1ms", { environment });
    await sleep(5);
    expect((await json("list --stale")).tasks).toMatchObject([{ id: "1", stale: true, standing: "stale" }]);
    expect((await json("claim --as bob")).task.lease).toMatchObject({ owner: "bob", fence: 2 });
    for (const verb of ["renew", "release", "done", "cancel", "edit --subject x", "wait --manual", "fail --reason x"]) {
      const [name = "", ...flags] = verb.split(" ");
      const late = await run([name, "1", "--as", "ann", "--fence", "1", ...flags]);
      expect([verb, late.exit, late.out]).toEqual([verb, 1, ""]);
      expect(late.err).toMatch(/^milepost: Fence 1 of ann is stale for task #1: bob holds it now .*\[stale-fence\]\n$/);
    }
    expect((await json("show 1")).task).toMatchObject({ subject: "a", lease: { owner: "bob" } });
  });

  test("after claim, release and claim the newest fence is used for a person, and named to a script", async () => {
    await add("a");
    for (const line of ["claim 1 --as ann", "release 1 --as ann", "claim 1 --as ann"]) await text(line);
    const refusals = [
      ["done 1 --as ann", "fence-needed", "milepost task done 1 --as ann --fence 2"],
      ["done 1 --as ann --fence 1", "stale-fence", "milepost task done 1 --as ann --fence 2"],
      [
        "fail '#1' --as ann --reason 'no net'",
        "fence-needed",
        "milepost task fail '#1' --as ann --reason 'no net' --fence 2",
      ],
      [
        "edit 1 --as ann --fence 1 --label x --label y",
        "stale-fence",
        "milepost task edit 1 --label x --label y --as ann --fence 2",
      ],
    ] as const;
    for (const [line, code, command] of refusals) {
      const { exit, err } = await run(wordsOf(line));
      expect([exit, err]).toEqual([1, expect.stringMatching(`(?:with fence|the newest is) 2\\..*\\[${code}\\]\n$`)]);
      expect(err).toContain(` If that claim is yours: ${command} [`);
    }
    // A person is asked for no number, but says one that is meant as it is.
    expect((await run(["done", "1", "--as", "ann", "--fence", "1"], { isTyped: true })).exit).toBe(1);
    expect((await run(["done", "1", "--as", "bob"], { isTyped: true })).err).toContain("[task-held]");
    expect((await run(["done", "1", "--as", "ann"], { isTyped: true })).out).toContain("#1 a: done.");
  });

  test("a command that names the newest fence can be run", async () => {
    await add("a");
    for (const line of ["claim 1 --as ann", "release 1 --as ann", "claim 1 --as ann"]) await text(line);
    const { err } = await run(wordsOf("fail 1 --as ann --reason 'no net'"));
    const [, command = ""] = /yours: milepost task (.*) \[fence-needed\]/.exec(err) ?? [];
    expect(await text(command)).toContain("attempt 1 of 3 failed");
  });

  test("a lease that is not as long as was asked for is said", async () => {
    await add("a");
    const claimed = await run(wordsOf("claim 1 --ttl 2s --json"));
    expect(claimed.err).toBe("--ttl 2s is too short: a lease lasts 5s to 24h. This one lasts 5s.\n");
    expect(JSON.parse(claimed.out).task.lease.fence).toBe(1);
    expect((await run(wordsOf("renew 1 --ttl 99d"))).err).toContain("--ttl 99d is too long");
    expect((await run(wordsOf("renew 1 --ttl 1m"))).err).toContain("it keeps its 24h.");
  });

  test("every refusal is one line with a code", async () => {
    await add("a", "b --after 1", "c", "d", "e", "f --parent 1");
    await text("claim 3 --as ann");
    await text("done 4");
    await text("wait 5 --manual");
    const refusals = [
      ["show 99", "no-task"],
      ["done 01234567-0000-7000-8000-000000000000", "no-task"],
      ["claim nonsense", "no-task"],
      ["history 99", "no-task"],
      ["graph 99", "no-task"],
      ["list --parent 99", "no-task"],
      ["claim 2", "task-blocked"],
      ["done 2", "task-blocked"],
      ["claim 3 --as bob", "task-held"],
      ["done 3 --as bob", "task-held"],
      ["claim 4", "task-closed"],
      ["cancel 4", "task-closed"],
      ["claim 5", "task-waiting"],
      ["release 1", "task-not-held"],
      ["fail 1 --reason x", "task-not-held"],
      ["block 1 1", "self-edge"],
      ["block 1 99", "no-task"],
      ["block 1 nonsense", "no-task"],
      ["block 1 2", "cyclic-edge"],
      ["add x --after 99", "no-task"],
      ["add x --parent 99", "no-task"],
      ["edit 1 --parent 6", "bad-parent"],
      ["note 1 ''", "empty-text"],
      ["add ''", "empty-text"],
      [`add ${"x".repeat(4001)}`, "text-too-long"],
      ["wake 1", "not-waiting"],
    ] as const;
    const before = await json("list");
    for (const [line, code] of refusals) {
      const ran = await run(wordsOf(line));
      // No list takes an empty text: wrong usage.
      expect([line, ran.exit, ran.out]).toEqual([line, code === "empty-text" ? 2 : 1, ""]);
      expect([line, ran.err]).toEqual([line, expect.stringMatching(new RegExp(`^milepost: [^\\n]*\\[${code}\\]\\n$`))]);
    }
    expect(await json("list")).toEqual(before);
  });

  test("wrong usage ends with 2", async () => {
    await add("a");
    const usages = [
      "frob",
      "add",
      "add x --priority urgent",
      "add x --metadata [1]",
      "add x --metadata {",
      "add x --max-attempts 0",
      "list --status open",
      "list --limit 0",
      "list --ready --after 3",
      "claim 1 --ttl soon",
      "claim 1 --ttl 1fortnight",
      "renew 1 --ttl NaN",
      "done 1 --fence one",
      "fail 1",
      "edit 1",
      "block 1",
      "wait 1",
      "wait 1 --for 1h --manual",
      "wait 1 --until tomorrow-ish",
      "wait 1 --manual --correlation x",
      "wait 1 --for 99999999d",
      "signal x --payload {",
      "graph --format png",
      "changes --after x",
      "add x --key 'a b'",
      "add x --list ../x",
      "list --list ../x",
      "done 1 --as \u0007",
    ];
    for (const line of usages) {
      const ran = await run(wordsOf(line));
      expect([line, ran.exit, ran.out]).toEqual([line, 2, ""]);
      expect(ran.err).toMatch(/^milepost: [^\n]*\[[a-z-]+\]\n$/);
    }
  });

  test.each([
    ["fail 1", "--reason is required: what went wrong. "],
    ["list --limit abc", "--limit: use a whole number. "],
    ["list --limit 1.5", "--limit: use a whole number. "],
    ["list --limit 0", "--limit: use 1 or more. "],
    ["list --status foo", "--status: use pending, in_progress, completed, failed, cancelled; several with commas. "],
    ["signal ''", "TOPIC: it is empty. "],
    ["claim ''", "TASK: it is empty. "],
    ["add x --max-attempts 1001", "--max-attempts: use 1000 or less. "],
  ])("wrong usage is told in a person's words: %s", async (line, said) => {
    expect((await run(wordsOf(line))).err).toMatch(
      new RegExp(`^milepost: ${said.replace(/[.]/g, "\\.")}(?:See|Did you mean:) milepost task `),
    );
  });

  test("help says what is needed", async () => {
    expect(await text("fail --help")).toMatch(/--reason TEXT\s+what went wrong \(required\)/);
    expect((await text("fail --help")).match(/\(required\)/g)).toHaveLength(1);
  });

  test("the same key counts once; with other words it is refused", async () => {
    const first = await json("add 'Nightly build' --key k1");
    expect(await json("add 'Nightly build' --key k1")).toEqual(first);
    expect(await run(["add", "other", "--key", "k1"])).toMatchObject({ exit: 1 });
    const claim = await json("claim --as ann --key k2");
    expect(await json("claim --as ann --key k2")).toEqual(claim);
    expect((await json("list")).tasks).toHaveLength(1);
  });
});

describe("lists", () => {
  test("filters, and pages by number", async () => {
    await add(
      "'Fix Login' --label web",
      "b --after 1 --assignee ann",
      "c --parent 1 --description 'the login page'",
      "d",
    );
    await text("claim 4 --as bob");
    await text("note 4 'see the login'");
    await text("done 3");
    const ids = async (flags: string) =>
      (await json(`list ${flags}`)).tasks.map(({ id }: { id: string }) => Number(id));
    expect(await ids("")).toEqual([1, 2, 4]);
    expect(await ids("--open")).toEqual([1, 2, 4]);
    expect(await ids("--all")).toEqual([1, 2, 3, 4]);
    expect((await run(["list", "--all", "--open"])).exit).toBe(2);
    expect(await ids("--status completed,in_progress")).toEqual([3, 4]);
    expect(await ids("--status completed --status in_progress")).toEqual([3, 4]);
    expect(await ids("--ready")).toEqual([1]);
    expect(await ids("--blocked")).toEqual([2]);
    expect(await ids("--label web")).toEqual([1]);
    expect(await ids("--owner ann")).toEqual([2]);
    expect(await ids("--owner bob")).toEqual([4]);
    expect(await ids("--parent 1")).toEqual([]);
    expect(await ids("--parent 1 --all")).toEqual([3]);
    expect(await ids("--all --search LOGIN")).toEqual([1, 3, 4]);
    expect(await ids("--limit 2")).toEqual([1, 2]);
    expect(await ids("--all --limit 2 --after 2")).toEqual([3, 4]);
    expect(await ids("--all --limit 2 --search login")).toEqual([1, 3]);
  });

  test("ready is by priority, then age", async () => {
    await add("a --priority low", "b", "c --priority critical", "d");
    expect((await json("ready")).tasks.map(({ subject }: { subject: string }) => subject)).toEqual([
      "c",
      "b",
      "d",
      "a",
    ]);
    expect((await json("ready --limit 2")).tasks).toHaveLength(2);
  });

  test("a table; a sentence where there is none", async () => {
    expect(await text("list")).toMatch(/^No tasks in the list \S+ yet\. Add one: milepost task add "First task"\n$/);
    expect(await text("ready")).toBe("No task is ready. Open tasks: milepost task list\n");
    expect(await json("list")).toEqual({ tasks: [] });
    expect(await json("claim")).toEqual({ task: null });
    await add("a", "b --after 1");
    const isTerminal = true;
    expect(await text("list", { columns: 40, isTerminal })).toBe(
      "id  state       left  subject\n 1  ready          -  a\n 2  blocked #1     -  b\n2 tasks: 1 ready, 1 blocked\n",
    );
    expect(await text("list --open", { columns: 20, isTerminal })).toMatch(/\n2 tasks: 1 ready, 1\nblocked\n$/);
    expect(await text("list --label none")).toBe("No task matches. All tasks: milepost task list --all\n");
    expect(await text("")).toBe(await text("list"));
  });

  test("closed tasks are hidden, and a person hears how many", async () => {
    await add("a --label x", "b", "c --label x");
    await text("done 1");
    const shown = (line: string, isTerminal = true) => text(line, { isTerminal });
    expect(await shown("list")).toContain("\n2 tasks: 2 ready. 1 closed: milepost task list --all\n");
    expect(await shown("list --label x")).toContain("1 task: 1 ready. 1 closed: milepost task list --all --label x\n");
    expect(await shown("list --all")).toMatch(/3 tasks: 2 ready, 1 done\n$/);
    expect(await shown("list", false)).toMatch(/2 tasks: 2 ready\n$/);
    await text("done 3");
    expect(await shown("list --label x", false)).toMatch(
      /^No open task matches in the list \S+\. 2 closed: milepost task list --all --label x\n$/,
    );
  });

  test("rows show labels, what is left of a lease, and who was asked to stop; whole ones into a pipe", async () => {
    const subject = "Look ".repeat(40).trim();
    await add(`'${subject}' --label web --label bug`);
    await text("claim 1 --session acc5a7f3-1111-4222-8333-944455556666");
    expect(await text("list")).toMatch(
      new RegExp(`\n 1  in progress   10m  medium    acc5a7   0s  ${subject}  \\(web, bug\\)\n`),
    );
    expect((await text("list", { columns: 80, isTerminal: true })).split("\n").map(({ length }) => length)).toEqual([
      ...[expect.any(Number), 80, expect.any(Number), 0],
    ]);
    await text("cancel 1 --as ann");
    expect(await text("list")).toContain("asked to stop");
  });

  test("many come in pages: all of them, in order, none twice", async () => {
    const many = 1203;
    const { store, close } = await openMilepost({ environment: { MILEPOST_HOME: join(home, "milepost") } });
    await onBoard(store, { list: "many", owner: "ann", session: "", policy: OUR_POLICY }, function* (board) {
      for (let number = 1; number <= many; number += 1)
        yield* board.add({ subject: `n${number}`, labels: number % 2 === 0 ? ["even"] : [] });
      return ok(undefined);
    });
    await close();
    const numbers = Array.from({ length: many }, (_, index) => index + 1);
    const ids = async (flags: string) =>
      (await json(`${flags} --list many`)).tasks.map(({ id }: { id: string }) => Number(id));
    expect(await ids("list")).toEqual(numbers);
    expect(await ids("ready")).toEqual(numbers);
    expect(await ids("list --ready --label even")).toEqual(numbers.filter((number) => number % 2 === 0));
    expect(await ids("list --label even --limit 550")).toEqual(numbers.map((number) => number * 2).slice(0, 550));
    expect(await ids("ready --limit 501")).toHaveLength(501);
    const table = (await text("list --list many", { columns: 60 })).trimEnd().split("\n");
    expect([table.length, table.at(-1)]).toEqual([many + 2, `${many} tasks: ${many} ready`]);
    expect(table.every((row) => row.length <= 60)).toBe(true);
  });

  test("texts of a model cannot reach the terminal", async () => {
    const evil = "x\u001b[31m\u202e\ny";
    await run([
      "add",
      evil,
      "--description",
      evil,
      "--label",
      evil,
      "--assignee",
      "ann",
      "--metadata",
      JSON.stringify({ evil }),
    ]);
    await run(["note", "1", evil]);
    await run(["add", "b", "--after", "1", "--parent", "1"]);
    const lines = [
      "list",
      "show 1",
      "show 2",
      "history 1",
      "changes",
      "path",
      "ready",
      "edit 1 --priority low",
      "block 2 1",
    ];
    for (const line of [
      ...lines,
      "graph",
      "graph --format dot",
      "graph --format mermaid",
      "graph --json",
      "list --json",
    ]) {
      const out = await text(line);
      for (const control of ["\u001b", "\u202e"]) expect(out).not.toContain(control);
    }
  });

  test("all worktrees of a repository share a list; another folder has its own; a name goes before both", async () => {
    const main = join(home, "repo");
    const tree = join(home, "tree");
    const git = join(main, ".git", "worktrees", "tree");
    mkdirSync(git, { recursive: true });
    mkdirSync(join(tree, "src"), { recursive: true });
    writeFileSync(join(git, "commondir"), "../..\n");
    writeFileSync(join(tree, ".git"), `gitdir: ${git}\n`);
    await text("add 'from the main tree'", { folder: main });
    expect((await json("list", { folder: join(tree, "src") })).tasks).toMatchObject([
      { id: "1", subject: "from the main tree" },
    ]);
    expect(await text("add 'from the other'", { folder: tree })).toBe("#2 from the other\n");
    expect((await json("list")).tasks).toEqual([]);
    await text("add named --list shared");
    expect((await json("list", { environment: { MILEPOST_LIST: "shared" } })).tasks).toMatchObject([
      { subject: "named" },
    ]);
    const { lists } = await json("lists");
    expect(lists).toEqual([
      { list: expect.stringMatching(/^repo-/), tasks: 2, open: 2 },
      { list: "shared", tasks: 1, open: 1 },
    ]);
    expect(await text("lists")).toMatch(/^repo-[0-9a-f]{8} {2}2 tasks, 2 open\nshared\s+1 task, 1 open\n$/);
  });
});

describe("how tasks hang together", () => {
  test("show tells edges with their subjects, and how far the parts are", async () => {
    await add("epic", "one --parent 1", "two --parent 1 --after 2", "three --parent 1");
    await text("done 2");
    await text("cancel 4");
    const { task, now } = await json("show 1");
    expect(now).toMatch(/^\d{4}-.*Z$/);
    expect(task).toMatchObject({
      progress: { completed: 1, total: 2 },
      subtasks: [
        { id: "2", subject: "one", status: "completed", standing: "completed" },
        { id: "3", subject: "two", standing: "ready" },
        { id: "4", standing: "cancelled" },
      ],
      parentTask: null,
    });
    expect((await json("show 3")).task).toMatchObject({
      parentTask: { id: "1", subject: "epic" },
      blockers: [{ id: "2", subject: "one" }],
      dependents: [],
      progress: null,
    });
    expect(await text("show 1")).toContain("parts (1 of 2 done):\n  #2  done       one\n");
  });

  test("block and unblock", async () => {
    await add("a", "b", "c");
    expect(await text("block 3 1,2")).toBe("#3 c: blocked by #1, #2.\n");
    expect(await text("unblock 3 1 #2")).toBe("#3 c: no open blockers.\n");
    const { uuid } = (await json("show 1")).task;
    expect((await json(`block 3 ${uuid}`)).task).toMatchObject({ blockedBy: ["1"] });
    expect((await json("add d --before 1,2")).task).toMatchObject({ blocks: ["1", "2"] });
  });

  test("graph in every format, all of it or a part; path", async () => {
    await add("a", "b --after 1", "c --after 2", "d", "e --parent 4");
    await text("done 1");
    expect(await text("graph")).toBe(
      "#1 a (done)\n└▸ #2 b (ready)\n  └▸ #3 c (blocked)\n#4 d (ready)\n└─ #5 e (ready)\n",
    );
    expect(await text("graph 5")).toBe("#4 d (ready)\n└─ #5 e (ready)\n");
    expect(await text("graph --open --format dot")).not.toContain("#1 a");
    expect(await text("graph --format mermaid")).toContain("t1 --> t2");
    const { graph } = await json("graph 1");
    expect(graph.nodes.map(({ id }: { id: string }) => id)).toEqual(["1", "2", "3"]);
    expect(graph.edges).toEqual([
      { type: "blocks", from: "1", to: "2" },
      { type: "blocks", from: "2", to: "3" },
    ]);
    expect(await text("graph 1 --format json")).toBe(await text("graph 1 --json"));
    expect(await text("path")).toBe("  #2 b (ready)\n▸ #3 c (blocked)\n2 tasks in a row\n");
    await text('edit 4 --metadata {"estimate":7}');
    expect(await json("path --weight estimate")).toEqual({
      path: [{ id: "4", subject: "d", status: "pending", standing: "ready" }],
      weight: 7,
    });
  });

  test("with nothing to draw", async () => {
    expect(await text("graph")).toBe('No tasks to draw. Add one: milepost task add "First task"\n');
    expect(await json("graph")).toEqual({ graph: { nodes: [], edges: [] } });
    expect(await json("path")).toEqual({ path: [], weight: 0 });
  });
});

describe("what happened", () => {
  const lines = (out: string) =>
    out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));

  test("changes since a cursor, and only of this list", async () => {
    await text("add a --as ann");
    await text("add other --list other");
    const first = lines(await text("changes --json"));
    expect(first).toEqual([
      {
        cursor: expect.any(String),
        at: expect.any(String),
        by: "ann",
        id: "1",
        type: "task.added",
        text: "added: a",
        subject: "a",
      },
      { cursor: expect.any(String) },
    ]);
    const after = first.at(-1).cursor;
    expect(lines(await text(`changes --after ${after} --json`))).toEqual([{ cursor: after }]);
    await text("note 1 hello --as bob");
    expect(lines(await text(`changes --after ${after} --json`))[0]).toMatchObject({ by: "bob", text: "noted: hello" });
    expect(await text(`changes --after ${after}`)).toMatch(
      /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}#1 {2}bob {2}noted: hello {2}\(a\)\nContinue from here: milepost task changes --after \S+\n$/,
    );
  });

  test("the history of one task, oldest first", async () => {
    await text("add a --as ann");
    await text("claim 1 --as bob");
    await text("done 1 --as bob --evidence works");
    const { id, events, isPruned } = await json("history 1");
    expect([id, isPruned]).toEqual(["1", false]);
    expect(events.map(({ by, text: words }: { by: string; text: string }) => `${by} ${words}`)).toEqual([
      "ann added: a",
      "bob claimed by bob, fence 1",
      "bob done: works",
    ]);
  });

  test("--watch into a pipe: a line for each change of what was asked for, until it is enough", async () => {
    await add("a --label web", "b");
    const enough = new AbortController();
    const seen: string[] = [];
    const watching = run(["list", "--watch", "--json", "--label", "web"], {
      signal: enough.signal,
      written: (line) => {
        seen.push(line);
        enough.abort();
      },
    });
    // What is written before it follows is not told: so it is written until it is.
    while (!enough.signal.aborted) {
      await text("note 2 unseen");
      await text("note 1 seen");
      await sleep(20);
    }
    expect((await watching).exit).toBe(0);
    const told = seen.flatMap((chunk) => lines(chunk));
    expect(told[0]).toMatchObject({ id: "1", type: "task.noted", text: "noted: seen", subject: "a" });
    expect(told.every(({ id }) => id === "1")).toBe(true);
  });

  test("whoever watches wakes what waits for a time", async () => {
    await add("a");
    await text("wait 1 --for 1ms");
    const enough = new AbortController();
    const watched = await run(["list", "--watch", "--json"], { signal: enough.signal, written: () => enough.abort() });
    expect(lines(watched.out)[0]).toMatchObject({ id: "1", type: "wait.ended", by: "milepost" });
  });
});
