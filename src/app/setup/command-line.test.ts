import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { sized } from "../../../test/sizes.js";
import {
  commandWords,
  isOurCommand,
  isOurLine,
  launchFlaw,
  plainCommand,
  readLine,
  serverCommand,
  shellCommand,
} from "./command-line.js";
import { SHELL_TEXT, shellFileIn } from "./shell/shell-file.js";

const launch = (node: string, script: string, platform = "linux", home = "/h") => ({
  node,
  script,
  platform,
  shellFile: shellFileIn(home),
  isHomeFixed: false,
});

/** As setup leaves Milepost's own folder. */
function placeShellFile(home: string): string {
  mkdirSync(dirname(shellFileIn(home)), { recursive: true });
  writeFileSync(shellFileIn(home), SHELL_TEXT);
  return home;
}

/** Those of the usual ones that this machine has: a person's own, which hands over to /bin/sh. */
const SHELLS = ["sh", "bash", "dash", "zsh", "fish"]
  .map((name) => spawnSync("/bin/sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).stdout.trim())
  .filter(Boolean);

describe("a command line for a shell", () => {
  test.each([
    ["plain paths", launch("/usr/bin/node", "/m/dist/milepost.cjs"), "/usr/bin/node /m/dist/milepost.cjs hook"],
    ["a blank", launch("/my node/node", "/m/dist/milepost.cjs"), "'/my node/node' /m/dist/milepost.cjs hook"],
    ["a quote", launch("/it's/node", "/m/dist/milepost.cjs"), "'/it'\\''s/node' /m/dist/milepost.cjs hook"],
    [
      "Windows",
      launch("C:\\Program Files\\nodejs\\node.exe", "C:\\m\\dist\\milepost.cjs", "win32"),
      '"C:/Program Files/nodejs/node.exe" C:/m/dist/milepost.cjs hook',
    ],
  ])("%s", (_name, given, plain) => {
    expect(plainCommand(given, "hook")).toBe(plain);
    const line = shellCommand(given, "hook");
    const words = plain.replace(/ hook$/, "");
    const short = `exec /bin/sh -c '[ -r "$0" ] && . "$0"; exit 0' /h/wiring/milepost.sh hook ${words}`;
    expect(line).toBe(given.platform === "win32" ? plain : short);
    // What earlier versions wrote is ours, too.
    for (const one of [line, plain]) {
      expect(isOurLine(one, "hook")).toBe(true);
      expect(isOurLine(one, "statusline")).toBe(false);
    }
    const { command, args } = serverCommand(given, { tasks: false });
    expect(isOurCommand([command, ...args], "mcp")).toBe(true);
    expect([line, ...args].join("\n")).not.toContain("${");
    expect(isOurCommand([given.node, given.script, "mcp"], "mcp")).toBe(true);
  });

  const node = "/usr/bin/node";
  const bundle = "/m/dist/milepost.cjs";
  test.each([
    [["gemini"], "linux"],
    [["copilot", "preToolUse"], "linux"],
    [["qwen"], "win32"],
  ] as const)("names the client, and the event where that is needed: %j on %s", (words, platform) => {
    const line = shellCommand(launch(node, bundle, platform), "hook", words);
    expect(line.endsWith(` ${words.join(" ")}`)).toBe(true);
    expect(readLine(line, "hook")).toMatchObject({ node, script: bundle, words });
    expect(readLine(line, "statusline")).toBeUndefined();
  });

  test("says to a real shell what was meant, and can be read again", () => {
    const path = fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 20 }).map((text) => `/${text}`);
    fc.assert(
      fc.property(path, path, path, (node, script, home) => {
        const shellFile = `${home}/wiring/milepost.sh`;
        const given = { ...launch(node, `${script}/dist/milepost.cjs`), shellFile };
        const line = shellCommand(given, "hook");
        const seen = spawnSync("/bin/sh", ["-c", `printf '%s\\0' ${line}`], { encoding: "utf8" });
        expect(seen.stdout.split("\0").slice(-5)).toEqual([shellFile, "hook", node, given.script, ""]);
        expect(commandWords(line).join("\0")).toBe(seen.stdout.slice(0, -1));
        const { script: ours } = given;
        expect(readLine(line, "hook")).toEqual({ node, script: ours, shellFile, verb: "hook", isHomeFixed: false });
        const guard = readLine(shellCommand({ ...given, isHomeFixed: true }, "guard"), "hook");
        expect(guard).toEqual({ node, script: ours, shellFile, verb: "guard", isHomeFixed: true, folder: home });
      }),
      { numRuns: sized(40, 1000) },
    );
  });

  test.each([
    "node /m/other.cjs hook",
    "node /opt/other/dist/bin.cjs hook",
    "node /opt/x/wiring/x.cjs hook",
    "milepost hook",
    "/m/dist/milepost.cjs hook",
    "node /m/dist/milepost.cjs hook && x",
    "/bin/sh -c x node /m/dist/milepost.cjs hook more",
    "node /m/dist/milepost.cjs hook gemini BeforeTool more",
    "node /m/dist/milepost.cjs hook 'gemini;x'",
    "node /m/dist/milepost.cjs hook --flag",
    "exec /bin/sh -c x /h/wiring/milepost.sh hook node /m/dist/milepost.cjs gemini BeforeTool more",
    "/bin/sh -c 'exec node /m/dist/milepost.cjs hook'",
    "exec /bin/sh -c x /h/wiring/milepost.sh server node /m/dist/milepost.cjs",
    "exec /bin/sh -c x /h/wiring/milepost.sh toString node /m/dist/milepost.cjs",
    "exec /bin/sh -c x /h/wiring/milepost.sh guard node /m/dist/milepost.cjs more",
    "exec /bin/sh -c x /h/wiring/milepost.sh guard node /m/other.cjs",
    "exec /bin/sh -c x /h/milepost.sh guard node /m/dist/milepost.cjs",
    "exec /bin/bash -c x /h/wiring/milepost.sh guard node /m/dist/milepost.cjs",
    "",
  ])("is not ours: %s", (line) => {
    expect(isOurLine(line, "hook")).toBe(false);
  });
});

describe("when Node or our file have moved", () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "milepost-line-")));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const script = join(folder, "it's here", "dist", "milepost.cjs");
  mkdirSync(join(script, ".."), { recursive: true });
  writeFileSync(script, "console.log(process.argv.slice(2).join(), process.ppid); process.exitCode = 7;");
  const gone = "/nowhere/dist/milepost.cjs";
  const withNode = join(folder, "with");
  const without = join(folder, "without");
  for (const path of [withNode, without]) mkdirSync(path);
  symlinkSync(process.execPath, join(withNode, "node"));
  const notRunnable = join(folder, "node");
  writeFileSync(notRunnable, "");
  chmodSync(notRunnable, 0o644);
  placeShellFile(folder);

  const shells = SHELLS;
  test.each([
    ["both are there", process.execPath, script, without, { status: 7, said: "hook" }],
    ["Node has moved, and is in the PATH", "/nowhere/node", script, withNode, { status: 7, said: "hook" }],
    ["Node cannot be run", notRunnable, script, withNode, { status: 7, said: "hook" }],
    ["Node is gone", "/nowhere/node", script, without, { status: 0, said: "" }],
    ["our file is gone", process.execPath, gone, withNode, { status: 0, said: "" }],
    ["both are gone", "/nowhere/node", gone, without, { status: 0, said: "" }],
  ])("%s", (_name, node, file, PATH, expected) => {
    for (const shell of shells) {
      const line = shellCommand(launch(node, file, "linux", folder), "hook");
      const { status, stdout, stderr } = spawnSync(shell, ["-c", line], {
        encoding: "utf8",
        env: { PATH, HOME: folder },
      });
      const [said, parent] = stdout.trim().split(" ");
      expect({ status, said, stderr }).toEqual({ ...expected, stderr: "" });
      // No shell stays between: a hook knows its client as its parent.
      if (said) expect(Number(parent)).toBe(process.pid);
    }
  });

  test.each([
    ["as Claude Code asks", { method: "initialize", params: { protocolVersion: "2025-11-25" }, jsonrpc: "2.0", id: 0 }],
    ["as Codex asks", { jsonrpc: "2.0", id: "a-1", method: "initialize", params: { protocolVersion: "2025-06-18" } }],
  ])("a server that has moved answers and offers nothing: %s", async (_name, hello) => {
    const { command, args } = serverCommand(launch("/nowhere/node", gone, "linux", folder), { tasks: false });
    const child = spawn(command, args, { env: { PATH: without }, stdio: ["pipe", "pipe", "inherit"] });
    const ended = new Promise((resolve) => child.once("close", resolve));
    let out = "";
    child.stdout.setEncoding("utf8").on("data", (text) => {
      out += text;
    });
    const list = { jsonrpc: "2.0", id: 7, method: "tools/list", params: { _meta: { progressToken: 0 } } };
    const fields = { tool_input: { id: 9, protocolVersion: "x", a: 'say "id":"8"' }, agent_id: "b" };
    const call = { method: "tools/call", params: { name: "hook", arguments: fields } };
    const messages = [
      hello,
      { jsonrpc: "2.0", method: "notifications/initialized" },
      list,
      // A hook's call, with the id where each client has it. What the hook tells has other ids in it.
      ...[
        { jsonrpc: "2.0", id: 8, ...call },
        { jsonrpc: "2.0", id: "c-1", ...call },
      ],
      ...[
        { ...call, jsonrpc: "2.0", id: 10 },
        { ...call, jsonrpc: "2.0", id: "d 1" },
      ],
    ];
    child.stdin.end(messages.map((message) => `${JSON.stringify(message)}\n`).join(""));
    await ended;
    const [greeting, ...answers] = out
      .trim()
      .split("\n")
      .map((row) => JSON.parse(row));
    expect(greeting).toMatchObject({ id: hello.id, result: { protocolVersion: hello.params.protocolVersion } });
    expect(greeting.result).toMatchObject({ capabilities: {}, serverInfo: { name: "milepost" } });
    // Nothing to offer, and nothing to say: an error would be on the screen at every hook. Codex takes no answer that
    // could be either.
    expect(answers).toEqual([
      { jsonrpc: "2.0", id: 7, result: { tools: [] } },
      ...[8, "c-1", 10, "d 1"].map((id) => ({ jsonrpc: "2.0", id, result: { content: [] } })),
    ]);
  });
});

describe("lines beside a server", () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "milepost beside it's ")));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const script = join(folder, "a-b c", "dist", "milepost.cjs");
  mkdirSync(join(script, ".."), { recursive: true });
  writeFileSync(
    script,
    `let text = ""; process.stdin.on("data", (part) => { text += part; }).on("end", () => console.log(
    JSON.stringify({ words: process.argv.slice(2), parent: process.ppid, folder: process.cwd(), input: JSON.parse(text) })));`,
  );
  const work = join(folder, "work");
  mkdirSync(work);
  const start = { hook_event_name: "SessionStart", session_id: "s", cwd: "/it's \\ %s $HOME\n", source: "startup" };

  let homes = 0;
  /** Milepost's folder: with a blank, a quote, a dash and what a shell would fill in. */
  function makeHome(): string {
    return placeShellFile(join(folder, `$HOME-it's * ${++homes}`, "milepost"));
  }

  interface Run {
    readonly home: string;
    readonly shell?: string;
    readonly input?: unknown;
    readonly env?: Readonly<Record<string, string>>;
    readonly isHomeFixed?: boolean;
    readonly node?: string;
    readonly file?: string;
    readonly path?: string;
  }

  /** What the line says, as the client sees it; undefined for silence. */
  function run(verb: "guard" | "start", about: Run): Record<string, unknown> | undefined {
    const { home, shell = "/bin/sh", input = start, env = { MILEPOST_HOME: home }, isHomeFixed = false } = about;
    const { node = process.execPath, file = script, path = "/usr/bin:/bin" } = about;
    const line = shellCommand({ ...launch(node, file, "linux", home), isHomeFixed }, verb);
    expect(readLine(line, "hook")).toMatchObject({ node, script: file, folder: home });
    expect(line).not.toContain("${");
    const { status, stdout, stderr } = spawnSync(shell, ["-c", line], {
      cwd: work,
      encoding: "utf8",
      input: typeof input === "string" ? input : JSON.stringify(input),
      env: { PATH: path, HOME: folder, ...env },
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    return stdout === "" ? undefined : JSON.parse(stdout);
  }
  const asNode = (input: unknown = start) => ({ words: ["hook"], parent: process.pid, folder: work, input });
  function mark(home: string, ...names: string[]): string {
    mkdirSync(join(home, "servers"), { recursive: true });
    for (const name of names) writeFileSync(join(home, "servers", name), "");
    return home;
  }
  const dead = spawnSync("/bin/true").pid;
  const [me, parent] = [process.pid, process.ppid];

  test.each<[string, string[], boolean]>([
    ["no server", [], false],
    ["its server lives", [`${me}-${parent}`], true],
    ["two, and both live", [`${me}-${parent}`, `${me}-${me}`], true],
    ["its server is dead", [`${me}-${dead}`], false],
    ["one of two is dead", [`${me}-${me}`, `${me}-${dead}`], false],
    ["another client's server", [`${parent}-${me}`], false],
    ["a mark that is none", [`${me}-x`], false],
  ])("a guard is quiet while a server hears: %s", (_name, names, isQuiet) => {
    for (const shell of SHELLS)
      expect(run("guard", { home: mark(makeHome(), ...names), shell })).toEqual(isQuiet ? undefined : asNode());
  });

  test.each<[string, (home: string) => Partial<Run>, boolean]>([
    ["the environment names the folder", (home) => ({ env: { MILEPOST_HOME: home } }), true],
    ["the environment names another", () => ({ env: { MILEPOST_HOME: "/elsewhere" } }), false],
    ["a relative one", () => ({ env: { MILEPOST_HOME: "milepost" } }), false],
    ["the launcher names it, whatever is set", () => ({ env: { MILEPOST_HOME: "x" }, isHomeFixed: true }), true],
    ["the state folder", (home) => ({ env: { XDG_STATE_HOME: join(home, "..") } }), true],
    ["another state folder", () => ({ env: { XDG_STATE_HOME: "/elsewhere" } }), false],
    ["the usual folder of another person", () => ({ env: {} }), false],
  ])("both lines count only where our folder is the one that was wired: %s", (_name, about, isThere) => {
    const home = mark(makeHome(), `${me}-${me}`);
    expect(run("guard", { home, ...about(home) })).toEqual(isThere ? undefined : asNode());
    expect(run("start", { home, ...about(home) })).toEqual(isThere ? undefined : asNode());
    expect(existsSync(join(home, "starts"))).toBe(isThere);
  });

  test("the usual folder needs nothing in the environment", () => {
    const home = mark(placeShellFile(join(folder, ".local", "state", "milepost")), `${me}-${me}`);
    expect(run("guard", { home, env: {} })).toBeUndefined();
    expect(run("start", { home, env: {} })).toBeUndefined();
    expect(readdirSync(join(home, "starts"))).toHaveLength(1);
  });

  test.each<[string, string]>([
    ["in one row", JSON.stringify(start)],
    ["with a line break at its end", `${JSON.stringify(start)}\n`],
  ])("a start is kept, for the client alone: %s", (_name, input) => {
    for (const shell of SHELLS) {
      const home = makeHome();
      expect(run("start", { home, shell, input })).toBeUndefined();
      const [name = "", ...more] = readdirSync(join(home, "starts"));
      expect([name, ...more]).toEqual([expect.stringMatching(new RegExp(`^${me}-\\d+\\.json$`))]);
      const file = join(home, "starts", name);
      expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(start);
      expect([statSync(file).mode & 0o777, statSync(join(home, "starts")).mode & 0o777]).toEqual([0o600, 0o700]);
    }
  });

  const long = { ...start, source: "resume", cwd: `/${"long/".repeat(30_000)}` };
  test.each<[string, unknown, unknown]>([
    ["a resumed session", { ...start, source: "resume" }, { ...start, source: "resume" }],
    ["the word in a text", { ...start, source: "clear", cwd: '"source":"startup"' }, undefined],
    ["another shape", JSON.stringify({ ...start, source: "compact" }, null, 2), { ...start, source: "compact" }],
    ["more than a pipe takes", long, long],
  ])("what has to be answered at once becomes Node, with all of its input: %s", (_name, input, expected) => {
    const home = makeHome();
    for (const shell of SHELLS) expect(run("start", { home, shell, input })).toEqual(asNode(expected ?? input));
    expect(readdirSync(home)).toEqual(["wiring"]);
  });

  test("a start that cannot be kept becomes Node", () => {
    const home = makeHome();
    writeFileSync(join(home, "starts"), "");
    expect(run("start", { home })).toEqual(asNode());
  });

  test.each<[string, Partial<Run>, boolean]>([
    ["Node has moved, and is in the PATH", { node: "/nowhere/node", path: dirname(process.execPath) }, true],
    ["Node is gone", { node: "/nowhere/node", path: "/nowhere" }, false],
    ["our script is gone", { file: "/nowhere/dist/milepost.cjs" }, false],
  ])("%s", (_name, about, isNode) => {
    const input = { ...start, source: "resume" };
    for (const verb of ["guard", "start"] as const)
      expect(run(verb, { home: makeHome(), input, ...about })).toEqual(isNode ? asNode(input) : undefined);
  });

  test("without our file for /bin/sh every line is silent, in every shell", () => {
    const given = launch(process.execPath, script, "linux", join(folder, "it's gone"));
    for (const shell of SHELLS)
      for (const verb of ["guard", "start", "hook", "statusline"] as const) {
        const options = {
          encoding: "utf8",
          input: JSON.stringify(start),
          env: { PATH: "/usr/bin:/bin", HOME: folder },
        } as const;
        const { status, stdout, stderr } = spawnSync(shell, ["-c", shellCommand(given, verb)], options);
        expect({ verb, status, stdout, stderr }).toEqual({ verb, status: 0, stdout: "", stderr: "" });
      }
  });
});

const GEMINI = { title: "Gemini CLI", takesVariables: true };

test.each<[string, Parameters<typeof launchFlaw>[1], ReturnType<typeof launch>, RegExp | undefined]>([
  ["nothing odd", GEMINI, launch("/n", "/s"), undefined],
  ["a variable", GEMINI, launch("/n", "/s", "linux", "/a$LANG b"), /take \$LANG in \/a\$LANG b.*Set MILEPOST_HOME/],
  ["a variable in braces", GEMINI, launch("/n", `/\${A}/s`), /take \$\{A\} in/],
  ["a variable in Node's path", GEMINI, launch("/$A/n", "/s"), /take \$A in .*Take a Node at another path/],
  ["a sign that is no variable", GEMINI, launch("/n", "/a$ b/s"), undefined],
  ["a file that is not used", GEMINI, launch("/n", "/s", "win32", "/a$b"), undefined],
  ["no variables", { title: "Codex" }, launch("/n", "/a$b/s"), undefined],
  [
    "a line break",
    { title: "Codex" },
    launch("/n", "/s", "linux", "/a\nb"),
    /^Codex cannot be told of .*\n.*line break/,
  ],
  ["a line break in code", { title: "pi", serverClient: "pi" }, launch("/n", "/s", "linux", "/a\nb"), undefined],
])("what an agent's settings cannot name: %s", (_name, agent, launched, flaw) => {
  expect(launchFlaw(launched, agent) ?? "").toMatch(flaw ?? /^$/);
});
