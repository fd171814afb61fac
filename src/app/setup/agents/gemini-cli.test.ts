import { describe, expect, test } from "vitest";
import { jsonText as json, SETUP_WORLD, textsOf, WISHES } from "../../../../test/setup-edits.js";
import { shellCommand } from "../command-line.js";
import type { FileEdit } from "./agent.js";
import { gemini } from "./gemini-cli.js";

const [settings, memo] = gemini.edits(SETUP_WORLD) as readonly [FileEdit, FileEdit];
const { wire, unwire, refusal, rounds } = textsOf(settings);
const seen = (text: string) =>
  gemini.wired(SETUP_WORLD, (file) => (file === "/u/.gemini/settings.json" ? text : undefined));
const mine = { hooks: { AfterAgent: [{ hooks: [{ type: "command", command: "say done" }] }] } };

test("its settings get the server, trusted, and hooks that name the client; its own list goes", () => {
  const wired = JSON.parse(wire(undefined));
  expect(wired.mcpServers.milepost).toMatchObject({ command: "/bin/sh", trust: true });
  const line = (verb: "hook" | "compacted") => {
    const command = shellCommand(WISHES.ours.launch, verb, ["gemini"]);
    return [{ hooks: [{ type: "command", name: "milepost", command, timeout: 10_000 }] }];
  };
  expect(wired.hooks.AfterAgent).toEqual(line("hook"));
  expect(wired.hooks.BeforeModel).toEqual(line("compacted"));
  expect(Object.keys(wired.hooks)).toHaveLength(7);
  expect(wired.useWriteTodos).toBe(false);
});

test("on Windows nothing runs before each request", () => {
  expect(JSON.parse(wire(undefined, WISHES.onWindows)).hooks).not.toHaveProperty("BeforeModel");
});

test.each<[string, string]>([
  ["nothing", "{}\n"],
  ["settings of a person", json({ general: { vimMode: true } })],
  ["hooks of a person", json(mine)],
  ["servers of a person", json({ mcpServers: { other: { command: "x" } } })],
  ["comments", '// mine\n{\n  // keep\n  "model": { "name": "m" }\n}\n'],
  ["its own list switched on", json({ useWriteTodos: true })],
  ["its own list switched off", json({ useWriteTodos: false })],
  ["its own list with a word", json({ useWriteTodos: "no" })],
  ["its own list with nothing", json({ useWriteTodos: null })],
])("in, in again, moved, with tasks and out leaves the text: %s", (_name, text) => {
  for (const left of rounds(text)) expect(left).toBe(text);
});

test("where nobody remembers who switched its own list off, it stays off", () => {
  const text = json({ useWriteTodos: false, ui: {} });
  expect(unwire(wire(text))).toBe(text);
  expect(unwire(text)).toBe(text);
});

test("with the client's own list there is no server, and nothing is switched off", () => {
  const ours = wire("{}\n");
  const text = wire(ours, WISHES.client, settings.made?.("{}\n", ours));
  expect(JSON.parse(text)).toEqual({ hooks: JSON.parse(ours).hooks });
  expect(seen(text)).toMatchObject({ server: undefined, missing: [], hookCount: 7 });
});

test("its rules get our guidance only where that was asked for", () => {
  const { wire: wireRules } = textsOf(memo);
  expect([memo.file, wireRules("Mine.\n")]).toEqual(["/u/.gemini/GEMINI.md", "Mine.\n"]);
  expect(wireRules("Mine.\n", { ...WISHES.client, guidance: true })).toContain("write_todos");
});

describe("what is there", () => {
  test("all of it, or what is missing of it", () => {
    const wired = wire("{}\n");
    expect(seen(wired)).toMatchObject({ hookCount: 7, missing: [], outdated: [] });
    const { AfterAgent: _, ...hooks } = JSON.parse(wired).hooks;
    expect(seen(json({ ...JSON.parse(wired), hooks }))).toMatchObject({ missing: ["AfterAgent"] });
    expect(seen("not json")).toMatchObject({ hookCount: 0, server: undefined });
  });

  test.each<[string, object, string | undefined]>([
    ["run", {}, undefined],
    ["are all off", { hooksConfig: { enabled: false } }, "runs no hooks"],
    ["are off by their name", { hooksConfig: { disabled: ["x", "milepost"] } }, "skips our hooks"],
    ["run beside others that are off", { hooksConfig: { disabled: ["x"] } }, undefined],
  ])("hooks %s", (_name, text, expected) => {
    const found = gemini.untrusted?.(SETUP_WORLD, () => json(text));
    if (expected === undefined) expect(found).toBeUndefined();
    else expect(found).toContain(expected);
  });

  test.each<[string, object, RegExp | undefined]>([
    ["by itself", {}, undefined],
    ["excluded", { mcp: { excluded: ["x", "milepost"] } }, /mcp.excluded in settings.json names it/],
    ["not among those that are allowed", { mcp: { allowed: ["x"] } }, /mcp.allowed in settings.json does not name it/],
    ["allowed", { mcp: { allowed: ["milepost"] } }, undefined],
    ["with an empty list, which allows all", { mcp: { allowed: [] } }, undefined],
  ])("whether our server is started: %s", (_name, text, why) => {
    const { notes } = gemini.sight?.(SETUP_WORLD, () => json(text)) ?? {};
    expect(notes).toEqual(why ? [expect.stringMatching(why)] : []);
  });

  test.each<[string, object, boolean]>([
    ["on by itself", {}, true],
    ["switched off", { useWriteTodos: false }, false],
  ])("its own list: %s", (_name, text, isOn) => {
    expect(gemini.ownList(SETUP_WORLD, () => json(text)) !== undefined).toBe(isOn);
  });
});

test.each<[string, string, RegExp | undefined]>([
  ["nothing yet", "\n", undefined],
  ["comments", "// mine\n{}\n", undefined],
  ["a trailing comma", '{ "a": 1, }', /trailing comma/],
  ["a byte order mark", "\ufeff{}", /byte order mark/],
  ["nothing but a byte order mark", "\ufeff", /byte order mark/],
])("what it does not read: %s", (_name, text, flaw) => {
  expect(settings.flaw?.(text) ?? "").toMatch(flaw ?? /^$/);
});

test.each<[string, object, string]>([
  ["somebody else's server", { mcpServers: { milepost: { command: "other" } } }, "foreign-server"],
  ["servers that are none", { mcpServers: [] }, "bad-config"],
  ["hooks that are none", { hooks: [] }, "bad-config"],
])("%s: nothing is written", (_name, text, code) => expect(refusal(json(text))).toBe(code));

test("how a server of that name is taken out: without its scope Gemini CLI looks into the project", () => {
  const refused = settings.wire(json({ mcpServers: { milepost: { command: "other" } } }), WISHES.ours);
  expect(refused).toMatchObject({
    error: { message: expect.stringMatching(/: gemini mcp remove --scope user milepost$/) },
  });
});
