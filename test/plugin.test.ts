import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { bin, clean, command, run } from "./hook-process.js";

// The plugin as the build makes it, and what our own commands make of a client that has it.

const dist = dirname(bin);
const folder = mkdtempSync(join(tmpdir(), "milepost-plugin-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let machines = 0;
/** Claude Code and Codex with our plugin, as their own commands leave their files. */
function machine(plugin?: string) {
  const home = join(folder, `m${++machines}`);
  const claude = join(home, ".claude");
  mkdirSync(join(claude, "plugins"), { recursive: true });
  mkdirSync(join(home, ".codex"));
  const write = (file: string, value: object) => writeFileSync(join(claude, file), JSON.stringify(value));
  if (plugin !== undefined) {
    write("settings.json", { enabledPlugins: { "milepost@milepost": true } });
    write("plugins/known_marketplaces.json", {
      milepost: { source: { source: "directory", path: plugin }, installLocation: plugin },
    });
    writeFileSync(join(home, ".codex", "config.toml"), '[plugins."milepost@milepost"]\nenabled = true\n');
  }
  const PATH = `${dirname(process.execPath)}:/bin:/usr/bin`;
  return { home, env: clean({ HOME: home, MILEPOST_HOME: join(home, "own"), PATH, TMPDIR: join(home, "tmp") }) };
}

/** The binaries of other systems are large. */
const isHere = (path: string) => !path.endsWith(".node") || path.includes(`${process.platform}-${process.arch}.`);
const filesBelow = (root: string) =>
  readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) => /\.(?:json|toml)$/.test(name));
const textsBelow = (root: string) =>
  Object.fromEntries(filesBelow(root).map((name) => [name, readFileSync(join(root, name), "utf8")]));

test("the package holds the plugin: what clients look for, our bundles, and SQLite for this system", () => {
  const isMusl = existsSync("/etc/alpine-release");
  const sqlite = `sqlite/${process.platform}-${process.arch}.${isMusl ? "musl" : "glibc"}.node`;
  const needed = [
    ".claude-plugin/plugin.json",
    ".mcp.json",
    "hooks/hooks.json",
    "commands/todo.md",
    "mcp.cjs",
    "milepost.sh",
    sqlite,
  ];
  expect(needed.filter((file) => !existsSync(join(dist, file)))).toEqual([]);
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  expect(JSON.parse(readFileSync(join(dist, ".claude-plugin/plugin.json"), "utf8")).version).toBe(version);
  expect(readFileSync(join(dist, "licences.txt"), "utf8")).toContain("@photostructure/sqlite");
});

test("a copy of the folder alone keeps a list: no package of npm is needed", () => {
  const { home, env } = machine();
  const copy = join(home, "copy");
  cpSync(dist, copy, { recursive: true, filter: isHere });
  const input = JSON.stringify({ tool: "todo", input: { add: ["Read"] } });
  const call = spawnSync(process.execPath, [join(copy, "milepost.cjs"), "call", "--session", "s1"], { env, input });
  expect([call.status, String(call.stderr)]).toEqual([0, ""]);
  expect(String(call.stdout)).toContain("Added 1.");
});

describe("milepost plugin", () => {
  test("prints each client's own commands, for where the plugin lies", () => {
    const { out } = command(["plugin"], "", machine().env);
    expect(out).toContain(`The plugin is in ${dist}.\n`);
    expect(out).toContain(`Claude Code   claude plugin marketplace add ${dist}\n`);
    expect(out).toContain("              claude plugin install milepost@milepost\n");
    expect(out).toContain(`Codex         codex plugin marketplace add ${dist}\n`);
    expect(out).toContain("              codex plugin add milepost@milepost\n");
  });

  test("says where it is installed already, and how it is removed", () => {
    const { out } = command(["plugin"], "", machine(dist).env);
    expect(out).toContain(
      "Remove it: claude plugin uninstall milepost@milepost && claude plugin marketplace remove milepost",
    );
    expect(out).toContain(
      "Remove it: codex plugin remove milepost@milepost && codex plugin marketplace remove milepost",
    );
  });

  test("out of a temporary folder it is copied, once, and unsetup removes a copy that nobody uses", () => {
    const { home, env } = machine();
    const temporary = join(home, "tmp", "_npx", "node_modules", "milepost");
    cpSync(dist, join(temporary, "dist"), { recursive: true, filter: isHere });
    const milepost = (...args: string[]) =>
      spawnSync(process.execPath, [join(temporary, "dist", "milepost.cjs"), ...args], { env, encoding: "utf8" });
    const copy = join(home, "own", "plugin");
    expect(milepost("plugin").stdout).toContain(`The plugin is in ${copy}, copied from a temporary folder.\n`);
    expect(milepost("plugin").stdout).toContain(`The plugin is in ${copy}.\n`);
    expect(readdirSync(copy)).toEqual(expect.arrayContaining([".claude-plugin", "hooks", "milepost.cjs", "sqlite"]));
    expect(readdirSync(copy)).not.toContain("types");
    expect(readdirSync(join(copy, "sqlite")).every((file) => file.startsWith(`${process.platform}-`))).toBe(true);
    milepost("unsetup", "--yes");
    expect(existsSync(copy)).toBe(false);
  });
});

describe("a client that has the plugin", () => {
  test("is not wired by setup, which says so and how to have its wiring instead", () => {
    const { home, env } = machine(dist);
    const before = textsBelow(home);
    const { exit, out } = command(["setup", "--yes"], "", env);
    expect(exit).toBe(0);
    expect(out).toContain(
      "Claude Code: The plugin milepost@milepost brings server and hooks, so nothing is wired. For setup's wiring instead: claude plugin uninstall milepost@milepost && claude plugin marketplace remove milepost && milepost setup claude-code\n",
    );
    expect(out).toContain("Codex: The plugin milepost@milepost brings server and hooks, so nothing is wired.");
    expect(textsBelow(home)).toEqual(before);
    const json = JSON.parse(command(["setup", "--yes", "--json"], "", env).out);
    expect(json.agents).toMatchObject([
      { agent: "claude-code", changed: [] },
      { agent: "codex", changed: [] },
    ]);
    expect(json.agents[0].notes[0]).toMatch(/^The plugin milepost@milepost/);
  });

  test("the other client is wired as ever", () => {
    const { home, env } = machine(dist);
    writeFileSync(join(home, ".codex", "config.toml"), "");
    command(["setup", "--yes"], "", env);
    expect(readFileSync(join(home, ".codex", "config.toml"), "utf8")).toContain("[mcp_servers.milepost]");
    expect(JSON.parse(readFileSync(join(home, ".claude", "settings.json"), "utf8"))).not.toHaveProperty("hooks");
  });

  test("unsetup leaves it, and says how it goes", () => {
    const { env } = machine(dist);
    expect(command(["unsetup", "--yes"], "", env).out).toContain(
      "The plugin milepost@milepost stays. Remove it with the client's own commands: claude plugin uninstall milepost@milepost && claude plugin marketplace remove milepost\n",
    );
  });

  test("doctor starts what the client would start", () => {
    const { home, env } = machine(dist);
    writeFileSync(join(home, ".codex", "config.toml"), "");
    const { exit, out } = command(["doctor"], "", env);
    expect(exit).toBe(0);
    expect(out).toMatch(
      /^ok {7}Claude Code {3}wired by the plugin milepost@milepost\n {11}MCP server \(tools: todo\), hook\noff {6}Codex /m,
    );
  });

  test("doctor: a folder that is gone is broken, and the plugin beside setup's wiring is one too many", () => {
    const { home, env } = machine();
    command(["setup", "claude-code", "--yes"], "", env);
    const settings = join(home, ".claude", "settings.json");
    const gone = join(home, "gone");
    const wired = JSON.parse(readFileSync(settings, "utf8"));
    writeFileSync(settings, JSON.stringify({ ...wired, enabledPlugins: { "milepost@milepost": true } }));
    const known = { milepost: { source: { source: "directory", path: gone }, installLocation: gone } };
    writeFileSync(join(home, ".claude", "plugins", "known_marketplaces.json"), JSON.stringify(known));
    const { exit, out } = command(["doctor"], "", env);
    expect(exit).toBe(1);
    expect(out).toMatch(/^ok {7}Claude Code {3}wired\n/m);
    expect(out).toContain(
      `BROKEN   Claude Code   plugin milepost@milepost: broken\n           Claude Code cannot find its plugin: ${gone} is gone.`,
    );
    expect(out).toContain("Remove one: milepost unsetup claude-code, or claude plugin uninstall");
  });
});

test("a command of the plugin runs ours for its own session, without a shell", async () => {
  const { env } = machine();
  const typed = (args: string) =>
    JSON.stringify({
      hook_event_name: "UserPromptExpansion",
      session_id: "0199-ab12",
      cwd: folder,
      command_name: "milepost:todo",
      command_args: args,
    });
  const said = async (args: string) =>
    JSON.parse((await run(["slash"], typed(args), env)).out).hookSpecificOutput.additionalContext;
  expect(await said("")).toContain("No session is called 0199-ab12.");
  command(["call", "--session", "0199-ab12"], JSON.stringify({ tool: "todo", input: { add: ["Read"] } }), env);
  expect(await said("add Fix $(x) -rf")).toContain("Added: 2 Fix $(x) -rf");
  expect(await run(["slash"], "no JSON", env)).toMatchObject({ exit: 0, out: "", err: "" });
});
