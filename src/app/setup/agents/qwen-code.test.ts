import { describe, expect, test } from "vitest";
import { jsonText as json, SETUP_WORLD, textsOf, WISHES } from "../../../../test/setup-edits.js";
import { shellCommand } from "../command-line.js";
import type { FileEdit } from "./agent.js";
import { qwenCode } from "./qwen-code.js";

const world = { ...SETUP_WORLD, environment: { QWEN_HOME: "/q" } };
const [edit] = qwenCode.edits(world) as readonly [FileEdit];
const { wire, unwire, refusal, rounds } = textsOf(edit);
const mine = { hooks: { Stop: [{ hooks: [{ type: "command", command: "say done" }] }] } };

test("its settings get the server, trusted and not behind a search, and hooks that name the client", () => {
  const wired = JSON.parse(wire(undefined));
  expect(wired.mcpServers.milepost).toMatchObject({ command: "/bin/sh", trust: true, alwaysLoadTools: true });
  const command = shellCommand(WISHES.ours.launch, "hook", ["qwen"]);
  expect(wired.hooks.Stop).toEqual([{ hooks: [{ type: "command", command, timeout: 10 }] }]);
  expect(wired.hooks.PreToolUse).toMatchObject([{ matcher: "^(mcp__milepost__.*|tool_call)$" }]);
  expect(Object.keys(wired.hooks)).toHaveLength(12);
  expect(wired.permissions.deny).toEqual(["todo_write"]);
});

test.each<[string, string]>([
  ["nothing", "{}\n"],
  ["settings of a person", json({ $version: 4, tools: { todoWrite: { enabled: true } } })],
  ["hooks of a person", json(mine)],
  ["servers of a person", json({ mcpServers: { other: { command: "x" } } })],
  ["other denials", json({ permissions: { deny: ["Bash(rm *)"] } })],
  ["comments", '// mine\n{\n  // keep\n  "model": { "name": "m" }\n}\n'],
  ["its own denial", json({ permissions: { deny: ["todo_write"] } })],
])("in, in again, moved, with tasks and out leaves the text: %s", (_name, text) => {
  for (const left of rounds(text)) expect(left).toBe(text);
});

test("a file that setup made may go", () => {
  expect(unwire(wire(undefined), edit.made?.(undefined, wire(undefined)))?.trim()).toBe("{}");
});

test("with the client's own list there is no server, no hook for its calls, and nothing is denied", () => {
  const ours = wire("{}\n");
  const made = edit.made?.("{}\n", ours);
  const text = wire(ours, WISHES.client, made);
  expect(JSON.parse(text)).not.toHaveProperty("mcpServers");
  expect(JSON.parse(text)).not.toHaveProperty("permissions");
  expect(JSON.parse(text).hooks).not.toHaveProperty("PreToolUse");
  expect(qwenCode.wired(world, () => text)).toMatchObject({ server: undefined, missing: [], hookCount: 11 });
});

describe("what is there", () => {
  test("all of it, or what is missing of it", () => {
    const wired = wire("{}\n");
    const seen = (text: string) => qwenCode.wired(world, (file) => (file === "/q/settings.json" ? text : undefined));
    expect(seen(wired)).toMatchObject({ hookCount: 12, missing: [], outdated: [], hooks: [expect.any(String)] });
    const { Stop: _, ...hooks } = JSON.parse(wired).hooks;
    expect(seen(json({ ...JSON.parse(wired), hooks }))).toMatchObject({ missing: ["Stop"] });
    expect(seen("not json")).toMatchObject({ hookCount: 0, server: undefined });
  });

  test.each<[string, object, RegExp | undefined]>([
    ["by itself", {}, undefined],
    ["excluded by a pattern", { mcp: { excluded: ["mile*"] } }, /mcp.excluded in settings.json names it/],
    ["excluded beside it", { mcp: { excluded: ["mile"] } }, undefined],
    ["with an empty list, which allows none", { mcp: { allowed: [] } }, /mcp.allowed in settings.json does not/],
    ["allowed by a pattern", { mcp: { allowed: ["m?lepost"] } }, undefined],
  ])("whether our server is started: %s", (_name, settings, why) => {
    const { notes } = qwenCode.sight?.(world, () => json(settings)) ?? {};
    expect(notes).toEqual(why ? [expect.stringMatching(why)] : []);
  });

  test.each<[string, object, boolean]>([
    ["run", {}, false],
    ["are all off", { disableAllHooks: true }, true],
  ])("hooks %s", (_name, settings, isOff) => {
    expect(qwenCode.untrusted?.(world, () => json(settings)) !== undefined).toBe(isOff);
  });

  test.each<[string, object, boolean]>([
    ["off by itself", {}, false],
    ["switched on", { tools: { todoWrite: { enabled: true } } }, true],
    ["denied", { tools: { todoWrite: { enabled: true } }, permissions: { deny: ["todo_write"] } }, false],
  ])("its own list: %s", (_name, settings, isOn) => {
    expect(qwenCode.ownList(world, () => json(settings)) !== undefined).toBe(isOn);
  });
});

test.each<[string, object, string]>([
  ["somebody else's server", { mcpServers: { milepost: { command: "other" } } }, "foreign-server"],
  ["servers that are none", { mcpServers: [] }, "bad-config"],
  ["permissions that are none", { permissions: [] }, "bad-config"],
  ["denials that are none", { permissions: { deny: "x" } }, "bad-config"],
  ["hooks that are none", { hooks: [] }, "bad-config"],
])("%s: nothing is written", (_name, settings, code) => {
  expect(refusal(json(settings))).toBe(code);
});

test.each<[string, string, boolean]>([
  ["comments", '// mine\n{ "a": 1 }', false],
  ["a byte order mark", '\ufeff{ "a": 1 }', false],
  ["a trailing comma", '{ "a": 1, }', true],
  ["half a file", "{", true],
])("what it does not read: %s", (_name, text, isFlaw) => {
  expect(edit.flaw?.(text) !== undefined).toBe(isFlaw);
});
