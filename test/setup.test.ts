import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { run } from "./hook-process.js";
import { type Ran, runWarm } from "./warm-command.js";

// setup, unsetup and doctor as people run them: the built command, in a home folder of its own.
const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "milepost-setup-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What tests look into of the files of agents. */
interface AgentFile {
  readonly mcpServers: { readonly milepost: { readonly args: readonly string[] } };
  readonly hooks: { readonly Stop: { readonly hooks: readonly { type: string; command: string }[] }[] };
}

/** Of what doctor finds. */
interface Finding {
  readonly code: string;
  readonly message: string;
}

interface Home {
  readonly path: string;
  readonly environment: NodeJS.ProcessEnv;
  file(name: string): string;
  read(name: string): string;
  write(name: string, text: string): void;
  json(name: string): AgentFile;
  /** Every file but our backups and our own folder. */
  texts(): Readonly<Record<string, string>>;
  run(line: string | readonly string[], options?: { env?: NodeJS.ProcessEnv; command?: string }): Ran;
}
let homes = 0;
function makeHome({ agents = [".claude", ".codex"], name = `h${++homes}` } = {}): Home {
  const path = join(folder, name);
  for (const agent of ["", ...agents]) mkdirSync(join(path, agent), { recursive: true });
  const file = (name: string) => join(path, name);
  const read = (name: string) => readFileSync(file(name), "utf8");
  // No temporary folder around this project: a clone in one would be copied first.
  const ownEnvironment = { PATH: "/usr/bin:/bin", HOME: path, TMPDIR: "/nowhere", MILEPOST_HOME: join(path, "state") };
  return {
    path,
    environment: ownEnvironment,
    file,
    read,
    write(name, text) {
      mkdirSync(dirname(file(name)), { recursive: true });
      writeFileSync(file(name), text);
    },
    json: (name) => JSON.parse(read(name)),
    texts() {
      const names = readdirSync(path, { recursive: true, encoding: "utf8" }).filter(
        (name) => statSync(file(name)).isFile() && !/milepost-backup|^state/.test(name),
      );
      return Object.fromEntries(names.sort().map((name) => [name, read(name)]));
    },
    run(line, { env = {}, command } = {}) {
      const args = typeof line === "string" ? line.split(" ") : line;
      const environment = { ...ownEnvironment, ...env };
      if (command === undefined) return runWarm(args, { folder: path, environment });
      const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args], {
        encoding: "utf8",
        input: "",
        cwd: path,
        env: environment,
      });
      return { exit: status, out: stdout, err: stderr };
    },
  };
}

test("one folder of oh-my-pi and pi: the second finds what the first has written, and says nothing of what it never had", () => {
  const { run } = makeHome({ agents: ["a"] });
  const env = { PI_CODING_AGENT_DIR: join(folder, `h${homes}`, "a") };
  for (const agent of ["pi", "oh-my-pi"]) {
    const { exit, out } = run(`setup ${agent} --yes`, { env });
    expect([exit, out]).toEqual([0, expect.not.stringContaining("offered task")]);
  }
});

const SETTINGS = `{
  "model": "opus",
  "permissions": { "allow": ["Bash(ls)"] },
  "hooks": {
    "Stop": [{ "hooks": [{ "type": "command", "command": "say done" }] }]
  }
}
`;
const CONFIG = '# mine\r\nmodel = "x"\r\n\r\n[mcp_servers.other]\r\ncommand = "y"';

function makeUsedHome(): Home {
  const home = makeHome();
  home.write(".claude.json", '{"numStartups":3,"mcpServers":{}}');
  home.write(".claude/settings.json", SETTINGS);
  home.write(".claude/CLAUDE.md", "Be brief.");
  home.write(".codex/config.toml", CONFIG);
  return home;
}

describe("setup and unsetup", () => {
  test("setup, setup, unsetup: every file is what it was, to the byte, with its mode", () => {
    const home = makeUsedHome();
    chmodSync(home.file(".claude/settings.json"), 0o640);
    const before = home.texts();
    const first = home.run("setup --yes --no-own-list");
    expect(first).toMatchObject({ exit: 0, err: "" });
    const wired = home.texts();
    expect(Object.keys(wired)).toEqual([...Object.keys(before), ".codex/hooks.json"].sort());
    expect(home.run("setup --yes")).toMatchObject({ exit: 0, out: expect.stringMatching(/Nothing to change: /) });
    expect(home.texts()).toEqual(wired);
    expect(home.run("unsetup --yes")).toMatchObject({ exit: 0, err: "" });
    expect(home.texts()).toEqual(before);
    expect(statSync(home.file(".claude/settings.json")).mode & 0o777).toBe(0o640);
    expect(readdirSync(home.file("state")).filter((name) => name !== "cache")).toEqual([]);
    expect(home.run("unsetup --yes")).toMatchObject({
      exit: 0,
      out: expect.stringMatching(/^Nothing to change: setup has added nothing to the files of Claude Code, Codex/),
    });
  });

  test("what a person writes in between stays, and ours goes; also when nobody remembers what was added", () => {
    for (const isForgotten of [false, true]) {
      const home = makeUsedHome();
      home.run("setup --yes");
      if (isForgotten) rmSync(home.file("state/setup.json"));
      const settings = home.read(".claude/settings.json");
      home.write(
        ".claude/settings.json",
        settings.replace('"model": "opus",', '"model": "sonnet",\n  "theme": "dark",'),
      );
      home.write(".codex/config.toml", `${home.read(".codex/config.toml")}\r\n[tui]\r\nx = 1\r\n`);
      home.write(".claude/CLAUDE.md", `${home.read(".claude/CLAUDE.md")}\nMore.\n`);
      expect(home.run("unsetup --yes")).toMatchObject({ exit: 0 });
      expect(home.read(".claude/settings.json")).toBe(
        SETTINGS.replace('"model": "opus",', '"model": "sonnet",\n  "theme": "dark",'),
      );
      expect(home.read(".codex/config.toml")).toBe(`${CONFIG}\r\n\r\n[tui]\r\nx = 1\r\n`);
      expect(home.read(".claude/CLAUDE.md")).toBe("Be brief.\nMore.\n");
      expect(home.json(".claude.json")).toEqual(isForgotten ? { numStartups: 3 } : { numStartups: 3, mcpServers: {} });
    }
  });

  test("files that setup made go again, with the folders it made for them", () => {
    const home = makeHome({ agents: [] });
    expect(home.run("setup codex --yes")).toMatchObject({ exit: 0 });
    expect(Object.keys(home.texts())).toEqual([".codex/config.toml", ".codex/hooks.json"]);
    home.run("unsetup --yes");
    expect(existsSync(home.file(".codex"))).toBe(false);
    expect(home.texts()).toEqual({});
    mkdirSync(home.file(".codex"));
    home.run("setup codex --yes");
    home.run("unsetup --yes");
    expect(readdirSync(home.file(".codex"))).toEqual([]);
  });

  test("a file that setup made, and that a person uses since, stays with what is his", () => {
    const home = makeHome({ agents: [".codex"] });
    home.run("setup --yes");
    const hooks = home.json(".codex/hooks.json");
    hooks.hooks.Stop.push({ hooks: [{ type: "command", command: "mine" }] });
    home.write(".codex/hooks.json", JSON.stringify(hooks));
    // A second setup, by another name of the same Node, updates our entries and remembers his.
    cpSync(process.execPath, home.file("node"));
    spawnSync(home.file("node"), [join(root, "dist/milepost.cjs"), "setup", "--yes"], {
      env: { PATH: "", HOME: home.path, TMPDIR: "/nowhere", MILEPOST_HOME: home.file("state") },
    });
    expect(home.read(".codex/hooks.json")).toContain(home.file("node"));
    home.run("unsetup --yes");
    expect(home.json(".codex/hooks.json")).toEqual({
      hooks: { Stop: [{ hooks: [{ type: "command", command: "mine" }] }] },
    });
  });

  test("the files are backed up, and the person is told where", () => {
    const home = makeUsedHome();
    const { out } = home.run("setup claude-code --yes --json");
    const [report] = JSON.parse(out).agents;
    expect(report).toMatchObject({ agent: "claude-code", todo: "ours", tasks: false });
    const own = ["config.json", "wiring/milepost.sh"].map((name) => ({ file: home.file(`state/${name}`) }));
    expect(JSON.parse(out).changed).toEqual(own);
    const changed = report.changed.find(({ file }: { file: string }) => file.endsWith("settings.json"));
    expect(readFileSync(changed.backup, "utf8")).toBe(SETTINGS);
    expect(home.run("setup claude-code --yes --json").out).toMatch(/"changed":\[\]/);
  });
});

describe("the file that agents start", () => {
  const FILE = "state/wiring/milepost.sh";
  const modeOf = (path: string) => statSync(path).mode & 0o777;

  test("is for the person alone, is replaced by a newer setup, and goes with the last agent", () => {
    const home = makeHome();
    home.run("setup --yes");
    expect([modeOf(home.file(FILE)), modeOf(dirname(home.file(FILE)))]).toEqual([0o600, 0o700]);
    const text = home.read(FILE);
    expect(text).toBe(readFileSync(join(root, "src/app/setup/shell/milepost.sh"), "utf8"));
    home.write(FILE, "# older\n");
    const again = home.run("setup codex --yes");
    expect(again.out).toMatch(/^Codex {9}nothing to change$/m);
    expect(again.out).toMatch(/^Milepost {6}the script that agents start {3}\S+milepost\.sh$/m);
    expect([home.read(FILE), modeOf(home.file(FILE))]).toEqual([text, 0o600]);
    home.run("unsetup codex --yes");
    expect(home.read(FILE)).toBe(text);
    expect(home.run("unsetup --yes").out).toMatch(/^Milepost .*wiring\/milepost\.sh$/m);
    expect(existsSync(home.file("state/wiring"))).toBe(false);
  });

  test("is where the agents' own folder of Milepost is, also when nobody names that any more", () => {
    const home = makeHome({ agents: [".claude"] });
    home.run("setup --yes");
    const unnamed = { env: { MILEPOST_HOME: "" } };
    home.run("setup --yes --tasks", unnamed);
    expect(home.json(".claude.json").mcpServers.milepost.args[0]).toBe(home.file(FILE));
    expect(home.read(".claude/settings.json")).toMatch(/ guard .* --fixed"/);
    home.run("unsetup --yes", unnamed);
    expect(existsSync(home.file(FILE))).toBe(false);
  });

  test("cannot be put where something else stands: then nothing is changed", () => {
    const home = makeHome();
    mkdirSync(home.file(FILE), { recursive: true });
    const before = home.texts();
    expect(home.run("setup --yes")).toMatchObject({ exit: 1, err: expect.stringMatching(/is not a regular file/) });
    expect(home.texts()).toEqual(before);
  });

  test("is missed by doctor, and one of another version is named", () => {
    const home = makeHome({ agents: [".claude"] });
    home.run("setup --yes");
    home.write("state/wiring/milepost-claude-code.cjs", STAND_IN);
    const look = () => JSON.parse(home.run("doctor --json").out).wiring[0];
    expect(look()).toMatchObject({ findings: [], notes: [] });
    home.write(FILE, `${home.read(FILE)}# of another version\n`);
    const note = `${home.file(FILE)} is of another version of Milepost.`;
    const command = "milepost setup claude-code";
    expect(look()).toMatchObject({ state: "outdated", command, findings: [], notes: [note] });
    rmSync(home.file(FILE));
    expect(look()).toMatchObject({ state: "broken", command });
    expect(look().findings.map(({ code, message }: Finding) => [code, message])).toEqual([
      [
        "stale-path",
        `Claude Code cannot find its MCP server, hook, status line: ${home.file(FILE)} not found. Run ${command}.`,
      ],
    ]);
    home.run("setup --yes");
    expect(look()).toMatchObject({ notes: [] });
  });
});

describe("before anything is changed", () => {
  test("without a person to ask nothing happens, and it says what to add; a dry run shows the exact change", () => {
    const home = makeUsedHome();
    const before = home.texts();
    for (const [line, exit, err] of [
      ["setup", 1, /^milepost: Nothing was changed.* To make these changes: milepost setup --yes \[needs-yes\]\n$/],
      ["setup --json", 1, /^\{"error":\{"code":"needs-yes",.*: milepost setup --json --yes"\}\}\n$/],
      ["setup --dry-run", 0, /^$/],
    ] as const) {
      const ran = home.run(line);
      expect(ran).toMatchObject({ exit, err: expect.stringMatching(err) });
      if (!line.includes("json")) expect(ran.out).toMatch(/^Codex {9}1 MCP server, \d+ hooks, tool made visible$/m);
      if (line.includes("dry-run")) expect(ran.out).toMatch(/^ {2}\+\[mcp_servers\.milepost\]$/m);
      expect(ran.out).not.toContain("\u001b");
    }
    expect([home.texts(), existsSync(home.file("state"))]).toEqual([before, false]);
    expect(JSON.parse(home.run("setup --dry-run --json").out).agents).toHaveLength(2);
  });

  test("no agent: says what was looked for", () => {
    const home = makeHome({ agents: [] });
    expect(home.run("setup --yes")).toMatchObject({
      exit: 1,
      err: expect.stringMatching(/no command claude, codex.*, and no folder ~\/\.claude, ~\/\.codex.*\[no-agent\]/),
    });
    home.write("bin/codex", "");
    chmodSync(home.file("bin/codex"), 0o755);
    expect(home.run("setup --dry-run", { env: { PATH: home.file("bin") } }).out).toMatch(
      /^Found Codex\.\n\nCodex {9}1 MCP server, \d+ hooks, tool made visible\s.*config\.toml, .*hooks\.json$/ms,
    );
    expect(home.run("setup nobody --yes")).toMatchObject({ exit: 2 });
  });

  test.each([
    ["a broken file", (home: Home) => home.write(".codex/config.toml", "a = \n"), /config\.toml is not TOML/],
    [
      "somebody else's server",
      (home: Home) => home.write(".codex/config.toml", '[mcp_servers.milepost]\ncommand = "x"\n'),
      /setup did not add.*\[foreign-server\]/,
    ],
    [
      "a read-only file",
      (home: Home) => chmodSync(home.file(".codex/config.toml"), 0o444),
      /config\.toml is read-only/,
    ],
    [
      "a link to nothing",
      (home: Home) => symlinkSync("gone.json", home.file(".codex/hooks.json")),
      /hooks\.json is a broken link/,
    ],
    [
      "a folder in its place",
      (home: Home) => mkdirSync(home.file(".codex/hooks.json")),
      /hooks\.json is not a regular file/,
    ],
    [
      "a comment where the client reads plain JSON",
      (home: Home) => home.write(".claude/settings.json", SETTINGS.replace("{\n", "{\n  // mine\n")),
      /settings\.json has a comment \(line 2\), and Claude Code reads plain JSON only\. Fix it.*Nothing was changed/,
    ],
    [
      "a trailing comma",
      (home: Home) => home.write(".claude.json", '{\n  "numStartups": 3,\n}\n'),
      /\.claude\.json has a trailing comma \(line 3\)/,
    ],
    [
      "a byte order mark that Codex does not take",
      (home: Home) => home.write(".codex/hooks.json", "\ufeff{}"),
      /hooks\.json begins with a byte order mark, and Codex reads plain JSON only/,
    ],
    [
      "a comment in our own settings",
      (home: Home) => home.write("state/config.json", "{} // mine"),
      /config\.json has a comment \(line 1\), and Milepost reads plain JSON only/,
    ],
    [
      "bytes that are no text",
      (home: Home) => writeFileSync(home.file(".codex/config.toml"), Buffer.from([0x61, 0xff])),
      /not UTF-8/,
    ],
  ])("%s stops everything, for every agent", (_name, spoil, message) => {
    const home = makeUsedHome();
    spoil(home);
    const before = readdirSync(home.path, { recursive: true, encoding: "utf8" }).sort();
    const settings = home.read(".claude/settings.json");
    expect(home.run("setup --yes")).toMatchObject({ exit: 1, err: expect.stringMatching(message) });
    expect(readdirSync(home.path, { recursive: true, encoding: "utf8" }).sort()).toEqual(before);
    expect(home.read(".claude/settings.json")).toBe(settings);
  });

  test("the agent whose files are sound is named, and doctor says what to fix first", () => {
    const home = makeUsedHome();
    home.write(".claude/settings.json", "{} // mine");
    for (const flags of ["--yes", "--todo client --dry-run --store team.db"])
      expect(home.run(`setup ${flags}`).err).toMatch(
        new RegExp(`Nothing was changed\\. To wire only Codex: milepost setup codex ${flags} \\[bad-config\\]\\n$`),
      );
    expect(home.run("setup claude-code --yes").err).toMatch(/Nothing was changed\. \[bad-config\]\n$/);
    const { out } = home.run("doctor");
    expect(out).toMatch(
      /^warning {2}Claude Code {3}not wired\n {11}\S+settings\.json has a comment \(line 1\).*then run milepost setup claude-code\.$/m,
    );
    expect(out).toMatch(/\. To wire Codex: milepost setup codex\n$/);
    expect(home.run("setup codex --yes")).toMatchObject({ exit: 0 });
  });
});

describe("a file of one agent that stops setup or unsetup", () => {
  const foreign = JSON.stringify({ mcpServers: { milepost: { command: "other" } } });
  test.each<[string, string, (home: Home) => void, string]>([
    [
      "a server of somebody else",
      "setup --yes",
      (home) => home.write(".gemini/settings.json", foreign),
      "gemini mcp remove --scope user milepost. To wire only Claude Code: milepost setup claude-code --yes",
    ],
    [
      "what may have something of ours, and cannot be read",
      "unsetup --yes",
      (home) => {
        home.run("setup --yes");
        home.write(".claude/settings.json", `${home.read(".claude/settings.json")}}`);
      },
      "Nothing was changed. To undo only Codex: milepost unsetup codex --yes",
    ],
  ])("the command for the others is named: %s", (_name, line, spoil, hint) => {
    const home = makeHome();
    spoil(home);
    const { exit, err } = home.run(line);
    expect([exit, err]).toEqual([1, expect.stringContaining(`${hint} [`)]);
    expect(home.run(hint.split(": milepost ").at(-1) ?? "")).toMatchObject({ exit: 0 });
  });
});

test("of JSON5, which OpenClaw reads and we do not, doctor does not say that it has no effect", () => {
  const home = makeHome({ agents: [".openclaw"] });
  home.write(".openclaw/openclaw.json", "{ agents: {} }");
  const { out } = home.run("doctor");
  expect(out).toMatch(/openclaw\.json is not JSON with comments \(line 1\).*OpenClaw may read it, Milepost cannot\./);
  expect(out).not.toContain("Nothing in it has an effect");
});

test("doctor says where Gemini CLI would take a path that was wired for a variable", () => {
  const home = makeHome({ agents: [".gemini"] });
  home.run("setup gemini --yes");
  const settings = home.read(".gemini/settings.json");
  home.write(".gemini/settings.json", settings.replaceAll(home.file("state"), home.file("$HOME")));
  expect(home.run("doctor").out).toContain("Gemini CLI would take $HOME in ");
});

describe("where things are", () => {
  test("a link stays a link, and its target gets the text", () => {
    const home = makeUsedHome();
    home.write("dotfiles/settings.json", SETTINGS);
    rmSync(home.file(".claude/settings.json"));
    symlinkSync("../dotfiles/settings.json", home.file(".claude/settings.json"));
    home.run("setup claude-code --yes");
    expect(readlinkSync(home.file(".claude/settings.json"))).toBe("../dotfiles/settings.json");
    expect(home.read("dotfiles/settings.json")).toContain("milepost.sh hook ");
    expect(readdirSync(home.file("dotfiles"))).toEqual(["settings.json"]);
    home.run("unsetup --yes");
    expect(home.read("dotfiles/settings.json")).toBe(SETTINGS);
  });

  test("folders named in the environment count, and so does Claude Code's old place", () => {
    const home = makeHome({ agents: ["cc", "cx", "old"] });
    const env = { CLAUDE_CONFIG_DIR: home.file("cc"), CODEX_HOME: home.file("cx") };
    home.run("setup --yes", { env });
    expect(Object.keys(home.texts())).toEqual([
      "cc/.claude.json",
      "cc/settings.json",
      "cx/config.toml",
      "cx/hooks.json",
    ]);
    // Without the names, unsetup says where it could not look, and leaves it working.
    expect(home.run("unsetup --yes").out).toMatch(/setup also changed .*cc\/settings\.json/);
    expect(readdirSync(home.file("state/wiring"))).toHaveLength(3);
    home.write("old/.config.json", "{}");
    home.run("setup claude-code --yes", { env: { CLAUDE_CONFIG_DIR: home.file("old") } });
    expect(home.json("old/.config.json").mcpServers.milepost).toBeDefined();
  });

  test("paths with blanks and quotes reach the shell whole", () => {
    const home = makeHome({ name: 'it\'s a "home" $(x)', agents: [".claude"] });
    cpSync(join(root, "dist"), home.file("npm/_npx/1/node_modules/milepost/dist"), { recursive: true });
    cpSync(join(root, "package.json"), home.file("npm/_npx/1/node_modules/milepost/package.json"));
    const command = home.file("npm/_npx/1/node_modules/milepost/dist/milepost.cjs");
    expect(home.run("setup --yes", { command })).toMatchObject({
      exit: 0,
      out: expect.stringMatching(/runs from a temporary folder/),
    });
    const { args } = home.json(".claude.json").mcpServers.milepost;
    const line = home.json(".claude/settings.json").hooks.Stop[0]?.hooks[0]?.command;
    const asked = String(line).replace(" guard ", " --version ");
    const ran = spawnSync("/bin/sh", ["-c", asked], { encoding: "utf8", env: { HOME: home.path } });
    expect([ran.status, ran.stdout, ran.stderr]).toEqual([0, expect.stringMatching(/^\d+\.\d+/), ""]);
    expect(readFileSync(String(args.at(-2)), "utf8")).toMatch(/env\.MILEPOST_HOME/);
  });
});

describe("a Milepost in a temporary place", () => {
  test("is copied to where it stays, works there, is renewed, and goes with the last agent", () => {
    const home = makeHome({ agents: [".claude"] });
    const cached = home.file("npm/_npx/1/node_modules/milepost");
    for (const part of ["dist", "package.json"]) cpSync(join(root, part), join(cached, part), { recursive: true });
    // The package brings SQLite with it: nothing of npm's is beside it here.
    const command = join(cached, "dist/milepost.cjs");
    // Without a home of its own named, agents start the copy itself.
    const env = { MILEPOST_HOME: "", XDG_STATE_HOME: "" };
    home.run("setup --yes", { command, env });
    const copy = home.file(".local/state/milepost/bin/dist/milepost.cjs");
    expect(home.json(".claude.json").mcpServers.milepost.args.slice(-2)).toEqual([copy, "mcp"]);
    rmSync(home.file("npm"), { recursive: true });
    const call = JSON.stringify({ tool: "todo", input: { add: ["a"] } });
    const ran = spawnSync(process.execPath, [copy, "call"], {
      input: call,
      encoding: "utf8",
      env: { HOME: home.path },
    });
    expect([ran.status, ran.stderr, ran.stdout]).toEqual([0, "", expect.stringMatching(/Added 1/)]);
    // Run from the copy itself, there is nothing to do.
    expect(home.run("setup --yes", { command: copy, env }).out).toMatch(/Nothing to change/);
    cpSync(join(root, "dist"), join(cached, "dist"), { recursive: true });
    cpSync(join(root, "package.json"), join(cached, "package.json"));
    writeFileSync(join(cached, "dist/cli.cjs"), `${readFileSync(join(cached, "dist/cli.cjs"), "utf8")}\n// newer`);
    home.run("setup --yes", { command, env });
    expect(readFileSync(join(dirname(copy), "cli.cjs"), "utf8")).toMatch(/\/\/ newer$/);
    home.run("unsetup --yes", { command, env });
    expect(existsSync(copy)).toBe(false);
  });
});

describe("the store that was named", () => {
  test("is the one that agents use, whatever they are started with, and no password reaches their files", () => {
    const home = makeHome();
    const server = "postgres://me:secret@host/db";
    const ran = home.run(["setup", "--yes", "--store", server]);
    expect(ran).toMatchObject({ exit: 0 });
    expect(ran.out).not.toContain("secret");
    expect(JSON.stringify(home.texts())).not.toContain("secret");
    const script = String(home.json(".claude.json").mcpServers.milepost.args.at(-2));
    expect(script).toBe(home.file("state/wiring/milepost-claude-code.cjs"));
    expect(readFileSync(script, "utf8")).toContain(server);
    expect(statSync(script).mode & 0o777).toBe(0o600);
    home.run("unsetup --yes");
    expect(existsSync(home.file("state/wiring"))).toBe(false);
  });

  test("is used by what they start; a path is taken from here", () => {
    const home = makeHome({ agents: [".codex"] });
    home.run("setup --yes --store work.db", { command: join(root, "dist/milepost.cjs") });
    const script = home.file("state/wiring/milepost-codex.cjs");
    const call = JSON.stringify({ tool: "todo", input: { add: ["a"] } });
    spawnSync(process.execPath, [script, "call"], { input: call, cwd: "/", env: { HOME: home.path } });
    expect(existsSync(home.file("work.db"))).toBe(true);
  });

  test("cannot be one in memory", () => {
    const home = makeHome();
    expect(home.run("setup --yes --store memory:")).toMatchObject({
      exit: 1,
      err: expect.stringMatching(/cannot be shared.*\[no-shared-store\]/),
    });
  });
});

/** A stand-in for the bundle: it speaks as each surface should, or as it is told to fail. */
const STAND_IN = `
const surface = process.argv[2];
const fails = (process.env.FAILS ?? "").split(",");
if (fails.includes(surface + "-exit")) { console.error("no such luck"); process.exit(4); }
if (surface === "mcp") require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined || fails.includes("mcp-silence")) return;
  const tools = fails.includes("mcp-empty") ? [] : [{ name: fails.includes("mcp-names") ? { toString: 0 } : "todo" }];
  const content = fails.includes("mcp-hook") ? [] : [{ type: "text", text: '{"store":"/s.db"}' }];
  const hello = fails.includes("mcp-odd") ? {} : { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "x", version: "1" } };
  const answer = fails.includes("mcp-error") ? { error: { code: 1, message: "no" } } : { result: method === "tools/list" ? { tools } : method === "tools/call" ? { content } : hello };
  console.log(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
});
if (surface === "hook") {
  const { hook_event_name } = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
  if (hook_event_name !== "Doctor") process.exit(5);
  const store = fails.includes("hook-store") ? { systemMessage: "The store is gone" } : fails.includes("hook-message") ? { systemMessage: { toString: 0 } } : { store: fails.includes("hook-place") ? { toString: 0 } : "/s.db" };
  if (!fails.includes("hook-silence")) console.log(fails.includes("hook-text") ? "7" : JSON.stringify(store));
}
if (surface === "statusline") console.log("1/3");
`;

describe("what looks like ours, and is not", () => {
  test("stays, through setup and unsetup, also when nobody ran setup", () => {
    const home = makeHome();
    const foreign = ["node /opt/other/dist/bin.cjs hook", "node /opt/x/wiring/x.cjs hook"];
    const before = JSON.stringify({
      hooks: { Stop: foreign.map((command) => ({ matcher: "", hooks: [{ type: "command", command }] })) },
      statusLine: { type: "command", command: "node /opt/line/dist/bin.cjs statusline" },
    });
    home.write(".claude/settings.json", before);
    home.run("unsetup --yes");
    expect(home.read(".claude/settings.json")).toBe(before);
    home.run("setup --yes");
    for (const command of foreign) expect(home.read(".claude/settings.json")).toContain(command);
    home.run("unsetup --yes");
    expect(home.read(".claude/settings.json")).toBe(before);
  });
});

describe("a store that was named", () => {
  test("is meant at the next setup, too", () => {
    const home = makeHome();
    const store = home.file("team.db");
    home.run(`setup codex --yes --store ${store}`);
    // Whether or not a folder of ours is named along.
    home.run("setup codex --yes");
    const elsewhere = { MILEPOST_HOME: "" };
    const again = home.run("setup codex --yes", { env: elsewhere });
    expect(again.out).toContain(`The store of the last setup is kept: ${store}`);
    const [, script = ""] = /^args = .*"([^"]+)", "mcp"\]$/m.exec(home.read(".codex/config.toml")) ?? [];
    expect(readFileSync(script, "utf8")).toContain(store);
  });

  test("backups do not pile up", () => {
    const home = makeHome();
    home.write(".codex/config.toml", "# mine\n");
    for (let round = 0; round < 4; round += 1)
      for (const line of ["setup codex --yes", "unsetup codex --yes"]) home.run(line);
    const backups = readdirSync(home.file(".codex")).filter((name) => name.includes("config.toml.milepost-backup"));
    expect(backups).toHaveLength(3);
  });
});

describe("doctor", () => {
  const wiredHome = (agents = [".claude", ".codex"]) => {
    const home = makeHome({ agents });
    home.run("setup --yes");
    for (const agent of ["claude-code", "codex"]) home.write(`state/wiring/milepost-${agent}.cjs`, STAND_IN);
    return home;
  };

  // It waits while the others are run.
  let silent: Promise<Ran> | undefined;
  beforeAll(() => {
    const home = wiredHome([".claude"]);
    silent = run(["doctor"], "", { ...home.environment, FAILS: "mcp-silence" });
  });

  const NOT_WIRED = { state: "not-wired", plugin: null, works: [], findings: [], notes: [] };

  test("says what is not wired, and the command for it; nothing of agents that are not here", () => {
    const home = makeHome();
    home.write("state/config.json", '{"reminders":"perhaps","remindrs":1}');
    const { exit, out } = home.run("doctor");
    expect([exit, out.split("\n")]).toEqual([
      0,
      [
        "Agents",
        "off      Claude Code   not wired. To wire it: milepost setup claude-code",
        "off      Codex         not wired. To wire it: milepost setup codex",
        "",
        `Store ${home.file("state/milepost.db")}`,
        "ok       No store yet; it is created on first use",
        "",
        `Settings ${home.file("state/config.json")}`,
        `warning  There is no setting remindrs: it is ignored in ${home.file("state/config.json")}. [unknown-setting]`,
        'warning  reminders cannot be "perhaps": use on or off. To reset it: milepost config reminders default [bad-setting]',
        "",
        "No problems, 2 warnings. To wire Claude Code and Codex: milepost setup",
        "",
      ],
    ]);
    const only = makeHome({ agents: [".codex"] });
    expect(JSON.parse(only.run("doctor --json").out)).toMatchObject({
      wiring: [{ agent: "codex", title: "Codex", version: null, command: "milepost setup codex", ...NOT_WIRED }],
      settings: { file: only.file("state/config.json"), set: [], findings: [] },
      isHealthy: true,
    });
    expect(makeHome({ agents: [] }).run("doctor").out).toMatch(/^Agents\noff {6}none was found\n/);
  });

  test("starts what agents start, and says what works", () => {
    const home = wiredHome();
    const { exit, out } = home.run("doctor");
    expect(exit).toBe(0);
    const works = "MCP server (tools: todo), hook (store /s.db)";
    expect(out.split("\n").slice(0, 6)).toEqual([
      "Agents",
      "ok       Claude Code   wired",
      `           ${works}, status line`,
      "warning  Codex         wired",
      `           ${works}, Codex: todo is offered directly`,
      "           Codex skips the hooks until you trust them: start codex once, and trust them.",
    ]);
    const whole = { version: null, state: "wired", command: null, plugin: null };
    expect(JSON.parse(home.run("doctor --json").out).wiring).toEqual([
      {
        agent: "claude-code",
        title: "Claude Code",
        ...whole,
        works: ["MCP server (tools: todo)", "hook (store /s.db)", "status line"],
        findings: [],
        notes: [],
      },
      {
        agent: "codex",
        title: "Codex",
        ...whole,
        works: ["MCP server (tools: todo)", "hook (store /s.db)", "Codex: todo is offered directly"],
        findings: [],
        notes: [expect.stringMatching(/until you trust them/)],
      },
    ]);
  });

  test("the document shows what is shown", () => {
    const home = wiredHome();
    home.run("unsetup codex --yes");
    for (const [name, version] of [
      ["claude", "2.1.325 (Claude Code)"],
      ["codex", "codex-cli 0.166.0"],
    ] as const) {
      home.write(`bin/${name}`, `#!/bin/sh\necho '${version}'\n`);
      chmodSync(home.file(`bin/${name}`), 0o755);
    }
    const { out } = home.run("doctor", { env: { PATH: `${home.file("bin")}:/usr/bin:/bin` } });
    const document = readFileSync(join(root, "docs/setup.md"), "utf8");
    const [, screen] = /^```\n(Agents\n[\s\S]*?)```/m.exec(document) ?? [];
    const shown = out.replaceAll(home.file("state"), "/home/me/.local/state/milepost").replace(" (store /s.db)", "");
    expect(shown).toBe(screen);
  });

  test.each([
    ["mcp-exit", "server-failed", /MCP server, but it fails: it exited with 4: no such luck/],
    ["mcp-error", "server-failed", /answered with an error/],
    ["mcp-odd", "server-failed", /answer to initialize is incomplete/],
    ["mcp-empty", "server-failed", /offers no tool/],
    ["mcp-hook", "server-failed", /MCP server, but it fails: a hook's call of it fails: it did not answer/],
    ["hook-exit", "hook-failed", /hook, but it fails: it exited with 4/],
    ["hook-text", "hook-failed", /not a JSON object/],
    ["hook-silence", "hook-failed", /did not answer/],
    ["hook-store", "hook-failed", /The store is gone/],
    ["hook-message", "hook-failed", /reports a problem that cannot be read/],
    ["hook-place", "hook-failed", /does not say which store it uses/],
    ["statusline-exit", "statusline-failed", /status line, but it fails/],
  ])("finds a surface that fails: %s", (fails, code, message) => {
    // Both agents start the same surfaces.
    const ran = wiredHome([".claude"]).run("doctor --json", { env: { FAILS: fails } });
    expect(ran).toMatchObject({ exit: 1, err: expect.stringMatching(/wiring-broken/) });
    const { findings, state, command } = JSON.parse(ran.out).wiring[0];
    expect([state, command]).toEqual(["broken", "milepost setup claude-code"]);
    expect(findings).toEqual([{ code, level: "broken", message: expect.stringMatching(message) }]);
    expect(findings[0].message).toMatch(/Run milepost setup claude-code\.$/);
  });

  test("a tool whose name is no text has none", () => {
    const { out } = wiredHome([".claude"]).run("doctor --json", { env: { FAILS: "mcp-names" } });
    expect(JSON.parse(out).wiring[0].works).toContain("MCP server (tools: ?)");
  });
  test("finds a file that the agent passes over; unsetup takes our entries out of it and leaves the comment", () => {
    const home = wiredHome();
    home.write(".claude/settings.json", `// mine\n${home.read(".claude/settings.json")}`);
    const { exit, out } = home.run("doctor");
    expect([exit, out]).toEqual([
      1,
      expect.stringMatching(/settings\.json has a comment \(line 1\), and Claude Code reads .*\[unread-file\]/),
    ]);
    expect(out).toMatch(/^BROKEN {3}Claude Code {3}broken$/m);
    expect(out).not.toContain("half-wired");
    expect(home.run("unsetup --yes")).toMatchObject({ exit: 0 });
    expect(home.read(".claude/settings.json")).toBe("// mine\n{}\n");
  });

  test("a file in the place of ours is named, as setup would stop at it", () => {
    const home = makeHome({ agents: [".pi/agent/extensions"] });
    home.write(".pi/agent/extensions/milepost.js", "mine");
    const { exit, out } = home.run("doctor");
    expect([exit, out]).toEqual([
      0,
      expect.stringMatching(
        /^warning {2}pi {3}not wired\n {11}\S+milepost\.js is not of setup\. Move it away, then run milepost setup pi\.$/m,
      ),
    ]);
  });

  test("a file that setup wrote and that is no JSON any more is broken, not as if there had been no setup", () => {
    const home = wiredHome([".gemini"]);
    home.write(".gemini/settings.json", `${home.read(".gemini/settings.json")}{,`);
    const { exit, out, err } = home.run("doctor");
    expect([exit, out]).toEqual([
      1,
      expect.stringMatching(/settings\.json is not JSON \(line \d+\)\. .*\[unread-file\]$/m),
    ]);
    expect(out).toMatch(/^BROKEN {3}Gemini CLI {3}broken$/m);
    expect(err).toBe("milepost: The wiring of Gemini CLI is broken; see above. [wiring-broken]\n");
  });

  test("finds paths that are gone, and entries that are missing", () => {
    const home = wiredHome();
    rmSync(home.file("state/wiring/milepost-codex.cjs"));
    const { hooks, ...rest } = home.json(".claude/settings.json");
    const { Stop, ...others } = hooks;
    home.write(".claude/settings.json", JSON.stringify({ ...rest, hooks: others }));
    const { out, err } = home.run("doctor");
    expect(out).toMatch(
      /^ {11}Codex cannot find its MCP server, hook: \S+codex\.cjs not found\. Run milepost setup codex\. \[stale-path\]$/m,
    );
    expect(out).toMatch(/^BROKEN {3}Claude Code {3}broken\. To mend it: milepost setup claude-code$/m);
    expect(out).toMatch(/^ {11}Claude Code is set up without the hooks for Stop\. .*\[half-wired\]$/m);
    expect(err).toBe(
      "milepost: The wiring of Claude Code and Codex is broken; see above. To mend it: milepost setup [wiring-broken]\n",
    );
    home.run("setup --yes");
    expect(home.run("doctor").out).not.toMatch(/stale-path|half-wired/);
  });

  test.each([
    ["a model that is named", 'model = "gpt-6-sol"\n', {}, [], /^Codex \(gpt-6-sol\): todo is offered directly$/],
    ["a model that is told of every tool", 'model = "m"\n', { m: {} }, ["hidden"], /^Codex \(m\): .* directly$/],
    ["a model that searches", 'model = "m"\n', { m: { supports_search_tool: true } }, ["hidden"], "hidden-tool"],
    ["a model that writes code", 'model = "m"\n', { m: { tool_mode: "code_mode_only" } }, ["hidden"], "hidden-tool"],
    ["a model that nobody knows", 'model = "n"\n', { m: {} }, ["hidden"], "hidden-tool"],
    ["only left out of code mode", "", {}, ["hidden", "excluded"], "hidden-tool"],
  ] as const)("says whether Codex tells its model of todo: %s", (_name, config, models, how, expected) => {
    const home = makeHome({ agents: [".codex"] });
    home.write(".codex/config.toml", config);
    home.run("setup codex --yes");
    home.write("state/wiring/milepost-codex.cjs", STAND_IN);
    const cache = Object.entries(models).map(([slug, more]) => ({ slug, ...more }));
    home.write(".codex/models_cache.json", JSON.stringify({ models: cache }));
    const words: readonly string[] = how;
    const name = words.includes("excluded") ? "excluded_tool_namespaces" : "other_key";
    if (words.includes("hidden"))
      home.write(".codex/config.toml", home.read(".codex/config.toml").replace("direct_only_tool_namespaces", name));
    const [{ works, findings }] = JSON.parse(home.run("doctor --json").out).wiring;
    if (expected === "hidden-tool") {
      const message = expect.stringMatching(/^Codex.*: todo is not offered directly.*\. Run milepost setup codex\.$/);
      expect(findings).toEqual([{ code: "hidden-tool", level: "broken", message }]);
    } else expect([works.at(-1), findings]).toEqual([expect.stringMatching(expected), []]);
  });

  test.each([
    ["takes the key", "exit 0", { hasKey: true, notes: 0, codes: [] }],
    ["is too old for it", 'case "$*" in *direct_only*) exit 1;; esac', { hasKey: false, notes: 1, codes: [] }],
    [
      "starts with nothing",
      "echo 'Error: odd settings' >&2; exit 1",
      { hasKey: true, notes: 0, codes: ["refused-settings"] },
    ],
  ])("asks a Codex that %s", (_name, body, { hasKey, notes, codes }) => {
    const home = makeHome({ agents: [".codex"] });
    home.write("bin/codex", `#!/bin/sh\n${body}\n`);
    chmodSync(home.file("bin/codex"), 0o755);
    const env = { PATH: `${home.file("bin")}:/usr/bin:/bin` };
    const ran = home.run("setup codex --yes", { env });
    expect(home.read(".codex/config.toml").includes("direct_only_tool_namespaces")).toBe(hasKey);
    expect(ran.out.match(/This version of Codex cannot/g) ?? []).toHaveLength(notes);
    home.write("state/wiring/milepost-codex.cjs", STAND_IN);
    const [found] = JSON.parse(home.run("doctor --json", { env }).out).wiring;
    expect(found.findings.map(({ code }: Finding) => code)).toEqual(codes);
    expect(found.notes.filter((note: string) => /This version cannot/.test(note))).toHaveLength(notes);
  });

  test("knows a profile that hides it", () => {
    const home = wiredHome();
    home.write(".codex/work.config.toml", '[features.code_mode]\ndirect_only_tool_namespaces = ["a"]\n');
    home.write(".codex/other.config.toml", 'model = "x"\n');
    const [, { notes }] = JSON.parse(home.run("doctor --json").out).wiring;
    expect(notes).toEqual([
      expect.anything(),
      expect.stringMatching(/^The profile .*work\.config\.toml hides todo: add/),
    ]);
  });

  test("an agent whose hooks are all commands is not behind", () => {
    const home = makeHome({ agents: [".copilot"] });
    home.write(".copilot/mcp-config.json", '{"mcpServers": {}}');
    const before = home.texts();
    home.run("setup --yes");
    const [wiring] = JSON.parse(home.run("doctor --json").out).wiring;
    expect(wiring).toMatchObject({ agent: "copilot", state: "wired", findings: [], notes: [] });
    home.run("unsetup --yes");
    expect(home.texts()).toEqual(before);
  });

  test("names a setup of an earlier version, and a launcher whose Milepost is gone", () => {
    const home = wiredHome([".claude"]);
    const script = home.file("state/wiring/milepost-claude-code.cjs");
    const old = `${process.execPath} ${script} hook`;
    const { hooks, ...rest } = home.json(".claude/settings.json");
    home.write(
      ".claude/settings.json",
      JSON.stringify({ ...rest, hooks: { ...hooks, Stop: [{ hooks: [{ type: "command", command: old }] }] } }),
    );
    const [earlier] = JSON.parse(home.run("doctor --json").out).wiring;
    const command = "milepost setup claude-code";
    const notes = ["An earlier version did this setup."];
    expect(earlier).toMatchObject({ state: "outdated", command, notes, findings: [] });
    expect(home.run("doctor").out).toMatch(
      /^warning {2}Claude Code {3}wired, out of date\. To update it: milepost setup claude-code$/m,
    );
    home.run("setup --yes");
    home.write("state/wiring/milepost-claude-code.cjs", `try {\n  require("/gone/dist/milepost.cjs");\n} catch {}\n`);
    const [gone] = JSON.parse(home.run("doctor --json").out).wiring;
    expect(gone.notes).toEqual([]);
    expect(gone.findings.map(({ message }: Finding) => message)).toEqual([
      expect.stringMatching(/cannot find its MCP server, hook, status line: \/gone\/dist\/milepost\.cjs not found/),
    ]);
  });

  test("misses no server where the model keeps the client's own list, and says when settings and wiring differ", () => {
    const home = makeHome({ agents: [".claude"] });
    home.run("setup --yes --todo client");
    home.write("state/wiring/milepost-claude-code.cjs", STAND_IN);
    expect(JSON.parse(home.run("doctor --json").out).wiring).toMatchObject([
      { agent: "claude-code", state: "wired", works: ["hook (store /s.db)", "status line"], findings: [], notes: [] },
    ]);
    const notes = () => JSON.parse(home.run("doctor --json").out).wiring[0].notes;
    home.run("setup --yes --todo ours");
    for (const tool of ["tasks", "plans"]) {
      home.run(`config claude-code.${tool} on`);
      expect(notes()).toEqual([expect.stringMatching(/not what is wired\.$/)]);
      home.run("setup --yes");
      expect(notes()).toEqual([]);
    }
  });

  test("does not wait for ever", { timeout: 120_000 }, async () => {
    expect(await silent).toMatchObject({ exit: 1, out: expect.stringMatching(/did not answer within 10 s/) });
  });
});
