import { describe, expect, test } from "vitest";
import { COMMANDS } from "../app/command-table.js";
import type { Host } from "../app/host.js";
import { runCli } from "./run.js";

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

interface Ran {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
  readonly slept: number;
}

async function run(
  line: string,
  options: { stdin?: string; isTyping?: boolean; host?: Partial<Host>; output?: Partial<Host["output"]> } = {},
): Promise<Ran> {
  const out: string[] = [];
  const err: string[] = [];
  let slept = 0;
  const host: Host = {
    arguments: line.split(" ").filter(Boolean),
    environment: { MILEPOST_STORE: "memory:" },
    version: "9.9.9",
    program: {
      node: "/bin/node",
      bundle: "/m/dist/milepost.cjs",
      userFolder: "/u",
      temporaryFolder: "/tmp",
      platform: "linux",
    },
    input: { bytes: bytes(options.stdin ?? ""), isTerminal: options.isTyping ?? false },
    output: {
      write: async (text) => {
        out.push(text);
      },
      isTerminal: false,
      hasColor: false,
      columns: 80,
      ...options.output,
    },
    writeError: async (text) => {
      err.push(text);
    },
    isErrorTerminal: false,
    folder: "/work",
    clientProcess: "m:1",
    ownProcess: "m:2",
    isRunning: () => true,
    interrupted: () => new AbortController().signal,
    sleep: async (milliseconds) => {
      slept += milliseconds;
    },
    ...options.host,
  };
  const exit = await runCli(host);
  return { exit, out: out.join(""), err: err.join(""), slept };
}

describe("milepost", () => {
  test("asked for help, tells its commands", async () => {
    for (const line of ["--help", "-h", "help"]) {
      const { exit, out } = await run(line);
      expect(exit).toBe(0);
      expect(out).toMatch(/Usage: milepost COMMAND/);
      expect(out).toMatch(/ {2}call {2,}\w/);
      expect(out).toMatch(/ {2}demo {2,}\w/);
    }
  });

  test("tells its version", async () => {
    expect(await run("--version")).toMatchObject({ exit: 0, out: "9.9.9\n" });
  });

  test.each([
    ["a wrong command", "nope", 2, 'milepost: There is no command "nope". See milepost --help [unknown-command]\n'],
    [
      "a wrong flag",
      "call --nope",
      2,
      /^milepost: There is no flag --nope\. See milepost call --help \[bad-usage\]\n$/,
    ],
    ["a wrong dialect", "call --dialect x", 2, /--dialect: use milepost, .*\[bad-usage\]\n$/],
    ["a word too many", "call x", 2, /There is a word too many: "x".*\[bad-usage\]\n$/],
    [
      "a store that cannot be",
      "call --store mysql://u:secret@h/x",
      3,
      /^milepost: The store mysql:\/\/u:\*\*\*@h\/x cannot be used.*\[bad-store\]\n$/,
    ],
    [
      "an address that is none",
      "call --store postgres://u:se#cret@h/x",
      3,
      /^milepost: postgres:\/\/u:\*\*\*@h\/x is not a server address.*\[bad-store\]\n$/,
    ],
    [
      "a port that cannot be",
      "call --store postgres://u:secret@h:99999/x",
      3,
      /\*\*\*@h:99999\/x is not a server address.*\[bad-store\]\n$/,
    ],
  ])("%s is one line with a code on stderr", async (_name, line, exit, err) => {
    const ran = await run(line);
    expect(ran).toMatchObject({ exit, out: "" });
    expect(ran.err).toMatch(err);
    expect(ran.err.trimEnd()).not.toContain("\n");
  });

  test("help names a command", async () => {
    expect((await run("help call")).out).toBe((await run("call --help")).out);
    expect(await run("help nope")).toMatchObject({ exit: 2 });
  });

  test("a store in the environment counts too", async () => {
    const ran = await run("call", { host: { environment: { MILEPOST_STORE: "mysql:x" } } });
    expect(ran).toMatchObject({ exit: 3 });
    expect(await run("call --store memory:", { host: { environment: { MILEPOST_STORE: "mysql:x" } } })).toMatchObject({
      exit: 0,
    });
  });

  const names = COMMANDS.flatMap((entry) =>
    "verbs" in entry ? entry.verbs.map((verb) => `${entry.name} ${verb.name}`) : [entry.name],
  );

  test.each(["", "todo ", "task ", ...names.map((name) => `${name} `)])(
    "%s--help fits into 100 columns",
    async (name) => {
      const { out } = await run(`${name}--help`);
      expect(out.split("\n").filter((row) => row.length > 100)).toEqual([]);
    },
  );

  test("each command has help with an explanation", async () => {
    for (const name of names) {
      const { exit, out, err } = await run(`${name} --help`);
      expect({ exit, err }).toEqual({ exit: 0, err: "" });
      expect(out).toMatch(/Usage: milepost/);
      expect(out).toMatch(/--store/);
      expect(out).toMatch(/--json/);
    }
  });
});

describe("call", () => {
  const answers = async (line: string, ...calls: unknown[]) => {
    const stdin = calls.map((call) => (typeof call === "string" ? call : JSON.stringify(call))).join("\n");
    const { exit, out } = await run(line, { stdin });
    expect(exit).toBe(0);
    return out
      .split("\n")
      .filter(Boolean)
      .map((text): unknown => JSON.parse(text));
  };

  test("answers line by line and keeps the list between lines", async () => {
    expect(
      await answers("call", { tool: "todo", input: { add: ["a", "b"] } }, "", { tool: "todo", input: { done: 1 } }),
    ).toEqual([
      { text: "Added 1-2. 0/2 now #1 a", isError: false, data: { revision: 1, completed: 0, total: 2, focus: 1 } },
      { text: "1/2 now #2 b", isError: false, data: { revision: 2, completed: 1, total: 2, focus: 2 } },
    ]);
  });

  test("takes raw arguments, a mode and a session", async () => {
    const text = '{"plan":[]}';
    expect(
      await answers(
        "call --dialect codex",
        { tool: "update_plan", arguments: text },
        { tool: "update_plan", arguments: text, mode: "plan" },
        { tool: "update_plan", arguments: "{", session: "s" },
      ),
    ).toEqual([
      { text: "Plan updated", isError: false },
      { text: "update_plan is a TODO/checklist tool and is not allowed in Plan mode", isError: true },
      { text: "failed to parse function arguments: EOF while parsing an object at line 1 column 1", isError: true },
    ]);
  });

  test("tells a person who types what to do, and nobody else", async () => {
    expect((await run("call", { isTyping: true })).err).toMatch(/^Type one call per line, as JSON; Ctrl\+D ends\./);
    expect((await run("call")).err).toBe("");
  });

  test("a line may speak another dialect, to the same list", async () => {
    const plan = { plan: [{ step: "a", status: "in_progress" }] };
    expect(
      await answers(
        "call",
        { tool: "update_plan", dialect: "codex", input: plan },
        { tool: "todo", input: { done: 1 } },
        { tool: "x", dialect: "nope" },
      ),
    ).toMatchObject([{ text: "Plan updated" }, { text: "1/1 all done" }, { isError: true }]);
  });

  test("keeps sessions apart", async () => {
    const add = (session: string) => ({ tool: "todo", session, input: { add: [session] } });
    expect(await answers("call", add("a"), add("b"), { tool: "todo", session: "a", input: {} })).toMatchObject([
      {},
      {},
      { text: "0/1 now #1 a\n[>] 1. a" },
    ]);
  });

  test("answers a bad line and goes on", async () => {
    const good = { tool: "todo", input: { add: ["a"] } };
    const bad = [
      "not json",
      "[1]",
      '"x"',
      "{}",
      '{"tool":5}',
      '{"tool":"todo","session":"../x"}',
      '{"tool":"todo","session":7}',
      '{"tool":"todo","dialect":[{"toString":0}]}',
      good,
    ];
    const all = await answers("call", ...bad);
    expect(all).toHaveLength(bad.length);
    expect(all.slice(0, -1).every((answer) => (answer as { isError: boolean }).isError)).toBe(true);
    expect(all[0]).toMatchObject({ text: expect.stringMatching(/^Line 1: this is not a JSON object\./) });
    expect(all[5]).toMatchObject({ text: expect.stringMatching(/^Line 6: Not a valid session id/) });
    expect(all[7]).toMatchObject({ text: expect.stringMatching(/^Line 8: "dialect" must name a dialect\./) });
    expect(all.at(-1)).toMatchObject({ isError: false });
  });
});

describe("demo", () => {
  test("plays to the end, verified; with --fast it does not wait, and it keeps to the width", async () => {
    const { exit, out, slept } = await run("demo --fast", { output: { isTerminal: true, columns: 60 } });
    expect({ exit, slept }).toEqual({ exit: 0, slept: 0 });
    const [, held, all] = /(\d+) of (\d+) checks held\.\n$/.exec(out) ?? [];
    expect(Number(all)).toBeGreaterThan(11);
    expect(held).toBe(all);
    for (const words of ["The model is told: ", "? 1 unbacked", "! same-error, 4 calls: warn"])
      expect(out).toContain(words);
    expect(out).not.toContain("\u001b");
    expect(out.split("\n").filter((row) => row.length > 60)).toEqual([]);
  });

  test("in a terminal it is coloured, and gives time to read, but less than a minute", async () => {
    const { out, slept } = await run("demo", { output: { isTerminal: true, hasColor: true } });
    expect(slept).toBeGreaterThan(40_000);
    expect(slept).toBeLessThan(60_000);
    expect(out).toContain("\u001b[1m");
  });

  test("as JSON it is one record a moment", async () => {
    const { out, slept } = await run("demo --json");
    expect(slept).toBe(0);
    const records = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(records.length).toBeGreaterThan(19);
    for (const record of records) expect(record).toMatchObject({ story: expect.any(String), check: { held: true } });
    const answers = records.flatMap(({ steps }) => steps.flatMap((step: { answers: object[] }) => step.answers));
    // The story says which call is refused; if another one is, the story is no longer true.
    expect(answers.filter(({ isError }) => isError)).toHaveLength(1);
  });
});
