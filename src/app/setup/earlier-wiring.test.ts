import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import plain from "../../../test/fixtures/wiring/plain-lines.json" with { type: "json" };
import bodies from "../../../test/fixtures/wiring/shell-bodies.json" with { type: "json" };
import type { Offer } from "../settings.js";
import type { World } from "./agents/agent.js";
import { claudeCode } from "./agents/claude-code.js";
import { codex } from "./agents/codex-cli.js";
import { applyPlans } from "./apply-changes.js";
import { readLine, shellCommand } from "./command-line.js";
import { readText } from "./config-file.js";
import { launcherEdit, launcherFile, settingsOfLauncher } from "./launch.js";
import { planSetup, planUnsetup } from "./planned-changes.js";
import { readRecord, type SetupRecord, writeRecord } from "./setup-record.js";
import { shellFileIn } from "./shell/shell-file.js";

/** Those that earlier versions set up. */
const AGENTS = [claudeCode, codex];

// What setup wrote before its lines were quiet, and before what they do was in a file of its own, from those versions
// themselves: files before and after it, and its record.

const folder = mkdtempSync(join(tmpdir(), "milepost-earlier-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Files = Readonly<Record<string, string>>;
interface Earlier {
  readonly name: string;
  readonly before: Files;
  readonly after: Files;
  readonly record: SetupRecord;
}
const BUNDLE = "/opt/new/lib/node_modules/milepost/dist/milepost.cjs";
const STORE = { MILEPOST_STORE: "/var/lists/store.db" };

let worlds = 0;
function makeWorld(files: Files, record: SetupRecord | undefined): World {
  const root = join(folder, `${++worlds}`);
  const world = {
    environment: { CLAUDE_CONFIG_DIR: join(root, "claude"), CODEX_HOME: join(root, "codex") },
    program: {
      node: "/opt/new/bin/node",
      bundle: BUNDLE,
      userFolder: root,
      temporaryFolder: "/tmp",
      platform: "linux",
    },
    home: join(root, "milepost"),
  };
  for (const name of ["claude", "codex", "milepost"]) mkdirSync(join(root, name), { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    const file = placeOf(world, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  if (record)
    writeRecord(world.home, Object.fromEntries(Object.entries(record).map(([name, one]) => [join(root, name), one])));
  return world;
}

/** A launcher's name tells the agent's folder. */
function placeOf(world: World, name: string): string {
  const agent = AGENTS.find((one) => basename(name).startsWith(`milepost-${one.name}-`));
  return agent ? launcherFile(world, agent) : join(world.program.userFolder, name);
}

function filesOf({ program }: World): Files {
  const names = readdirSync(program.userFolder, { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(join(program.userFolder, name)).isFile() && !/milepost-backup|^milepost/.test(name))
    .sort();
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(program.userFolder, name), "utf8")]));
}

function run(
  world: World,
  what: "setup" | "unsetup",
  settings: Readonly<Record<string, string>>,
  offer: Partial<Offer> = {},
): void {
  const tasks = AGENTS.map((agent) => {
    const file = launcherFile(world, agent);
    const script = Object.keys(settings).length > 0 ? file : BUNDLE;
    const shellFile = shellFileIn(world.home);
    const launch = { node: world.program.node, script, platform: "linux", shellFile, isHomeFixed: false };
    return {
      agent,
      launcher: launcherEdit(file, BUNDLE, settings),
      wish: {
        launch,
        guidance: false,
        offer: { todo: "ours" as const, tasks: false, ...offer },
      },
    };
  });
  const record = readRecord(world.home);
  const plans = what === "setup" ? planSetup(world, tasks, record) : planUnsetup(world, tasks, record);
  if (!plans.ok) throw new Error(plans.error.message);
  applyPlans(plans.value, { home: world.home, record, time: new Date(0) });
}

const cases = ([...plain, ...bodies] as unknown as readonly Earlier[]).map((one) => [one.name, one] as const);

describe.each(cases)("%s", (_name, { before, after, record }) => {
  const hasStore = Object.keys(after).some((name) => name.includes("wiring"));
  const settings = hasStore ? STORE : {};

  test("is recognised, setup converts it, and unsetup gives back every byte", () => {
    const world = makeWorld(after, record);
    for (const agent of AGENTS) {
      const wired = agent.wired(world, readText);
      expect(wired.server).toBeDefined();
      expect([1, 3]).toContain(wired.hooks.length);
      const args = [launcherFile(world, agent), "mcp"];
      expect(settingsOfLauncher({ ...wired, server: { command: "/n", args, env: {} } })).toEqual(settings);
    }
    run(world, "setup", settings);
    for (const agent of AGENTS) {
      const { hooks, toolHooks, server, outdated, missing } = agent.wired(world, readText);
      expect({ hooks: hooks.length, outdated, missing }).toEqual({ hooks: 3, outdated: [], missing: [] });
      expect(toolHooks.length).toBeGreaterThan(8);
      for (const line of hooks) expect(readLine(line, "hook")?.node).toBe("/opt/new/bin/node");
      expect(server?.command).toBe("/bin/sh");
    }
    const texts = Object.values(filesOf(world)).join("\n");
    // Neither the old Node, nor what is in a file of its own now.
    for (const old of ["/usr/local/bin/node", "[ -x", "kill -0"]) expect(texts).not.toContain(old);
    const converted = filesOf(world);
    run(world, "setup", settings);
    expect(filesOf(world)).toEqual(converted);
    run(world, "setup", settings, { hooks: "commands" });
    for (const agent of AGENTS) {
      const { hooks, toolHooks, missing, outdated } = agent.wired(world, readText);
      const { node = "", script = "", shellFile = "" } = readLine(hooks[0], "hook") ?? {};
      const launch = { node, script, shellFile, platform: "linux", isHomeFixed: false };
      expect({ hooks, toolHooks, missing, outdated }).toEqual({
        hooks: [shellCommand(launch, "hook")],
        toolHooks: [],
        missing: [],
        outdated: [],
      });
    }
    run(world, "setup", settings);
    expect(
      Object.values(filesOf(world))
        .join("\n")
        .match(/"mcp_tool"/g),
    ).toHaveLength(
      Object.values(converted)
        .join("\n")
        .match(/"mcp_tool"/g)?.length ?? 0,
    );
    run(world, "unsetup", settings);
    expect(filesOf(world)).toEqual(before);
    expect(readdirSync(world.home)).toEqual([]);
  });

  test.each(["before", "after"])("with the record lost, %s setup converts it: no entry of ours is left", (when) => {
    const world = makeWorld(after, undefined);
    if (when === "after") run(world, "setup", settings);
    rmSync(join(world.home, "setup.json"), { force: true });
    run(world, "unsetup", settings);
    const left = filesOf(world);
    expect(Object.values(left).join("\n")).not.toMatch(/milepost/);
    for (const [name, text] of Object.entries(before)) expect(tight(left[name])).toBe(tight(text));
  });

  test("setup takes our tool back where the model is to keep the client's own list", () => {
    const world = makeWorld(after, record);
    run(world, "setup", settings, { todo: "client" });
    for (const agent of AGENTS)
      expect(agent.wired(world, readText)).toMatchObject({ server: undefined, missing: [], outdated: [] });
    run(world, "unsetup", settings);
    expect(filesOf(world)).toEqual(before);
  });

  test("unsetup alone removes it", () => {
    const world = makeWorld(after, record);
    run(world, "unsetup", settings);
    expect(filesOf(world)).toEqual(before);
  });
});

/** Without a record nobody knows whether something empty was there, or a line break at the end. */
function tight(text: string | undefined): string {
  const shorter = (text ?? "").replaceAll(/\s+/g, "").replaceAll(/,?"\w+":(?:\{\}|\[\])/g, "");
  return shorter === text ? shorter : tight(shorter);
}
