import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { Host } from "../src/app/host.js";
import { runCli } from "../src/cli/run.js";

// setup as a person meets it at a terminal: what is shown, what is asked, and what becomes of the answers.

const folder = mkdtempSync(join(tmpdir(), "milepost-talk-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ran {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

interface Machine {
  readonly home: string;
  /** Undefined: nobody sits at the terminal. */
  run(line: string, typed?: string, output?: Partial<Host["output"]>): Promise<Ran>;
  read(name: string): string;
  write(name: string, text: string): void;
  /** Every file but our backups, what we remember and compiled code. */
  texts(): Readonly<Record<string, string>>;
}

let machines = 0;
function makeMachine(agents: readonly string[] = [".claude", ".codex"]): Machine {
  const home = join(folder, `m${++machines}`);
  for (const agent of ["bin", ...agents]) mkdirSync(join(home, agent), { recursive: true });
  return {
    home,
    run: (line, typed, output) => runHost(home, line, typed, output),
    read: (name) => readFileSync(join(home, name), "utf8"),
    write(name, text) {
      mkdirSync(dirname(join(home, name)), { recursive: true });
      writeFileSync(join(home, name), text);
    },
    texts() {
      const names = readdirSync(home, { recursive: true, encoding: "utf8" }).filter(
        (name) => statSync(join(home, name)).isFile() && !/milepost-backup|setup\.json|^bin/.test(name),
      );
      return Object.fromEntries(names.sort().map((name) => [name, readFileSync(join(home, name), "utf8")]));
    },
  };
}

async function runHost(home: string, line: string, typed: string | undefined, output: Partial<Host["output"]> = {}) {
  const said = { out: "", err: "" };
  async function* bytes() {
    yield Buffer.from(typed ?? "");
  }
  const exit = await runCli({
    arguments: line.split(" "),
    environment: { HOME: home, PATH: join(home, "bin") },
    version: "9.9.9",
    program: {
      node: "/bin/node",
      bundle: "/m/dist/milepost.cjs",
      userFolder: home,
      temporaryFolder: "/nowhere",
      platform: "linux",
    },
    input: { bytes: bytes(), isTerminal: typed !== undefined },
    output: {
      write: async (text) => {
        said.out += text;
      },
      isTerminal: true,
      hasColor: false,
      columns: 120,
      ...output,
    },
    writeError: async (text) => {
      said.err += text;
    },
    isErrorTerminal: false,
    folder: home,
    clientProcess: "m:1",
    ownProcess: "m:2",
    isRunning: () => true,
    interrupted: () => new AbortController().signal,
    sleep: async () => undefined,
  });
  return { exit, ...said };
}

const settings = (machine: Machine) => JSON.parse(machine.read(".local/state/milepost/config.json"));
const DENIED = ["TaskCreate", "TaskGet", "TaskUpdate", "TaskList", "TodoWrite"];

/** What each client's model has, as the files say. */
function offered(machine: Machine) {
  const { mcpServers } = machine.read(".claude.json") === "" ? {} : JSON.parse(machine.read(".claude.json"));
  const { permissions, hooks, statusLine } = JSON.parse(machine.read(".claude/settings.json"));
  return {
    server: mcpServers?.milepost?.args.slice(4),
    allow: permissions?.allow,
    deny: permissions?.deny,
    hooks: Object.keys(hooks).length,
    statusLine: statusLine !== undefined,
    codex: codexServer(machine.read(".codex/config.toml")),
  };
}

function codexServer(config: string): unknown {
  const [, args = "[]"] = /^args = (.*)$/m.exec(config) ?? [];
  const words = JSON.parse(args).slice(4);
  return words.length > 0 ? words : undefined;
}

/** As Codex remembers that its person trusts a hook. */
function trusted({ home }: Machine): string {
  return `\n[hooks.state."${join(home, ".codex/hooks.json")}:stop:0:0"]\ntrusted_hash = "x"\n`;
}

function makeUsedMachine(): Machine {
  const machine = makeMachine();
  machine.write(".claude.json", "{}");
  machine.write(".claude/settings.json", '{ "model": "opus" }');
  machine.write(".codex/config.toml", 'model = "gpt-6-sol"\n[tools.update_plan]\nenabled = true\n');
  return machine;
}

const OURS = { server: ["mcp"], allow: ["mcp__milepost"], deny: DENIED, hooks: 14, statusLine: true, codex: ["mcp"] };
const CLIENT = { server: undefined, allow: undefined, deny: undefined, hooks: 13, statusLine: true, codex: undefined };

describe("the conversation", () => {
  test("shows what was found and what it comes to, asks which list, then whether", async () => {
    const machine = makeUsedMachine();
    const { exit, out, err } = await machine.run("setup", "\ny\n");
    expect([exit, err]).toEqual([0, "Choose [1]: Make these changes? [y]es, [d]iff, [n]o: "]);
    const rows = out.split("\n");
    expect(rows.slice(0, 10)).toEqual([
      "Found Claude Code and Codex.",
      "",
      "Claude Code   1 MCP server, 14 hooks, status line, own list off         ~/.claude.json, ~/.claude/settings.json",
      "Codex         1 MCP server, 11 hooks, tool made visible, own list off   ~/.codex/config.toml, ~/.codex/hooks.json",
      "Milepost      settings, the script that agents start                    ~/.local/state/milepost/config.json,",
      "                                                                        ~/.local/state/milepost/wiring/milepost.sh",
      "",
      "Which list should the model keep?",
      expect.stringMatching(/^ {2}1 {2}Milepost's todo .*\(default\)$/),
      expect.stringMatching(/^ {2}2 {2}the client's own /),
    ]);
    expect(rows.slice(10)).toEqual([
      expect.stringMatching(/^Backups: ~\/\.claude\.json\.milepost-backup-\S+, /),
      ...rows.slice(11, -3),
      expect.stringMatching(/^Codex runs new or changed hooks only after you trust them/),
      "Done. New sessions are wired. Look: milepost   Check: milepost doctor   Undo: milepost unsetup",
      "",
    ]);
    expect(out).not.toContain("+  ");
    expect(offered(machine)).toEqual(OURS);
    expect(settings(machine)).toEqual({ "claude-code.todo": "ours", "codex.todo": "ours" });
  });

  test("with the client's own list nothing is sent to the model, and the summary is shown again", async () => {
    const machine = makeUsedMachine();
    const { exit, out } = await machine.run("setup", "2\ny\n");
    expect(exit).toBe(0);
    expect(out).toMatch(/^Claude Code {3}13 hooks, status line {3,}~\/\.claude\/settings\.json$/m);
    expect(out).toMatch(/^Codex {9}11 hooks {3,}~\/\.codex\/hooks\.json$/m);
    expect(offered(machine)).toEqual(CLIENT);
    expect(machine.read(".codex/config.toml")).toContain("enabled = true\n");
    expect(settings(machine)).toEqual({ "claude-code.todo": "client", "codex.todo": "client" });
  });

  test("what is not understood is asked again with a hint, and the diff on request", async () => {
    const machine = makeUsedMachine();
    const { exit, out, err } = await machine.run("setup claude-code", "3\nboth\n1\nwhat\n\nD\nYES\n");
    expect(exit).toBe(0);
    expect(err.match(/Choose \[1\]:/g)).toHaveLength(3);
    expect(out.match(/^Type 1 or 2; /gm)).toHaveLength(2);
    expect(err.match(/Make these changes\?/g)).toHaveLength(4);
    expect(out.match(/^Type y to make them, d to see them line by line, n to stop\.$/gm)).toHaveLength(2);
    expect(out).toMatch(/^Claude Code {2}~\/\.claude\/settings\.json {2}\+\d+ -\d+$/m);
    expect(out).toMatch(/^ {2}\+ {2}"mcpServers": \{$/m);
    // The script of our own is long, and would hide what happens to the person's files.
    expect(out).toMatch(/^Milepost {2}\S+milepost\.sh \(new\) {2}\+\d+ -0\n {2}\(--dry-run shows it\)\n$/m);
  });

  test("a long file of ours is named only, also one that goes; of the person's own file all is shown", async () => {
    const machine = makeMachine([".pi/agent", ".gemini"]);
    machine.write(".gemini/settings.json", "{}\n");
    const setup = await machine.run("setup", "1\nd\ny\n");
    const unsetup = await machine.run("unsetup", "d\ny\n");
    const rows = `${setup.out}${unsetup.out}`.split("\n");
    const long = rows.filter((_, at) => rows[at + 1] === "  (--dry-run shows it)");
    expect(long.map((row) => row.replace(/\d\d+/, "N"))).toEqual([
      "pi  ~/.pi/agent/extensions/milepost.js (new)  +N -0",
      "Milepost  ~/.local/state/milepost/wiring/milepost.sh (new)  +N -0",
      "pi  ~/.pi/agent/extensions/milepost.js (removed)  +0 -N",
      "Milepost  ~/.local/state/milepost/wiring/milepost.sh (removed)  +0 -N",
    ]);
    expect(rows).toContain('  +  "useWriteTodos": false,');
  });

  test.each([
    ["Ctrl+D at the list", "", "needs-yes", /\n/],
    ["Ctrl+D at the change", "1\n", "needs-yes", /\n/],
    ["no", "1\nn\n", "not-confirmed", /^/],
    ["nobody at the terminal", undefined, "needs-yes", /^milepost/],
  ])("%s: nothing is changed, and it says what to add", async (_name, typed, code, start) => {
    const machine = makeUsedMachine();
    const before = machine.texts();
    const { exit, err } = await machine.run("setup", typed);
    expect([exit, err]).toEqual([1, expect.stringMatching(new RegExp(`Nothing was changed.* \\[${code}\\]\\n$`))]);
    expect(err).toMatch(start);
    if (code === "needs-yes") expect(err).toMatch(/To make these changes: milepost setup --yes \[needs-yes\]\n$/);
    expect([machine.texts(), existsSync(join(machine.home, ".local"))]).toEqual([before, false]);
  });

  test("how hooks reach us is remembered, and turned into the other way and back", async () => {
    const machine = makeUsedMachine();
    const before = machine.texts();
    const tools = () =>
      [".claude/settings.json", ".codex/hooks.json"].map(
        (file) => machine.read(file).match(/"mcp_tool"/g)?.length ?? 0,
      );
    await machine.run("setup --yes");
    const served = tools();
    expect(served).toEqual([12, 9]);
    const turned = await machine.run("setup --yes --hooks commands");
    expect(turned).toMatchObject({ exit: 0, err: "" });
    expect(turned.out).toMatch(/^Claude Code {3}1 MCP server, 14 hooks as commands, status line/m);
    expect(turned.out).toContain("Codex runs new or changed hooks only after you trust them");
    expect(tools()).toEqual([0, 0]);
    const hooks = { "claude-code.hooks": "commands", "codex.hooks": "commands" };
    expect(settings(machine)).toMatchObject(hooks);
    expect((await machine.run("setup --yes")).out).toMatch(
      /Nothing to change: Claude Code and Codex are wired\. Check: milepost doctor\n$/,
    );
    expect(await machine.run("setup --yes --todo client --hooks server")).toMatchObject({
      exit: 2,
      err: expect.stringMatching(/--hooks server needs our server: milepost setup claude-code --todo ours/),
    });
    await machine.run("setup --yes --todo client");
    expect((await machine.run("setup --yes --todo ours --hooks server")).exit).toBe(0);
    expect([tools(), settings(machine)]).toEqual([served, { "claude-code.todo": "ours", "codex.todo": "ours" }]);
    await machine.run("unsetup --yes");
    expect(machine.texts()).toEqual(before);
  });

  test("a list that was chosen is not asked for again, and an update keeps it", async () => {
    const machine = makeUsedMachine();
    await machine.run("setup claude-code --todo client", "y\n");
    expect(await machine.run("setup claude-code", "")).toMatchObject({ exit: 0, err: "" });
    expect(await machine.run("setup claude-code --yes")).toMatchObject({
      exit: 0,
      out: "Found Claude Code.\n\nNothing to change: Claude Code is wired. Check: milepost doctor\n",
    });
    // Its hooks are as they were: there is nothing to trust again.
    await machine.run("setup codex --yes --todo client");
    machine.write(".codex/config.toml", `${machine.read(".codex/config.toml")}${trusted(machine)}`);
    expect((await machine.run("setup codex --yes --todo ours --hooks commands")).out).not.toContain("trust");
    await machine.run("unsetup codex --yes");
    // The other agent is new: only its list is asked for.
    const { out } = await machine.run("setup", "1\ny\n");
    expect(out).toContain("Which list should the model keep in Codex?");
    expect(settings(machine)).toEqual({ "claude-code.todo": "client", "codex.todo": "ours" });
    expect(await machine.run("setup --todo ours", "y\n")).toMatchObject({ exit: 0 });
    expect(offered(machine)).toEqual(OURS);
  });

  test("task is offered with --tasks, until --no-tasks, and an update keeps it", async () => {
    const machine = makeUsedMachine();
    expect((await machine.run("setup --yes --tasks")).out).toMatch(/^Codex {9}1 MCP server with task, 11 hooks/m);
    await machine.run("setup --yes");
    expect(offered(machine)).toMatchObject({ server: ["mcp", "--tasks"], codex: ["mcp", "--tasks"] });
    expect(settings(machine)).toMatchObject({ "claude-code.tasks": true, "codex.tasks": true });
    await machine.run("setup --yes --no-tasks");
    expect(offered(machine)).toEqual(OURS);
    expect(settings(machine)).toEqual({ "claude-code.todo": "ours", "codex.todo": "ours" });
  });

  test("plan is offered with --plans, alone or beside task, until --no-plans", async () => {
    const machine = makeUsedMachine();
    expect((await machine.run("setup --yes --plans")).out).toMatch(/^Codex {9}1 MCP server with plan, 11 hooks/m);
    expect(offered(machine)).toMatchObject({ server: ["mcp", "--plans"], codex: ["mcp", "--plans"] });
    expect((await machine.run("setup --yes --tasks")).out).toMatch(/1 MCP server with task and plan/);
    const both = ["mcp", "--tasks", "--plans"];
    expect(offered(machine)).toMatchObject({ server: both, codex: both });
    expect(settings(machine)).toMatchObject({ "claude-code.plans": true, "codex.tasks": true });
    await machine.run("setup --yes --no-plans --no-tasks");
    expect(offered(machine)).toEqual(OURS);
    expect(settings(machine)).toEqual({ "claude-code.todo": "ours", "codex.todo": "ours" });
  });

  test.each([
    ["setup --todo client --plans", /--plans needs our server: milepost setup claude-code --todo ours --plans/],
    ["setup --todo client --tasks", /--tasks needs our server: milepost setup claude-code --todo ours --tasks/],
    ["setup --todo client --no-own-list", /--no-own-list is --todo ours/],
    ["setup --todo both", /--todo: use ours, client/],
  ])("%s is refused", async (line, message) => {
    const machine = makeUsedMachine();
    expect(await machine.run(`${line} --yes`)).toMatchObject({ exit: 2, err: expect.stringMatching(message) });
  });

  test("--json says the choice; a dry run shows every line and our own settings", async () => {
    const machine = makeUsedMachine();
    const { out } = await machine.run("setup --dry-run --json --todo client");
    expect(JSON.parse(out)).toMatchObject({
      agents: [
        { agent: "claude-code", todo: "client", tasks: false },
        { agent: "codex", todo: "client", tasks: false },
      ],
      changed: ["config.json", "wiring/milepost.sh"].map((file) => ({
        file: join(machine.home, ".local/state/milepost", file),
      })),
    });
    const shown = (await machine.run("setup --dry-run")).out;
    expect(shown).toMatch(/^Milepost {2}\S+config\.json \(new\) {2}\+4 -0$/m);
    expect(shown).toMatch(/^Milepost {2}\S+wiring\/milepost\.sh \(new\) {2}\+\d+ -0\n {2}@@.*\n {2}\+# Milepost's/m);
    expect(shown).toMatch(/Dry run: nothing was changed\.\n$/);
  });

  test("a narrow window has the files below, and a wide one beside", async () => {
    const machine = makeUsedMachine();
    const { out } = await machine.run("setup --yes", undefined, { columns: 80 });
    expect(out.split("\n").slice(2, 9)).toEqual([
      "Claude Code   1 MCP server, 14 hooks, status line, own list off",
      "              ~/.claude.json, ~/.claude/settings.json",
      "Codex         1 MCP server, 11 hooks, tool made visible, own list off",
      "              ~/.codex/config.toml, ~/.codex/hooks.json",
      "Milepost      settings, the script that agents start",
      "              ~/.local/state/milepost/config.json,",
      "              ~/.local/state/milepost/wiring/milepost.sh",
    ]);
    for (const columns of [60, 80])
      for (const line of ["setup", "doctor"]) {
        const { out: rows } = await makeUsedMachine().run(line, "1\ny\n", { columns });
        const commands = rows.match(/^.*(?:milepost setup|Undo: milepost unsetup).*$/gm);
        expect(commands?.length).toBeGreaterThan(0);
        // A path is not broken.
        const texts = rows.split("\n").filter((row) => !/^(?:Store|Settings) \S+$/.test(row));
        expect(texts.filter((row) => row.length > columns)).toEqual([]);
      }
    const asked = await makeUsedMachine().run("setup", "1\ny\n", { columns: 80 });
    expect(asked.out).toMatch(
      /^Done\. .* wired\.\nLook: milepost {3}Check: milepost doctor {3}Undo: milepost unsetup\n$/m,
    );
    expect(Math.max(...asked.out.split("\n").map((row) => row.length))).toBeLessThanOrEqual(80);
  });
});

describe("where nobody can be asked", () => {
  test.each([
    ["setup codex --todo client", "setup codex --todo client --yes"],
    ["setup --tasks --hooks commands", "setup --tasks --hooks commands --yes"],
    ["setup --no-tasks --guidance --no-own-list", "setup --no-tasks --guidance --no-own-list --yes"],
    ["setup --store team's.db", "setup --store 'team'\\''s.db' --yes"],
  ])("%s: the whole command is named", async (line, whole) => {
    const machine = makeUsedMachine();
    const { exit, out, err } = await machine.run(line);
    expect([exit, err]).toEqual([1, expect.stringContaining(`To make these changes: milepost ${whole} [needs-yes]`)]);
    expect(out).toMatch(/^Codex {9}.*\d+ hooks/m);
  });

  test("unsetup names it, too", async () => {
    const machine = makeUsedMachine();
    await machine.run("setup --yes");
    expect(await machine.run("unsetup codex")).toMatchObject({
      exit: 1,
      out: expect.stringMatching(
        /^Codex {9}our entries removed {3}~\/\.codex\/hooks\.json, ~\/\.codex\/config\.toml$/m,
      ),
      err: expect.stringContaining("To make these changes: milepost unsetup codex --yes [needs-yes]"),
    });
  });

  test("an agent that is not here is not said to be found", async () => {
    const machine = makeMachine([".claude"]);
    expect((await machine.run("setup --yes")).out).toMatch(/^Found Claude Code\.\n/);
    expect((await machine.run("setup codex --yes")).out).toMatch(/^Codex was not found here: it is wired for when/);
  });
});

describe("from list to list", () => {
  const LINES = {
    ours: "setup --todo ours --yes",
    client: "setup --todo client --yes",
    advised: "setup --todo client --guidance --yes",
    tasks: "setup --tasks --todo ours --yes",
    one: "unsetup codex --yes",
  };
  test.each([
    ["ours client"],
    ["client ours"],
    ["ours client ours"],
    ["client advised ours client"],
    ["tasks client tasks"],
    ["advised one ours"],
    ["ours one client one tasks"],
  ])("%s, then unsetup: every file is what it was, to the byte", async (order) => {
    const machine = makeUsedMachine();
    machine.write(".local/state/milepost/config.json", '{"digest.tokens": 900}');
    machine.write(".claude/CLAUDE.md", "Be brief.");
    const before = machine.texts();
    for (const word of order.split(" ")) {
      expect(await machine.run(LINES[word as keyof typeof LINES])).toMatchObject({ exit: 0, err: "" });
      expect(settings(machine)["digest.tokens"]).toBe(900);
    }
    const last = order.split(" ").at(-1);
    if (last !== "one")
      expect(offered(machine)).toEqual(last === "client" ? CLIENT : { ...OURS, ...TASKS[last ?? ""] });
    expect(await machine.run("unsetup --yes")).toMatchObject({ exit: 0 });
    expect(machine.texts()).toEqual(before);
  });

  const TASKS: Record<string, object> = { tasks: { server: ["mcp", "--tasks"], codex: ["mcp", "--tasks"] } };

  test("the agents that were found fit into the window", async () => {
    const agents = [".claude", ".codex", ".omp/agent", ".pi/agent", ".openclaw", ".gemini", ".qwen", ".copilot"];
    const { out } = await makeMachine(agents).run("setup", "", { columns: 80 });
    const [found = ""] = out.split("\n\n");
    expect(found.split("\n")).toEqual([
      "Found Claude Code, Codex, oh-my-pi, pi, OpenClaw, Gemini CLI, Qwen Code and",
      "Copilot CLI.",
    ]);
  });

  test("a list that cannot be switched off is told of, where ours is chosen", async () => {
    const machine = makeMachine([".copilot"]);
    const [first, second] = [await machine.run("setup --yes"), await machine.run("setup --yes")];
    expect(first.out).toContain("\nCopilot CLI keeps todos with its sql tool, which has no switch.\n");
    expect(second.out).toMatch(/^Found Copilot CLI\.\n\nNothing to change: /);
  });

  test("an agent without a file for advice is told of, whichever list its model keeps", async () => {
    const machine = makeMachine([".qwen"]);
    for (const list of ["ours", "client"]) {
      const { out } = await machine.run(`setup qwen --todo ${list} --guidance --yes`);
      expect(out.replace(/\s+/g, " ")).toContain("Qwen Code: --guidance adds nothing: setup knows no file");
      expect(out).toContain("milepost guidance --help\n");
    }
  });

  test("advice is written only where the model keeps the client's own list, and names its tools", async () => {
    const machine = makeUsedMachine();
    await machine.run("setup --todo client --guidance --yes");
    expect(machine.read(".claude/CLAUDE.md")).toContain(
      "keep a list with TaskCreate and TaskUpdate, or TodoWrite, for",
    );
    expect(machine.read(".codex/AGENTS.md")).toContain("keep a list with update_plan for");
    const { out } = await machine.run("setup --todo ours --guidance --yes");
    expect(out).toMatch(/--guidance adds nothing to\s+\S*CLAUDE\.md:\s+the\s+tool's\s+own\s+instructions/);
    expect(existsSync(join(machine.home, ".claude/CLAUDE.md"))).toBe(false);
    expect(existsSync(join(machine.home, ".codex/AGENTS.md"))).toBe(false);
  });

  test("names that a person has denied stay denied", async () => {
    const machine = makeUsedMachine();
    machine.write(".claude/settings.json", '{ "permissions": { "deny": ["TodoWrite"] } }');
    await machine.run("setup claude-code --yes");
    await machine.run("setup claude-code --todo client --yes");
    expect(JSON.parse(machine.read(".claude/settings.json")).permissions).toEqual({ deny: ["TodoWrite"] });
  });

  test("a settings file that cannot be read stops everything", async () => {
    const machine = makeUsedMachine();
    machine.write(".local/state/milepost/config.json", "{ broken");
    expect(await machine.run("setup --yes")).toMatchObject({
      exit: 1,
      err: expect.stringMatching(/config\.json is not JSON/),
    });
    expect(machine.read(".claude.json")).toBe("{}");
  });
});

test("the document shows what is shown", async () => {
  const machine = makeMachine();
  for (const [name, text] of [
    ["claude", "2.1.325 (Claude Code)"],
    ["codex", "codex-cli 0.166.0"],
  ] as const) {
    machine.write(`bin/${name}`, `#!/bin/sh\necho '${text}'\n`);
    chmodSync(join(machine.home, `bin/${name}`), 0o755);
  }
  const { out } = await machine.run("setup", "\ny\n");
  const document = readFileSync(new URL("../docs/setup.md", import.meta.url), "utf8");
  const [, screen = ""] = /\$ milepost setup\n([\s\S]*?)```/.exec(document) ?? [];
  const asked = /^(?:Choose \[1\]:|Make these changes\? \[y\]es, \[d\]iff, \[n\]o: y)\n/gm;
  expect(out).toBe(screen.replaceAll(asked, ""));
  expect(screen.match(asked)).toHaveLength(2);
});

describe("an adapter of Codex with an older Codex in it", () => {
  const says = (machine: Machine, script: string) => {
    machine.write("bin/codex-acp", `#!/bin/sh\n${script}\n`);
    chmodSync(join(machine.home, "bin/codex-acp"), 0o755);
    return machine.run("setup codex --yes");
  };
  const refusal = "Error: error loading config: config.toml:7:1: invalid type: map, expected a boolean";

  test("that refuses our key is named, with the words that start it", async () => {
    const { out } = await says(makeUsedMachine(), `echo '${refusal}' >&2\nexit 1`);
    expect(out).toMatch(/Start it with:\scodex-acp -c features\.code_mode=false\n/);
  });

  test.each([
    ["takes it and waits for its editor", "/bin/sleep 5"],
    ["ends for another reason", "echo 'no login' >&2\nexit 1"],
  ])("that %s is not", async (_, script) => {
    expect((await says(makeUsedMachine(), script)).out).not.toContain("codex-acp");
  });
});

describe("the version of what was found", () => {
  const put = (machine: Machine, name: string, text: string) => {
    machine.write(name, text);
    chmodSync(join(machine.home, name), 0o755);
  };
  test("is in its package, in its path, or said by it; and nobody waits for it", { timeout: 20_000 }, async () => {
    const machine = makeUsedMachine();
    put(machine, "bin/claude", "#!/bin/sh\necho '2.1.325 (Claude Code)'\n/bin/sleep 9 &\n");
    put(machine, "bin/codex", '#!/bin/sh\n[ "$1" = --version ] && /bin/sleep 9\n');
    expect((await machine.run("setup --dry-run")).out).toMatch(/^Found Claude Code 2\.1\.325 and Codex\.\n/);
  });
});
