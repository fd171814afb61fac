import { describe, expect, test } from "vitest";
import { shellCommand } from "../command-line.js";
import type { FileEdit, Wish, World } from "./agent.js";
import { qwenCode } from "./qwen-code.js";

const world: World = {
  environment: { QWEN_HOME: "/q" },
  program: {
    node: "/bin/node",
    bundle: "/m/dist/milepost.cjs",
    userFolder: "/u",
    temporaryFolder: "/tmp",
    platform: "linux",
  },
  home: "/s/milepost",
};
const launch = {
  node: "/bin/node",
  script: "/m/dist/milepost.cjs",
  platform: "linux",
  shellFile: "/s/milepost/wiring/milepost.sh",
  isHomeFixed: false,
};
const wish: Wish = { launch, guidance: false, offer: { todo: "ours", tasks: false } };
const client: Wish = { ...wish, offer: { todo: "client", tasks: false } };
const moved: Wish = { ...wish, launch: { ...launch, node: "/new node/it's" } };
const withTasks: Wish = { ...wish, offer: { todo: "ours", tasks: true } };

const [edit] = qwenCode.edits(world) as readonly [FileEdit];

function wire(text: string | undefined, wanted = wish): string {
  const wired = edit.wire(text, wanted);
  if (!wired.ok) throw new Error(wired.error.message);
  return wired.value.text ?? "";
}
function unwire(text: string, made?: readonly string[]): string | undefined {
  const unwired = edit.unwire(text, made);
  if (!unwired.ok) throw new Error(unwired.error.message);
  return unwired.value.text;
}
const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
const mine = { hooks: { Stop: [{ hooks: [{ type: "command", command: "say done" }] }] } };

test("its settings get the server, trusted and not behind a search, and hooks that name the client", () => {
  const wired = JSON.parse(wire(undefined));
  expect(wired.mcpServers.milepost).toMatchObject({ command: "/bin/sh", trust: true, alwaysLoadTools: true });
  const command = shellCommand(launch, "hook", ["qwen"]);
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
  const wired = wire(text);
  expect(wire(wired)).toBe(wired);
  for (const other of [moved, withTasks]) expect(wire(wire(wired, other))).toBe(wired);
  expect(unwire(wired, edit.made?.(text, wired))).toBe(text);
});

test("a file that setup made may go", () => {
  expect(unwire(wire(undefined), edit.made?.(undefined, wire(undefined)))?.trim()).toBe("{}");
});

test("with the client's own list there is no server, no hook for its calls, and nothing is denied", () => {
  const ours = wire("{}\n");
  const made = edit.made?.("{}\n", ours);
  const wired = edit.wire(ours, client, made);
  const text = (wired.ok && wired.value.text) || "";
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
  const wired = edit.wire(json(settings), wish);
  expect(wired.ok ? undefined : wired.error.code).toBe(code);
});

test("comments are no flaw; what is no JSON is one", () => {
  expect(edit.flaw?.('// mine\n{ "a": 1 }')).toBeUndefined();
  expect(edit.flaw?.("{")).toBeDefined();
});
