import { describe, expect, test } from "vitest";
import { SETUP_WORLD, textsOf, WISHES } from "../../../../test/setup-edits.js";
import { serverCommand } from "../command-line.js";
import type { FileEdit, World } from "./agent.js";
import { opencode } from "./opencode-cli.js";

const FILE = "/u/.config/opencode/plugin/milepost.js";
const [edit] = opencode.edits(SETUP_WORLD) as readonly [FileEdit, FileEdit];
const { wire, unwire, refusal } = textsOf(edit);
const reads = (text: string | undefined) => (file: string) => (file === FILE ? text : undefined);

test.each<[string, World["environment"], string]>([
  ["by itself", {}, FILE],
  ["where the configuration of programs is elsewhere", { XDG_CONFIG_HOME: "/x" }, "/x/opencode/plugin/milepost.js"],
  // That is one more folder; the first one is read all the same.
  ["with a folder of a person's own", { OPENCODE_CONFIG_DIR: "/o" }, FILE],
])("the file: %s", (_name, environment, file) => {
  expect(opencode.edits({ ...SETUP_WORLD, environment })[0]?.file).toBe(file);
});

test("a plugin that needs no other file, with the command that it starts and one export", () => {
  const text = wire(undefined);
  const [, launch = ""] = text.split("\n");
  expect(launch.slice(0, 24)).toBe("const MILEPOST_LAUNCH = ");
  expect(JSON.parse(launch.slice(24, -1))).toEqual(serverCommand(WISHES.ours.launch, WISHES.ours.offer));
  const imports = [...text.matchAll(/^import .* from "(.*)";$/gm)].map(([, from]) => from);
  expect(imports).toEqual(["node:child_process"]);
  expect(text.match(/^export \{[^}]*\};/gm)).toEqual(["export {\n  Milepost\n};"]);
});

test("it is written anew as a whole, and goes as a whole", () => {
  const text = wire(undefined);
  expect(wire(text)).toBe(text);
  for (const wish of [WISHES.moved, WISHES.withTasks, WISHES.client, WISHES.onWindows]) {
    expect(wire(text, wish)).not.toBe(text);
    expect(wire(wire(text, wish))).toBe(text);
  }
  expect(unwire(text)).toBeUndefined();
});

test("somebody else's file of that name is left alone", () => {
  const theirs = "export const Milepost = async () => ({});\n";
  expect(refusal(theirs)).toBe("foreign-file");
  expect(unwire(theirs)).toBe(theirs);
});

describe("what is there", () => {
  test.each<[string, string | undefined, object, boolean]>([
    ["nothing", undefined, { server: undefined, hookCount: 0 }, true],
    ["all of it", wire(undefined), { server: { command: "/bin/sh" }, hookCount: 14, toolHooks: ["extension"] }, false],
    ["hooks only", wire(undefined, WISHES.client), { isHooksOnly: true, hookCount: 14 }, true],
    ["somebody else's", "export default 1;", { server: undefined, hookCount: 0 }, true],
    ["a launch that is none", wire(undefined).replace('{"command"', '{"comm"'), { server: undefined }, true],
  ])("%s", (_name, text, wired, hasOwnList) => {
    expect(opencode.wired(SETUP_WORLD, reads(text))).toMatchObject(wired);
    expect(opencode.ownList(SETUP_WORLD, reads(text)) !== undefined).toBe(hasOwnList);
  });
});

test.each<[string, object | undefined, World["environment"], readonly RegExp[]]>([
  ["nothing", undefined, {}, []],
  ["careful permissions", { permission: { "*": "ask", bash: "deny" } }, {}, []],
  ["all is denied", { permission: "deny" }, {}, [/for "\*" is deny/]],
  ["all but what is named", { permission: { "*": "deny", bash: "allow" } }, {}, [/for "\*" is deny/]],
  ["all but ours", { permission: { "*": "deny", "milepost_*": "allow" } }, {}, []],
  ["ours", { permission: { milepost_todo: { "*": "deny" } } }, {}, [/"milepost_todo" is deny/]],
  ["as older versions had it", { tools: { milepost_todo: false } }, {}, [/"milepost_todo" is deny/]],
  ["by a variable", { permission: "allow" }, { OPENCODE_PERMISSION: '{"mile*":"deny"}' }, [/"mile\*" is deny/]],
  ["by settings in a variable", {}, { OPENCODE_CONFIG_CONTENT: '{"permission":"deny",}' }, [/is deny/]],
  ["no plugins", {}, { OPENCODE_PURE: "true" }, [/no plugin: OPENCODE_PURE/]],
])("what keeps it out: %s", (_name, settings, environment, why) => {
  const settingsFile = "/u/.config/opencode/opencode.jsonc";
  const read = (file: string) =>
    file === settingsFile ? settings && `// mine\n${JSON.stringify(settings)}` : undefined;
  const { notes } = opencode.sight?.({ ...SETUP_WORLD, environment }, read) ?? {};
  expect(notes).toEqual(why.map((one) => expect.stringMatching(one)));
});
