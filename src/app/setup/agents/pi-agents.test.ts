import { describe, expect, test } from "vitest";
import { SETUP_WORLD, textsOf, WISHES } from "../../../../test/setup-edits.js";
import { serverCommand } from "../command-line.js";
import type { Agent, FileEdit } from "./agent.js";
import { ohMyPi, pi } from "./pi-agents.js";

const editOf = (agent: Agent) => agent.edits(SETUP_WORLD)[0] as FileEdit;
const { wire, unwire, refusal } = textsOf(editOf(ohMyPi));

test("one file of ours, with the command that it starts in its second line", () => {
  const [mark, launch, ...rest] = wire(undefined).split("\n");
  expect(mark).toMatch(/^\/\/ Written by milepost setup/);
  const { command, args } = serverCommand(WISHES.ours.launch, WISHES.ours.offer);
  expect(launch).toBe(`const MILEPOST_LAUNCH = ${JSON.stringify({ command, args })};`);
  expect(rest.join("\n")).toContain("export {");
  expect(wire(wire(undefined))).toBe(wire(undefined));
  expect(textsOf(editOf(pi)).wire(undefined)).toBe(wire(undefined));
});

test("it goes as a whole; somebody else's file of that name stays", () => {
  expect(unwire(wire(undefined))).toBeUndefined();
  const mine = "export default () => {};\n";
  expect([refusal(mine), unwire(mine)]).toEqual(["foreign-file", mine]);
});

const wiredAs = (text: string | undefined, agent = ohMyPi) => agent.wired(SETUP_WORLD, () => text);

test.each<[string, (text: string) => string, boolean]>([
  ["a line above", (text) => `/* eslint-disable */\n${text}`, false],
  ["other line ends", (text) => text.replaceAll("\n", "\r\n"), true],
  ["a byte order mark", (text) => `\ufeff${text}`, false],
])("a tool has touched it, it is ours still: %s", (_name, change, isBehind) => {
  const text = change(wire(undefined));
  expect([unwire(text), refusal(text)]).toEqual([undefined, undefined]);
  expect(wire(text)).toBe(wire(undefined));
  expect(wiredAs(text).server).toEqual(wiredAs(wire(undefined)).server);
  expect(wiredAs(text).outdated).toEqual(isBehind ? ["extension"] : []);
});

describe("what is wired", () => {
  test("is the server, which hooks call", () => {
    expect(wiredAs(wire(undefined))).toMatchObject({ toolHooks: ["extension"], missing: [], outdated: [] });
    expect(wiredAs(wire(undefined)).server).toMatchObject(serverCommand(WISHES.ours.launch, WISHES.ours.offer));
    expect(wiredAs(undefined)).toMatchObject({ server: undefined, hookCount: 0 });
  });

  test("is the server for hooks alone where the model keeps the agent's own list", () => {
    expect(wiredAs(wire(undefined, WISHES.client))).toMatchObject({ isHooksOnly: true });
    expect(ohMyPi.ownList(SETUP_WORLD, () => wire(undefined, WISHES.client))).toMatch(/todo/);
    expect(ohMyPi.ownList(SETUP_WORLD, () => wire(undefined))).toBeUndefined();
  });

  test("is behind when another version wrote it", () => {
    expect(wiredAs(`${wire(undefined)}// more\n`).outdated).toEqual(["extension"]);
  });
});

test.each<[string, Agent, Readonly<Record<string, string>>, string]>([
  ["oh-my-pi", ohMyPi, {}, "/u/.omp/agent"],
  ["oh-my-pi by another name of its folder", ohMyPi, { PI_CONFIG_DIR: ".alt" }, "/u/.alt/agent"],
  ["oh-my-pi by pi's variable", ohMyPi, { PI_CODING_AGENT_DIR: "/a" }, "/a"],
  ["pi", pi, { PI_CONFIG_DIR: ".alt" }, "/u/.pi/agent"],
  ["pi by its variable", pi, { PI_CODING_AGENT_DIR: "/a" }, "/a"],
  ["pi below the person's folder", pi, { PI_CODING_AGENT_DIR: "~/a" }, "/u/a"],
])("where it lies: %s", (_name, agent, environment, folder) => {
  const [edit] = agent.edits({ ...SETUP_WORLD, environment });
  expect(edit?.file).toBe(`${folder}/extensions/milepost.js`);
});
