import { describe, expect, test } from "vitest";
import { jsonText as json, SETUP_WORLD, textsOf, WISHES } from "../../../../test/setup-edits.js";
import { valueAt } from "../edits/json-document.js";
import type { FileEdit } from "./agent.js";
import { openclaw } from "./openclaw-agent.js";

const world = { ...SETUP_WORLD, environment: { OPENCLAW_STATE_DIR: "/o" } };
const [plugin, manifest, settings] = openclaw.edits(world) as readonly [FileEdit, FileEdit, FileEdit];
const { wire, unwire, refusal, rounds } = textsOf(settings);
const entry = { enabled: true, hooks: { allowConversationAccess: true } };

test.each<[string, Record<string, string>, string, string]>([
  ["nothing is named", {}, "/u/.openclaw/openclaw.json", "/u/.openclaw/extensions/milepost/index.js"],
  ["another home", { OPENCLAW_HOME: "/h" }, "/h/.openclaw/openclaw.json", "/h/.openclaw/extensions/milepost/index.js"],
  [
    "a home below the person's",
    { OPENCLAW_HOME: "~/h" },
    "/u/h/.openclaw/openclaw.json",
    "/u/h/.openclaw/extensions/milepost/index.js",
  ],
  ["a folder for its state", { OPENCLAW_STATE_DIR: "/o" }, "/o/openclaw.json", "/o/extensions/milepost/index.js"],
  ["other settings", { OPENCLAW_CONFIG_PATH: "~/c/x.json" }, "/u/c/x.json", "/u/c/extensions/milepost/index.js"],
  [
    "both",
    { OPENCLAW_CONFIG_PATH: "/c/x.json", OPENCLAW_STATE_DIR: "/o" },
    "/c/x.json",
    "/o/extensions/milepost/index.js",
  ],
])("where its files are: %s", (_name, environment, config, code) => {
  const files = openclaw.edits({ ...SETUP_WORLD, environment }).map(({ file }) => file);
  expect(files).toEqual([code, code.replace("index.js", "openclaw.plugin.json"), config]);
});

test("its settings let the plugin hear prompts, and deny the card of its own", () => {
  expect(JSON.parse(wire(undefined))).toEqual({
    plugins: { entries: { milepost: entry } },
    tools: { deny: ["progress_card"] },
  });
});

test.each<[string, string]>([
  ["nothing", "{}\n"],
  ["settings of a person", json({ agents: { defaults: { workspace: "/w" } }, tools: { profile: "coding" } })],
  ["comments", '// mine\n{\n  // keep\n  "gateway": { "port": 1 }, // this too\n}\n'],
  ["other plugins", json({ plugins: { entries: { other: { enabled: false } } } })],
  ["a list of plugins", json({ plugins: { allow: ["telegram"], entries: { telegram: { enabled: true } } } })],
  ["an empty list of plugins", json({ plugins: { allow: [] } })],
  ["an entry of a person", json({ plugins: { entries: { milepost: { hooks: { timeoutMs: 9 } } } } })],
  ["a plugin that a person has switched off", json({ plugins: { entries: { milepost: { enabled: false } } } })],
  ["other denials", json({ tools: { deny: ["cron"] } })],
  ["its own denial", json({ tools: { deny: ["progress_card"] } })],
])("in, in again, moved, with tasks and out leaves the text: %s", (_name, text) => {
  for (const left of rounds(text)) expect(left).toBe(text);
});

test.each<[string, string]>([
  ["empty entries", json({ plugins: { entries: {} }, agents: {} })],
  ["a comment in empty entries", '{\n  "plugins": {\n    "entries": {\n      // mine\n    }\n  }\n}\n'],
  ["an entry of that name", json({ plugins: { entries: { milepost: { enabled: true } } } })],
  [
    "an entry of that name, and its place in the list",
    json({ plugins: { allow: ["milepost", "a"], entries: { milepost: { enabled: true, config: {} } } } }),
  ],
])("what a person wrote is nobody else's, set up or not: %s", (_name, text) => {
  expect(unwire(text)).toBe(text);
  for (const left of rounds(text)) expect(left).toBe(text);
});

test("a list of plugins that may be loaded has ours", () => {
  const wired = wire(json({ plugins: { allow: ["telegram"] } }));
  expect(valueAt(wired, ["plugins", "allow"])).toEqual(["telegram", "milepost"]);
});

test("where nobody remembers, the entry goes and the denial stays", () => {
  expect(JSON.parse(unwire(wire("{}\n")) ?? "")).toEqual({ tools: { deny: ["progress_card"] } });
});

test.each<[string, object]>([
  ["plugins", { plugins: [] }],
  ["entries", { plugins: { entries: 1 } }],
  ["allow", { plugins: { allow: "all" } }],
  ["deny", { tools: { deny: {} } }],
])("settings of another shape are left alone: %s", (_name, value) => {
  expect(refusal(json(value))).toBe("bad-config");
});

test.each<[string, string, RegExp | undefined]>([
  ["comments and commas", '// mine\n{ "a": 1, }', undefined],
  ["other JSON5", "{ a: 'b' }", /is not JSON with comments \(line 1\), and Milepost reads no other JSON5$/],
])("what we do not read: %s", (_name, text, flaw) => {
  expect(settings.flaw?.(text) ?? "").toMatch(flaw ?? /^$/);
});

test("with its own card the plugin offers nothing, and nothing is denied", () => {
  const ours = wire("{}\n");
  expect(wire(ours, WISHES.client, settings.made?.("{}\n", ours))).not.toContain("progress_card");
  expect(textsOf(manifest).wire(undefined, WISHES.client)).toContain('"tools": []');
  const files = { [plugin.file]: textsOf(plugin).wire(undefined, WISHES.client) };
  expect(openclaw.wired(world, (file) => files[file])).toMatchObject({ isHooksOnly: true });
});

test("the plugin says beforehand which tools it has, and is in each of OpenClaw's sets of tools", () => {
  const toolsOf = (text: string) => {
    const [, line = ""] = text.split("\n");
    return JSON.parse(line.slice(line.indexOf("{"), -1)).tools.map(({ name }: { name: string }) => name);
  };
  const { wire: code } = textsOf(plugin);
  expect(toolsOf(code(undefined))).toEqual(["todo"]);
  expect(toolsOf(code(undefined, WISHES.withTasks))).toEqual(["todo", "task"]);
  const described = valueAt(textsOf(manifest).wire(undefined, WISHES.withTasks), []);
  expect(described).toMatchObject({
    id: "milepost",
    contracts: { tools: ["milepost__todo", "milepost__task"], agentToolResultMiddleware: ["openclaw"] },
    toolMetadata: { milepost__todo: { profiles: ["minimal", "coding", "messaging"] } },
  });
});

describe("what is there", () => {
  const all = {
    [plugin.file]: textsOf(plugin).wire(undefined),
    [manifest.file]: textsOf(manifest).wire(undefined),
    [settings.file]: wire("{}\n"),
  };
  const wired = (files: Readonly<Record<string, string | undefined>>) =>
    openclaw.wired(world, (file) => ({ ...all, ...files })[file]);

  test("all of it, or what is missing of it", () => {
    expect(wired({})).toMatchObject({ server: { command: "/bin/sh" }, hookCount: 6, missing: [] });
    expect(wired({ [settings.file]: "{}" })).toMatchObject({ missing: ["before_prompt_build", "agent_end"] });
    expect(wired({ [manifest.file]: undefined })).toMatchObject({ missing: { length: 6 } });
    expect(wired({ [plugin.file]: undefined })).toMatchObject({ server: undefined, hookCount: 0, missing: [] });
    expect(wired({ [plugin.file]: "export default 1;" })).toMatchObject({ server: undefined });
  });

  test.each<[string, object, RegExp | undefined]>([
    ["as setup left it", {}, undefined],
    ["no plugins", { plugins: { enabled: false } }, /plugins.enabled is false/],
    ["denied", { plugins: { deny: ["milepost"] } }, /plugins.deny names it/],
    ["not in the list", { plugins: { allow: ["x"] } }, /plugins.allow does not name it/],
    ["switched off", { plugins: { entries: { milepost: { enabled: false } } } }, /enabled is false/],
    ["not told", { plugins: { entries: { milepost: { hooks: { allowConversationAccess: false } } } } }, /no prompt/],
    ["other tools only", { tools: { allow: ["exec"] } }, /do not see our tool/],
    ["our tools, too", { tools: { allow: ["exec", "milepost"] } }, undefined],
  ])("what a person's settings make of it: %s", (_name, value, why) => {
    const { notes = [] } = openclaw.sight?.(world, () => json(value)) ?? {};
    expect(notes).toEqual(why ? [expect.stringMatching(why)] : []);
  });

  test("whether its own card is off", () => {
    const said = (value: object) => openclaw.ownList(world, () => json(value));
    expect(said({})).toMatch(/progress_card/);
    expect(said({ tools: { deny: ["progress_card"] } })).toBeUndefined();
  });
});
