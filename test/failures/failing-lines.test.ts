import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openMilepost } from "../../src/app/milepost.js";
import { clean } from "../hook-process.js";
import { type Ran, runWarm } from "../warm-command.js";

// What a careless or hostile person types, through the built command line: one line, a code in brackets, no stack.

const folder = realpathSync(mkdtempSync(join(tmpdir(), "milepost-lines-")));
const at = (name: string) => join(folder, name);

mkdirSync(at("folder"));
mkdirSync(at("head.db-head"));
mkdirSync(at("wal.db-wal"));
mkdirSync(at("home-config"));
mkdirSync(at("home-config/config.json"));
writeFileSync(at("plain.txt"), "a note of somebody");
writeFileSync(at("zeros.db"), Buffer.alloc(8192));
writeFileSync(at("lines.jsonl"), '{"milepost":"export","format":1}\n{"stream":"x"}\n');
writeFileSync(at("cut.jsonl"), '{"milepost":"export","format":1}\n');
writeFileSync(at("late.jsonl"), lateLease());
writeFileSync(at("never.jsonl"), lateLease(9e15));
symlinkSync(at("circle-b"), at("circle-a"));
symlinkSync(at("circle-a"), at("circle-b"));
symlinkSync("self", at("self"));
symlinkSync(at("nowhere/deep/store.db"), at("dangling"));
symlinkSync(at("folder"), at("to-folder"));
spawnSync("mkfifo", [at("fifo")]);

/** An export in which a task is held, and another one waits, until long after the last day of any calendar. */
function lateLease(time = 1): string {
  const until = Number.MAX_SAFE_INTEGER;
  const event = (stream: string, version: number, type: string, data: object) =>
    JSON.stringify({ stream, version, type, at: time, data });
  const added = (subject: string) => ({ subject, description: "", labels: [], priority: "medium" });
  const lines = [
    event("list:late", 1, "list.created", {}),
    event("task:late/1", 1, "task.added", { number: 1, uuid: crypto.randomUUID(), ...added("held") }),
    event("task:late/1", 2, "task.claimed", { owner: "somebody", fence: 1, ttl: until, until }),
    event("task:late/2", 1, "task.added", { number: 2, uuid: crypto.randomUUID(), ...added("waits") }),
    event("task:late/2", 2, "wait.begun", { wait: { kind: "timer", at: until, timeout: until } }),
  ];
  const ends = [
    JSON.stringify({ milepost: "export", format: 1 }),
    JSON.stringify({ milepost: "end", events: lines.length }),
  ];
  return `${[ends[0], ...lines, ends[1]].join("\n")}\n`;
}

const home = at("home");
const environment = (more: NodeJS.ProcessEnv = {}) => clean({ HOME: folder, MILEPOST_HOME: home, ...more });

function run(args: readonly string[], input = "", more: NodeJS.ProcessEnv = {}): Ran {
  return runWarm(args, { input, folder, environment: environment(more) });
}

const STACK = /^\s+at .+:\d+|node:internal|\.[cm]?[jt]s:\d+:\d+|\[object Object\]/m;

/** The rule of this file. */
function holds({ exit, out, err }: Ran): void {
  expect(`${out}${err}`).not.toMatch(STACK);
  expect(`${out}${err}`).not.toContain("internal-error");
  expect([0, 1, 2, 3]).toContain(exit);
  const lines = err.split("\n").filter((line) => line.startsWith("milepost: "));
  expect(lines).toEqual(exit === 0 ? [] : [expect.stringMatching(/\S \[[a-z][a-z-]+\]$/)]);
  expect(err.endsWith("\n") || err === "").toBe(true);
}

const codeOf = ({ err }: Ran) => /\[([a-z-]+)\]\n$/.exec(err)?.[1] ?? "";

/** Depends on the machine. */
const ANY = "";

/** What is no store, and why. */
const STORES: readonly (readonly [store: string, code: string])[] = [
  [at("circle-a"), "bad-store"],
  [at("self"), "bad-store"],
  [join(at("circle-a"), "store.db"), "bad-store"],
  [at("folder"), "not-a-store"],
  [at("to-folder"), "not-a-store"],
  [at("fifo"), "not-a-store"],
  ["/dev/null", "not-a-store"],
  [join(at("plain.txt"), "store.db"), "bad-store"],
  [join(at("plain.txt"), "deep", "store.db"), "bad-store"],
  [at("x".repeat(240)), "no-store"],
  [at("x".repeat(300)), "bad-store"],
  [`/${"deep/".repeat(1200)}store.db`, "bad-store"],
  [at("ü".repeat(200)), "bad-store"],
  ["/proc/self/mem", ANY],
  ["/proc/no/such/store.db", "no-store"],
  ["/sys/store.db", "no-store"],
  [at("plain.txt"), "store-damaged"],
  [at("zeros.db"), "store-damaged"],
  [at("none.db"), "no-store"],
  [at("dangling"), "no-store"],
  ["", ANY],
  [" ", "bad-store"],
  ["a\0b", "bad-store"],
  ["sqlite:", "bad-store"],
  ["sqlite://host/x", "bad-store"],
  ["mysql://u:p@h/x", "bad-store"],
  ["postgres://[::1", "bad-store"],
  ["postgres://u@127.0.0.1:1/x", "store-unreachable"],
  ["postgres://u@127.0.0.1:99999/x", "bad-store"],
  ["memory", "bad-store"],
  ["~/x.db", "bad-store"],
  ["-x", "bad-store"],
];

describe("a store that is none", () => {
  const named = STORES.map(([store, code]) => [store.replace(folder, "").slice(0, 40), store, code] as const);

  test.each(named)("%j", (_, store, code) => {
    const ran = run(["events", `--store=${store}`]);
    holds(ran);
    if (code !== ANY) expect(codeOf(ran)).toBe(code);
    for (const args of [["doctor"], ["export"], ["call"], ["todo"], ["task"], ["todo", "add", "x"]])
      holds(run([...args, `--store=${store}`], '{"tool":"todo","input":{}}'));
  });

  test.each([at("head.db"), at("wal.db")])("a folder in the place of a file beside it: %s", (store) => {
    for (const args of [["todo", "add", "x"], ["events"], ["doctor"]]) holds(run([...args, `--store=${store}`]));
  });
});

/** Times and spans that no calendar has, in every place that takes one. */
const TIMES = [
  "9e15",
  "1e999",
  "NaN",
  "-1",
  "-9e15",
  "999999999d",
  "9007199254740993ms",
  "0",
  "",
  "Infinity",
  "0x10",
  "5 d",
];

test.each([5, {}, ["a"]])("the library, with something that is no address: %j", async (store) => {
  await expect(openMilepost({ store: store as never, environment: {} })).rejects.toMatchObject({ code: "bad-store" });
});

describe("times beyond all calendars", () => {
  test.each(TIMES)("%j", (time) => {
    const session = ["--as", "somebody", "--list", "times"];
    holds(run(["task", "add", "a", "--list", "times"]));
    for (const args of [
      ["claim", `--ttl=${time}`],
      ["renew", "1", `--ttl=${time}`],
      ["claim", "1", `--wait=${time.endsWith("d") || time.endsWith("ms") ? "0" : time}`],
      ["wait", "1", `--for=${time}`],
      ["wait", "1", `--until=${time}`],
      ["wait", "1", "--topic=x", `--timeout=${time}`],
    ])
      holds(run(["task", ...args, ...session]));
    holds(run(["task", "list", "--list", "times", "--json"]));
    holds(run(["config", "lease.shortest", time]));
    holds(run(["config", "list.clear", time]));
    holds(run(["task", "claim", ...session], "", { MILEPOST_LEASE_SHORTEST: time }));
  });

  test.each(["+275760-09-13T00:00:00Z", "+275760-09-13T00:00:01Z", "-000001-01-01T00:00:00Z", "9999-12-31"])(
    "until %s",
    (until) => {
      holds(run(["task", "add", "b", "--list", "dates"]));
      holds(run(["task", "wait", "1", `--until=${until}`, "--list", "dates"]));
      for (const verb of ["claim", "show", "history"]) holds(run(["task", verb, "1", "--list", "dates"]));
      holds(run(["task", "wake", "1", "--list", "dates"]));
    },
  );

  test("a lease and a wait from a file that end after the last day", () => {
    const store = `--store=${at("late.db")}`;
    holds(run(["import", at("late.jsonl"), store]));
    const held = run(["task", "claim", "1", "--list", "late", store]);
    holds(held);
    expect([held.exit, codeOf(held)]).toEqual([1, "task-held"]);
    const waits = run(["task", "claim", "2", "--list", "late", store]);
    holds(waits);
    expect([waits.exit, codeOf(waits)]).toEqual([1, "task-waiting"]);
    for (const verb of ["list", "show 1", "show 2", "history 1", "changes", "graph", "export"])
      holds(run(["task", ...verb.split(" "), "--list", "late", store]));
    const call = (tool: string, input: object) => JSON.stringify({ dialect: "nexo", tool, input });
    holds(run(["call", "--list", "late", store], call("taskflow", { action: "list" })));
  });

  test("a file whose events happen after the last day is refused", () => {
    const ran = run(["import", at("never.jsonl"), `--store=${at("never.db")}`]);
    holds(ran);
    expect([ran.exit, codeOf(ran)]).toEqual([1, "bad-record"]);
  });
});

/** Words that some command might trip over. */
const WORDS: readonly (readonly string[])[] = [
  ["import", at("none")],
  ["import", at("folder")],
  ["import", at("lines.jsonl")],
  ["import", at("cut.jsonl")],
  ["import", at("plain.txt")],
  ["import", at("circle-a")],
  ["export", at("folder")],
  ["export", join(at("plain.txt"), "x")],
  ["export", at("nowhere/x")],
  ["export", at("circle-a")],
  ["export", at("x".repeat(300))],
  ["export", "/dev/full"],
  ["backup", at("folder")],
  ["backup", join(at("plain.txt"), "x")],
  ["backup", at("nowhere/x")],
  ["backup", at("circle-a")],
  ["backup", at("x".repeat(300))],
  ["backup", "/proc/x"],
  ["backup", ""],
  ["forget", "no-such-session", "--yes"],
  ["forget", "x".repeat(10_000), "--yes"],
  ["events", "--after", "9".repeat(400)],
  ["events", "--after", "-1"],
  ["events", "--stream", "\0"],
  ["events", "--limit", "1e999"],
  ["restore", at("fifo")],
  ["restore", at("circle-a")],
  ["restore", at("folder")],
  ["restore", at("zeros.db")],
  ["restore", at("none")],
  ["restore", at("x".repeat(300))],
  ["sessions", "--limit", "NaN"],
  ["digest", "--session", "\u0000"],
  ["digest", "--tokens", "1e999"],
  ["digest", "--format", "__proto__"],
  ["guidance", "--dialect", "constructor"],
  ["call", "--dialect", "__proto__"],
  ["config", "__proto__", "1"],
  ["config", "toString"],
  ["config", "reminders", "\u0000"],
  ["tell", "no-such-session", "x"],
  ["todo", "done", "1e999"],
  ["todo", "done", "-1"],
  ["todo", "order", "1", "9".repeat(400)],
  ["todo", "rename", "__proto__", "x"],
  ["todo", "undo", "--steps", "1e999"],
  ["todo", "import", at("fifo")],
  ["todo", "export", at("folder")],
  ["todo", "--slash", "\u0000"],
  ["task", "show", "1e999"],
  ["task", "show", "__proto__"],
  ["task", "add", "x", "--priority", "constructor"],
  ["task", "add", "x", "--parent", "9".repeat(30)],
  ["task", "add", "x", "--metadata", "[]"],
  ["task", "add", "x".repeat(200_000)],
  ["task", "block", "1", "1"],
  ["task", "path", "__proto__"],
  ["task", "list", "--limit", "1e999"],
  ["task", "list", "--list", "../x"],
  ["task", "list", "--list", "\u0000"],
  ["task", "import", at("fifo")],
  ["task", "import", at("zeros.db")],
  ["task", "import", at("circle-a")],
  ["task", "export", at("folder"), "--format", "constructor"],
  ["task", "export", at("nowhere/deep/x.json")],
  ["task", "changes", "--after", "x"],
  ["task", "signal", "\u0000"],
  ["setup", "no-such-agent"],
  ["unsetup", "__proto__"],
  ["demo", "--speed", "NaN"],
  ["--store"],
  ["todo", "--store"],
  ["constructor"],
  ["help", "__proto__"],
  ["todo", "__proto__"],
  ["\u001b[2J\nmilepost: forged [ok]"],
];

describe("words that trip a command", () => {
  test.each(WORDS)("%j %j %j", (...words) => {
    holds(run(words.filter((word) => word !== undefined)));
  });

  test("what is forced over something that is no file leaves it where it is", () => {
    for (const name of ["fifo", "to-folder", "folder", "self"]) {
      const ran = run(["task", "export", at(name), "--format", "json", "--force"]);
      holds(ran);
      expect([name, ran.exit]).not.toEqual([name, 0]);
      expect(readdirSync(folder).filter((one) => one.includes(".before-"))).toEqual([]);
    }
  });

  test("a folder in which Git's files, or ours, are pipes and circles", () => {
    const odd = at("odd");
    for (const path of ["a/.git", "b", "home"]) mkdirSync(join(odd, path), { recursive: true });
    symlinkSync(".git", join(odd, "b", ".git"));
    for (const name of ["a/.git/HEAD", "a/.git/commondir", "home/setup.json", "home/milepost.log", "home/config.json"])
      spawnSync("mkfifo", [join(odd, name)]);
    const MILEPOST_HOME = join(odd, "home");
    for (const place of ["a", "b"])
      for (const words of ["task list", "task add x", "sessions", "config", "doctor", "unsetup --yes", "todo"])
        holds(runWarm(words.split(" "), { folder: join(odd, place), environment: environment({ MILEPOST_HOME }) }));
  });

  test("input that is none", () => {
    for (const input of [
      "\0",
      "[",
      "{}",
      '{"tool":1}',
      '{"tool":"todo","input":[[]]}',
      '{"tool":"__proto__","input":{}}',
      "\ud800",
    ])
      for (const args of [["call"], ["call", "--dialect", "claude"], ["todo", "import", "-"], ["import", "-"]])
        holds(run(args, input));
  });

  test("a home that is none", () => {
    for (const MILEPOST_HOME of [
      at("circle-a"),
      at("plain.txt"),
      at("fifo"),
      "/dev/null",
      "/proc/x",
      at("home-config"),
    ])
      for (const args of [
        ["todo", "add", "x"],
        ["events"],
        ["doctor"],
        ["config"],
        ["config", "list.clear", "5"],
        ["sessions"],
      ])
        holds(run(args, "", { MILEPOST_HOME }));
  });
});
