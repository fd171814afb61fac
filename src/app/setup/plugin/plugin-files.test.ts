import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { PLUGIN_SERVER } from "../../../core/call/call-event.js";
import { readSlash } from "../../hooks/slash-command.js";
import { HOOKS as CLAUDE_HOOKS } from "../agents/claude-code.js";
import { HOOKS as CODEX_HOOKS } from "../agents/codex-cli.js";
import { pluginFiles } from "./plugin-files.js";

const files = pluginFiles({ version: "1.2.3", description: "d", license: "MIT" });
const read = (name: string) => JSON.parse(files[name] ?? "");
const home = mkdtempSync(join(tmpdir(), "milepost-plugin-files-"));
afterAll(() => rmSync(home, { recursive: true }));

interface Entry {
  readonly type: string;
  readonly command: string;
  readonly server: string;
  readonly input: object;
}
const entriesOf = (name: string): readonly (readonly [event: string, entry: Entry])[] =>
  Object.entries(read(name).hooks as Record<string, { hooks: Entry[] }[]>).flatMap(([event, groups]) =>
    groups.flatMap(({ hooks }) => hooks.map((entry) => [event, entry] as const)),
  );
const eventsOf = (name: string) => [...new Set(entriesOf(name).map(([event]) => event))];

test("both manifests have the package's name and version, and the marketplace has the plugin", () => {
  expect(read(".claude-plugin/marketplace.json")).toMatchObject({
    name: "milepost",
    plugins: [{ name: "milepost", source: "./", version: "1.2.3" }],
  });
  for (const client of ["claude", "codex"])
    expect(read(`.${client}-plugin/plugin.json`)).toMatchObject({ name: "milepost", version: "1.2.3", license: "MIT" });
});

test("hooks are those of setup, and in Claude Code one for the commands", () => {
  expect(eventsOf("hooks/hooks.json")).toEqual([...CLAUDE_HOOKS.map(({ event }) => event), "UserPromptExpansion"]);
  expect(eventsOf("hooks/codex.json")).toEqual(CODEX_HOOKS.map(({ event }) => event));
});

test("a hook calls the plugin's own server by the name that its client gives it", () => {
  const servers = (name: string) => [...new Set(entriesOf(name).flatMap(([, { server }]) => server ?? []))];
  expect(servers("hooks/hooks.json")).toEqual(["plugin:milepost:milepost"]);
  // In a tool's name the client writes what is no letter as a line.
  expect(servers("hooks/hooks.json")[0]?.replaceAll(":", "_")).toBe(PLUGIN_SERVER);
  expect(servers("hooks/codex.json")).toEqual(["milepost"]);
});

test("no command is the model's to call, and each of them is one that the hook knows", () => {
  const commands = Object.keys(files).filter((name) => name.startsWith("commands/"));
  expect(commands).toEqual(["commands/todo.md", "commands/status.md", "commands/tell.md"]);
  for (const file of commands) {
    expect(files[file]).toContain("\ndisable-model-invocation: true\n");
    const name = `milepost:${file.slice("commands/".length, -".md".length)}`;
    const input = { hook_event_name: "UserPromptExpansion", session_id: "s1", command_name: name, command_args: "" };
    expect(readSlash(JSON.stringify(input))).toBeDefined();
  }
});

describe("lines", () => {
  const lines = [
    ...new Set(["hooks/hooks.json", "hooks/codex.json"].flatMap((name) => entriesOf(name).map(([, entry]) => entry))),
  ].flatMap(({ type, command }) => (type === "command" ? [command] : []));
  const distinct = [...new Set(lines)];
  const root = join(home, 'a plugin\'s "$own" folder');
  mkdirSync(root);
  writeFileSync(join(root, "milepost.sh"), files["milepost.sh"] ?? "");
  writeFileSync(join(root, "milepost.cjs"), "process.stdout.write(JSON.stringify(process.argv.slice(1)));");
  const env = { PATH: `${dirname(process.execPath)}:/bin:/usr/bin`, HOME: home };
  const run = (line: string, more: NodeJS.ProcessEnv) =>
    spawnSync("/bin/sh", ["-c", line], { env: { ...env, ...more }, input: '{"source":"resume"}', encoding: "utf8" });

  const named = distinct.map((line) => [/milepost\.sh" (\w+) /.exec(line)?.[1] ?? "?", line] as const);
  test("are one for each verb, and have no variable in braces", () => {
    expect(named.map(([verb]) => verb)).toEqual(["start", "hook", "guard", "slash"]);
    expect(distinct.join("\n")).not.toContain("${");
  });

  test.each(named)("%s: Node is started in the plugin", (verb, line) => {
    const { status, stdout, stderr } = run(line, { CLAUDE_PLUGIN_ROOT: root });
    expect([status, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout)).toEqual([join(root, "milepost.cjs"), verb === "slash" ? "slash" : "hook"]);
  });

  test.each(named)("%s: without the plugin nothing is said", (_word, line) => {
    for (const more of [{ CLAUDE_PLUGIN_ROOT: join(home, "gone") }, {}]) {
      const { status, stdout, stderr } = run(line, more);
      expect([status, stdout, stderr]).toEqual([0, "", ""]);
    }
  });

  test.each([
    ["MILEPOST_HOME", { MILEPOST_HOME: join(home, "own") }, join(home, "own")],
    ["XDG_STATE_HOME", { XDG_STATE_HOME: join(home, "state") }, join(home, "state", "milepost")],
    ["neither", {}, join(home, ".local", "state", "milepost")],
  ])("the guard looks for the server's mark where %s says", (_name, more, folder) => {
    const [, guard = ""] = named.find(([verb]) => verb === "guard") ?? [];
    mkdirSync(join(folder, "servers"), { recursive: true });
    // The shell's parent is this process, and this process is alive.
    const mark = join(folder, "servers", `${process.pid}-${process.pid}`);
    writeFileSync(mark, "");
    expect(run(guard, { ...more, CLAUDE_PLUGIN_ROOT: root }).stdout).toBe("");
    rmSync(mark);
    expect(run(guard, { ...more, CLAUDE_PLUGIN_ROOT: root }).stdout).not.toBe("");
  });

  test("Codex' server is found where Codex copies a plugin to", () => {
    const copy = join(home, "codex's home", "plugins/cache/milepost/milepost/1.2.3");
    mkdirSync(copy, { recursive: true });
    for (const name of ["milepost.sh", "milepost.cjs"]) cpSync(join(root, name), join(copy, name));
    const { command, args } = read("codex-mcp.json").mcpServers.milepost;
    const CODEX_HOME = join(home, "codex's home");
    const { stdout } = spawnSync(command, args, { env: { ...env, CODEX_HOME }, encoding: "utf8", input: "" });
    expect(JSON.parse(stdout)).toEqual([join(copy, "milepost.cjs"), "mcp"]);
  });
});
