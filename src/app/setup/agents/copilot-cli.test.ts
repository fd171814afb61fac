import { describe, expect, test } from "vitest";
import { jsonText as json, SETUP_WORLD, textsOf, WISHES } from "../../../../test/setup-edits.js";
import { shellCommand } from "../command-line.js";
import type { FileEdit } from "./agent.js";
import { copilot } from "./copilot-cli.js";

const [servers, hooks] = copilot.edits(SETUP_WORLD) as readonly [FileEdit, FileEdit];
const { wire, refusal, rounds } = textsOf(servers);
const own = textsOf(hooks);
const seen = (server: string, hooked: string | undefined) =>
  copilot.wired(SETUP_WORLD, (file) => (file === servers.file ? server : file === hooks.file ? hooked : undefined));

test("its files lie in its own folder, or in another one that was named", () => {
  const files = (environment: Record<string, string>) =>
    copilot.edits({ ...SETUP_WORLD, environment }).map(({ file }) => file);
  expect(files({})).toEqual(["/u/.copilot/mcp-config.json", "/u/.copilot/hooks/milepost.json"]);
  expect(files({ COPILOT_HOME: "/c" })).toEqual(["/c/mcp-config.json", "/c/hooks/milepost.json"]);
});

test("its servers get ours, with all tools in each request", () => {
  expect(JSON.parse(wire(undefined)).mcpServers.milepost).toMatchObject({
    ...{ type: "local", command: "/bin/sh", tools: ["*"], deferTools: "never" },
  });
});

test("a file of hooks names each event behind our command; our own tools are allowed", () => {
  const wired = JSON.parse(own.wire(undefined));
  const line = (event: string) => [
    { type: "command", command: shellCommand(WISHES.ours.launch, "hook", ["copilot", event]), timeout: 10 },
  ];
  expect(wired.version).toBe(1);
  expect(Object.keys(wired.hooks)).toHaveLength(12);
  expect(wired.hooks.postToolUse).toEqual([{ hooks: line("postToolUse") }]);
  expect(wired.hooks.preMcpToolCall).toEqual([{ matcher: "milepost/.*", hooks: line("preMcpToolCall") }]);
  const [{ matcher, hooks: allowed }] = wired.hooks.preToolUse;
  expect("milepost-todo").toMatch(new RegExp(`^(?:${matcher})$`));
  expect(allowed).toMatchObject([{ command: `echo '{"permissionDecision":"allow"}'` }]);
});

test.each<[string, string]>([
  ["nothing", "{}\n"],
  ["servers of a person", json({ mcpServers: { other: { type: "local", command: "x", args: [] } } })],
  ["no servers", json({ mcpServers: {} })],
  ["what it reads beside JSON", '\ufeff{\n  // mine\n  "mcpServers": {},\n}\n'],
])("in, in again, moved, with tasks and out leaves the text: %s", (_name, text) => {
  expect(servers.flaw?.(text)).toBeUndefined();
  for (const left of rounds(text)) expect(left).toBe(text);
});

test("the file of hooks comes and goes as a whole", () => {
  const text = own.wire(undefined);
  expect(own.wire(text)).toBe(text);
  expect(own.wire(own.wire(text, WISHES.moved))).toBe(text);
  expect(own.unwire(text)).toBeUndefined();
  expect(own.refusal(json({ hooks: {} }))).toBe("foreign-file");
});

test.each<[string, (text: string) => string, boolean]>([
  ["as setup wrote it", (text) => text, true],
  ["with another indentation", (text) => JSON.stringify(JSON.parse(text), null, 4), true],
  ["with other line ends", (text) => text.replaceAll("\n", "\r\n"), true],
  ["without its first word", (text) => json({ hooks: JSON.parse(text).hooks }), true],
  ["with a hook of a person", () => json({ hooks: { agentStop: [{ hooks: [{ command: "mine" }] }] } }), false],
  ["no JSON", () => "mine", false],
])("a file of hooks is told by its look: %s", (_name, change, isOurs) => {
  const text = change(own.wire(undefined));
  expect(own.unwire(text)).toBe(isOurs ? undefined : text);
  expect(own.refusal(text)).toBe(isOurs ? undefined : "foreign-file");
  if (isOurs) expect(own.wire(text)).toBe(own.wire(undefined));
});

test("with the client's own list there is no server, and nothing is allowed", () => {
  const text = wire(wire("{}\n"), WISHES.client, servers.made?.("{}\n", wire("{}\n")));
  const hooked = own.wire(undefined, WISHES.client);
  expect(text).toBe("{}\n");
  expect(JSON.parse(hooked).hooks).not.toHaveProperty("preToolUse");
  expect(seen(text, hooked)).toMatchObject({ server: undefined, missing: [], outdated: [], hookCount: 10 });
});

describe("what is there", () => {
  test("all of it, or what is missing of it", () => {
    const hooked = own.wire(undefined);
    expect(seen(wire(undefined), hooked)).toMatchObject({ hookCount: 11, missing: [], outdated: [] });
    const { agentStop: _, ...left } = JSON.parse(hooked).hooks;
    expect(seen(wire(undefined), json({ hooks: left }))).toMatchObject({ missing: ["agentStop"] });
    expect(seen("not json", "not json")).toMatchObject({ hookCount: 0, server: undefined });
  });

  test.each<[string, object, string | undefined]>([
    ["run", {}, undefined],
    ["are all off", { disableAllHooks: true }, "runs no hooks"],
  ])("hooks %s", (_name, text, expected) => {
    const found = copilot.untrusted?.(SETUP_WORLD, () => json(text));
    if (expected === undefined) expect(found).toBeUndefined();
    else expect(found).toContain(expected);
  });
});

test.each<[string, object, string]>([
  ["somebody else's server", { mcpServers: { milepost: { command: "other" } } }, "foreign-server"],
  ["servers that are none", { mcpServers: [] }, "bad-config"],
])("%s: nothing is written", (_name, text, code) => expect(refusal(json(text))).toBe(code));
