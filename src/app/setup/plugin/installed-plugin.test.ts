import { join } from "node:path";
import { expect, test } from "vitest";
import type { World } from "../agents/agent.js";
import { claudeCode } from "../agents/claude-code.js";
import { codex } from "../agents/codex-cli.js";
import { installedPlugin, pluginNote } from "./installed-plugin.js";

const WORLD: World = {
  environment: {},
  home: "/home/u/.local/state/milepost",
  program: {
    node: "/n",
    bundle: "/m/dist/milepost.cjs",
    userFolder: "/home/u",
    temporaryFolder: "/t",
    platform: "linux",
  },
};
const json = JSON.stringify;
const FOLDER = json({ milepost: { source: { source: "directory", path: "/p" }, installLocation: "/p" } });
const GITHUB = json({ milepost: { source: { source: "github", repo: "a/b" }, installLocation: "/clone" } });
const COPY = json({ version: 2, plugins: { "milepost@milepost": [{ scope: "user", installPath: "/copy/0.1.0" }] } });

const found = (agent: typeof claudeCode, files: Readonly<Record<string, string>>) => {
  const texts = new Map(Object.entries(files).map(([name, text]) => [join(agent.folder(WORLD), name), text]));
  return installedPlugin(agent, WORLD, (file) => texts.get(file));
};

test.each([
  ["enabled, from a folder: run in place", { "milepost@milepost": true }, FOLDER, "/p"],
  ["enabled, from elsewhere: the client's copy", { "milepost@milepost": true }, GITHUB, "/copy/0.1.0"],
  ["enabled, and nothing else is known", { "milepost@milepost": true }, "{", "/copy/0.1.0"],
])("Claude Code: %s", (_name, enabledPlugins, known, folder) => {
  const files = {
    "settings.json": json({ enabledPlugins }),
    "plugins/known_marketplaces.json": known,
    "plugins/installed_plugins.json": COPY,
  };
  expect(found(claudeCode, files)).toEqual({
    id: "milepost@milepost",
    folder,
    removal: "claude plugin uninstall milepost@milepost && claude plugin marketplace remove milepost",
  });
});

test.each([
  ["no settings", undefined],
  ["no JSON", "{"],
  ["none", json({ enabledPlugins: {} })],
  ["a list", json({ enabledPlugins: ["milepost@milepost"] })],
  ["disabled", json({ enabledPlugins: { "milepost@milepost": false } })],
  ["another one", json({ enabledPlugins: { "other@milepost": true } })],
  ["a name that no client takes", json({ enabledPlugins: { "milepost@a; rm -rf b": true } })],
])("Claude Code has no plugin of ours: %s", (_name, text) => {
  expect(found(claudeCode, text === undefined ? {} : { "settings.json": text })).toBeUndefined();
});

test.each([
  ['[plugins."milepost@milepost"]\nenabled = true\n', true],
  ['[plugins."milepost@mine"]\n', true],
  ['[plugins."milepost@milepost"]\nenabled = false\n', false],
  ['[plugins."other@milepost"]\nenabled = true\n', false],
  ["plugins = 1\n", false],
  ["[plugins", false],
])("Codex: %j", (text, isInstalled) => {
  expect(found(codex, { "config.toml": text }) !== undefined).toBe(isInstalled);
});

test("what setup and doctor say is a command that runs as printed", () => {
  const plugin = { id: "milepost@milepost", folder: "/p", removal: "claude plugin uninstall milepost@milepost" };
  expect(pluginNote(claudeCode, plugin, false)).toBe(
    "The plugin milepost@milepost brings server and hooks, so nothing is wired. For setup's wiring instead: claude plugin uninstall milepost@milepost && milepost setup claude-code",
  );
  expect(pluginNote(claudeCode, plugin, true)).toBe(
    "The plugin milepost@milepost and setup's wiring are both there. Remove one: milepost unsetup claude-code, or claude plugin uninstall milepost@milepost",
  );
});
