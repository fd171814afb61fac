import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import * as fc from "fast-check";
import { stringify } from "smol-toml";
import { afterAll, expect, test } from "vitest";
import { sized } from "../../../test/sizes.js";
import { isFirstClient } from "../hooks/hook-input.js";
import type { Offer } from "../settings.js";
import type { Agent, World } from "./agents/agent.js";
import { claudeCode } from "./agents/claude-code.js";
import { gemini } from "./agents/gemini-cli.js";
import { pi } from "./agents/pi-agents.js";
import { AGENTS } from "./agents/wired-agents.js";
import { applyPlans } from "./apply-changes.js";
import { readConfig, readText } from "./config-file.js";
import { setValue, valueAt } from "./edits/json-document.js";
import { launcherEdit, launcherFile } from "./launch.js";
import { offersEdit, settingsFileIn } from "./offer-settings.js";
import { planOwn, planSetup, planUnsetup } from "./planned-changes.js";
import { readRecord } from "./setup-record.js";
import { shellFileEdit, shellFileIn } from "./shell/shell-file.js";

// Real files, no process: whatever a person keeps in them, it is there again afterwards, to the byte.

const folder = mkdtempSync(join(tmpdir(), "milepost-plan-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let worlds = 0;
function makeWorld(): World {
  const home = join(folder, `${++worlds}`);
  mkdirSync(join(home, "c"), { recursive: true });
  for (const part of ["x", "s"]) mkdirSync(join(home, part));
  const program = {
    node: "/n",
    bundle: "/m/dist/milepost.cjs",
    userFolder: home,
    temporaryFolder: "/tmp",
    platform: "linux",
  };
  return {
    environment: { CLAUDE_CONFIG_DIR: join(home, "c"), CODEX_HOME: join(home, "x") },
    program,
    home: join(home, "s"),
  };
}

const OURS: Offer = { todo: "ours", tasks: false };

interface Run {
  readonly node?: string;
  readonly offer?: Offer;
  readonly agents?: readonly Agent[];
}

/** As the commands do it. Undefined when a file cannot be wired: then nothing has changed. */
function run(
  world: World,
  what: "setup" | "unsetup",
  { node = "/n", offer = OURS, agents = AGENTS }: Run = {},
): true | undefined {
  const tasks = agents.map((agent) => ({
    agent,
    launcher: launcherEdit(launcherFile(world, agent), "/m/dist/milepost.cjs", {}),
    wish: {
      launch: {
        node,
        script: "/m/dist/milepost.cjs",
        platform: "linux",
        shellFile: shellFileIn(world.home),
        isHomeFixed: false,
      },
      guidance: true,
      offer,
    },
  }));
  const record = readRecord(world.home);
  const plans = what === "setup" ? planSetup(world, tasks, record) : planUnsetup(world, tasks, record);
  if (!plans.ok) return undefined;
  const file = settingsFileIn(world.home);
  const offers = agents.map(({ name }) => [name, what === "setup" ? offer : "none"]);
  const settings = [offersEdit(file, readText(file), Object.fromEntries(offers))];
  const shellFiles = [shellFileEdit(shellFileIn(world.home), what === "setup")];
  const own = planOwn({ settings, shellFiles }, record);
  if (!own.ok) return undefined;
  applyPlans([...plans.value, own.value], { home: world.home, record, time: new Date(0) });
  return true;
}

function filesOf({ program }: World): Readonly<Record<string, string>> {
  const names = ["c", "x", "s"].flatMap((part) =>
    readdirSync(join(program.userFolder, part), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(program.userFolder, join(entry.parentPath, entry.name))),
  );
  const own = names.filter((name) => !/milepost-backup|setup\.json/.test(name)).sort();
  return Object.fromEntries(own.map((name) => [name, readFileSync(join(program.userFolder, name), "utf8")]));
}

const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean());
const key = fc.constantFrom("a", "model", "hooks", "Stop", "permissions", "allow", "deny", "mcpServers", "other");
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.array(leaf, { maxLength: 3 }),
    fc.dictionary(key, tie("tree"), { maxKeys: 4 }),
  ),
}));
const value = fc.dictionary(key, tree, { maxKeys: 4 });
const layout = fc.constantFrom(undefined, 2, "\t");
const jsonText = fc
  .tuple(
    value,
    layout,
    fc.constantFrom("\n", "\r\n"),
    fc.constantFrom("", "\n", "// end\n"),
    fc.constantFrom("", "\ufeff", "/* mine */ "),
  )
  .map(([data, indent, eol, end, start]) =>
    `${start}${JSON.stringify(data, null, indent)}${end}`.replaceAll("\n", eol),
  );
const tomlText = fc
  .tuple(value, fc.constantFrom("\n", "\r\n"), fc.constantFrom("", "\n", "\n# end", "\n\n"))
  .map(([data, eol, end]) => `${stringify(data).trimEnd()}${end}`.replaceAll("\n", eol));
const maybe = (text: fc.Arbitrary<string>) =>
  fc.option(fc.oneof(text, fc.constantFrom("", "\n", "{}", "{ }")), { nil: undefined });
const files = fc.record({
  "c/.claude.json": maybe(jsonText),
  "c/settings.json": maybe(jsonText),
  "c/CLAUDE.md": fc.option(fc.string(), { nil: undefined }),
  "x/config.toml": fc.option(fc.oneof(tomlText, fc.constantFrom("", "\n")), { nil: undefined }),
  "x/hooks.json": maybe(jsonText),
  "s/config.json": maybe(jsonText),
});

test("setup, setup, a setup by another Node, unsetup: the same files with the same bytes", () => {
  fc.assert(
    fc.property(files, (texts) => {
      const world = makeWorld();
      for (const [name, text] of Object.entries(texts))
        if (text !== undefined) writeFileSync(join(world.program.userFolder, name), text);
      const before = filesOf(world);
      if (run(world, "setup")) {
        const wired = filesOf(world);
        run(world, "setup");
        expect(filesOf(world)).toEqual(wired);
        run(world, "setup", { node: "/another node" });
        run(world, "unsetup");
      }
      expect(filesOf(world)).toEqual(before);
    }),
    { numRuns: sized(5, 1000) },
  );
});

const offer: fc.Arbitrary<Offer> = fc.constantFrom<Offer>(
  OURS,
  { todo: "ours", tasks: true },
  { todo: "client", tasks: false },
  { todo: "ours", tasks: false, hooks: "commands" },
);
const agents = fc.constantFrom(AGENTS, AGENTS.slice(0, 1), AGENTS.slice(1));
const step = fc.record({
  what: fc.constantFrom("setup" as const, "setup" as const, "unsetup" as const),
  offer,
  agents,
});

test("from list to list, agent by agent, in any order: unsetup gives back the same bytes", () => {
  fc.assert(
    fc.property(files, fc.array(step, { maxLength: 5 }), (texts, steps) => {
      const world = makeWorld();
      for (const [name, text] of Object.entries(texts))
        if (text !== undefined) writeFileSync(join(world.program.userFolder, name), text);
      const before = filesOf(world);
      for (const { what, ...options } of steps) run(world, what, options);
      run(world, "unsetup");
      expect(filesOf(world)).toEqual(before);
    }),
    { numRuns: sized(5, 1000) },
  );
});

test("an edit in between stays, whichever list is chosen before and after it", () => {
  fc.assert(
    fc.property(jsonText, value, fc.tuple(offer, offer), (text, edit, [first, second]) => {
      const world = makeWorld();
      const file = join(world.program.userFolder, "c/settings.json");
      writeFileSync(file, text);
      if (!run(world, "setup", { offer: first })) return;
      writeFileSync(file, setValue(readFileSync(file, "utf8"), ["edited"], edit));
      run(world, "setup", { offer: second });
      expect(claudeCode.ownList(world, readText) === undefined).toBe(second.todo === "ours");
      expect(claudeCode.wired(world, readText).server?.args.includes("--tasks") ?? false).toBe(second.tasks);
      run(world, "unsetup");
      expect(valueAt(readFileSync(file, "utf8"), [])).toEqual({ ...(valueAt(text, []) as object), edited: edit });
    }),
    { numRuns: sized(5, 1000) },
  );
});

test("when a file cannot be written, those before it get their old text back", () => {
  const world = makeWorld();
  const settings = join(world.program.userFolder, "c/settings.json");
  writeFileSync(settings, "{}");
  const read = readConfig(settings);
  if (!read.ok) throw new Error(read.error.message);
  const nowhere = { file: join(settings, "x"), target: join(settings, "x"), text: undefined };
  const changes = [read.value, nowhere].map((config) => ({
    config,
    after: "new",
    record: undefined,
    isOurs: false,
    isOwnFile: false,
  }));
  const plans = AGENTS.slice(0, 1).map((agent) => ({ agent, changes, notes: [] }));
  expect(() => applyPlans(plans, { home: world.home, record: {}, time: new Date(0) })).toThrow(/EEXIST|ENOTDIR/);
  expect(readFileSync(settings, "utf8")).toBe("{}");
});

test("what lines start is there before the lines: when it cannot be, no other file is touched", () => {
  const world = makeWorld();
  const settings = join(world.program.userFolder, "c/settings.json");
  writeFileSync(settings, "{}");
  const read = readConfig(settings);
  if (!read.ok) throw new Error(read.error.message);
  const file = shellFileIn(settings);
  const changes = [read.value, { file, target: file, text: undefined }];
  const plans = changes.map((config) => ({
    agent: claudeCode,
    changes: [{ config, after: "new", record: undefined, isOurs: false, isOwnFile: false }],
    notes: [],
  }));
  expect(() => applyPlans(plans, { home: world.home, record: {}, time: new Date(0) })).toThrow(/EEXIST|ENOTDIR/);
  expect(readdirSync(join(world.program.userFolder, "c"))).toEqual(["settings.json"]);
});

test.each<[string, string, string | Uint8Array, boolean]>([
  ["no JSON", ".gemini/settings.json", "{bad", true],
  ["JSON5", ".openclaw/openclaw.json", "{ agents: {} }", true],
  ["no text", ".qwen/settings.json", new Uint8Array([0xff, 0xfe, 0]), true],
  ["no JSON, with our name in it", ".gemini/settings.json", '{ "mcpServers": { "milepost": {', false],
])("a file that never had anything of ours keeps no agent from being undone: %s", (_name, name, text, isUndone) => {
  const world = makeWorld();
  const others = AGENTS.filter((agent) => agent === claudeCode);
  const before = filesOf(world);
  run(world, "setup", { agents: others });
  const file = join(world.program.userFolder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  expect(run(world, "unsetup")).toBe(isUndone || undefined);
  if (isUndone) expect(filesOf(world)).toEqual(before);
  expect(readFileSync(file)).toEqual(Buffer.from(text));
});

test("an edit in between stays, before and after an update, and ours goes", () => {
  fc.assert(
    fc.property(jsonText, value, fc.boolean(), (text, edit, isUpdated) => {
      const world = makeWorld();
      const file = join(world.program.userFolder, "c/settings.json");
      writeFileSync(file, text);
      if (!run(world, "setup")) return;
      writeFileSync(file, setValue(readFileSync(file, "utf8"), ["edited"], edit));
      if (isUpdated) run(world, "setup", { node: "/another" });
      run(world, "unsetup");
      const rest = readFileSync(file, "utf8");
      expect(valueAt(rest, [])).toEqual({ ...(valueAt(text, []) as object), edited: edit });
      expect(rest).not.toContain("milepost.cjs");
    }),
    { numRuns: sized(5, 1000) },
  );
});

test("an agent that was not here leaves nothing behind: no backup of a file that was ours, and no folder", () => {
  const world = makeWorld();
  const others = AGENTS.filter(({ name }) => !isFirstClient(name));
  const seen = () => readdirSync(world.program.userFolder, { recursive: true, encoding: "utf8" }).sort();
  const before = seen();
  run(world, "setup", { agents: others });
  run(world, "setup", { agents: others, offer: { ...OURS, tasks: true } });
  run(world, "unsetup", { agents: others });
  expect(seen()).toEqual(before);
});

test("a file of ours that somebody has written in is kept beside the new one", () => {
  const world = makeWorld();
  const [edit] = pi.edits(world);
  const file = edit?.file ?? "";
  run(world, "setup", { agents: [pi] });
  writeFileSync(file, `// mine\n${readFileSync(file, "utf8")}`);
  run(world, "setup", { agents: [pi] });
  const [backup = ""] = readdirSync(dirname(file)).filter((name) => name.includes("milepost-backup"));
  expect(readFileSync(join(dirname(file), backup), "utf8")).toMatch(/^\/\/ mine\n/);
});

test.each<[string, unknown]>([
  ["on", true],
  ["of another kind", "no"],
])("what Gemini CLI's own list was is known also when somebody has edited the file: %s", (_name, useWriteTodos) => {
  const world = makeWorld();
  const file = join(world.program.userFolder, ".gemini/settings.json");
  mkdirSync(dirname(file));
  writeFileSync(file, JSON.stringify({ useWriteTodos }));
  run(world, "setup", { agents: [gemini] });
  writeFileSync(file, setValue(readFileSync(file, "utf8"), ["edited"], 1));
  run(world, "setup", { agents: [gemini], offer: { ...OURS, tasks: true } });
  run(world, "unsetup", { agents: [gemini] });
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ useWriteTodos, edited: 1 });
});
