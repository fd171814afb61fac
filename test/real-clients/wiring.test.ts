import {
  cpSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import earlier from "../fixtures/wiring/plain-lines.json" with { type: "json" };
import type { Client } from "./drivers/client.js";
import { runProcess } from "./drivers/run-process.js";
import { type Installation, openSandbox, type Sandbox } from "./drivers/sandbox.js";
import { say, shell } from "./model/script.js";
import { expectGood, isAsked, print, runTurn, SCENARIO_MS } from "./scenario.js";
import { CLIENTS, openStage, type Wiring } from "./stage.js";

// What setup wrote, after Node or our own files have moved, and after an update.
const COMPLAINTS =
  /hook (error|failed)|non-blocking|no such file|not found|cannot find|MODULE_NOT_FOUND|MCP.*fail|fail.*MCP/i;

type Files = Readonly<Record<string, string>>;

/** Without a launcher, whose name depends on the folder it was written in; src/app/setup has those. */
const PLAIN: { name: string; before: Files; after: Files; record: object }[] = earlier.filter(
  ({ after }) => !Object.keys(after).some((name) => name.includes("wiring")),
);
const CLIENT_FOLDERS = ["claude", "codex"];

/** Below the home folder: a package of ours and a Node of our own, so that both can be moved. */
const PLACES = { package: "lib", node: "node" } as const;

describe.runIf(isAsked)("wiring that grows old", () => {
  const stage = openStage("test");

  const moved = async (what: keyof typeof PLACES, wiring: Wiring): Promise<Sandbox> => {
    const sandbox = await stage.sandbox({ ...wiring, install: installBelow });
    renameSync(join(sandbox.home, PLACES[what]), join(sandbox.home, `${PLACES[what]}-moved`));
    return sandbox;
  };

  const moves = CLIENTS.flatMap((wiring) => (["package", "node"] as const).map((what) => ({ ...wiring, what })));

  test.each(moves)(
    "$agent, hooks by $hooks, $what moved: a person sees nothing of it",
    { timeout: SCENARIO_MS },
    async ({ what, ...wiring }) => {
      const { agent } = wiring;
      const sandbox = await moved(what, wiring);
      const session = await stage.person({ ...wiring, sandbox });
      await session.turn("What is here?", [shell("ls"), say("One file is here.")]);
      print(`${agent}, ${what} moved, the screen`, [session.app.history()]);
      expect(session.app.history()).toContain("One file is here.");
      expect(session.app.history()).not.toMatch(COMPLAINTS);
    },
  );

  test.each(moves)(
    "$agent without a terminal, hooks by $hooks, $what moved: it ends as ever",
    { timeout: SCENARIO_MS },
    async ({ what, ...wiring }) => {
      const { agent } = wiring;
      const sandbox = await moved(what, wiring);
      const client = stage.client(agent);
      const end = await runTurn(client, { sandbox, prompt: "What is here?", script: [shell("ls"), say("One file.")] });
      print(`${agent}, ${what} moved, stderr`, [end.err]);
      expect(end.err).not.toMatch(COMPLAINTS);
      expect(end.out).not.toMatch(COMPLAINTS);
    },
  );

  test.each(moves)(
    "$agent, hooks by $hooks, $what moved, no Node to be found: hooks say nothing and end with 0",
    {
      timeout: SCENARIO_MS,
    },
    async ({ what, ...wiring }) => {
      const sandbox = await moved(what, wiring);
      const commands = hookCommands(sandbox, wiring.agent);
      print("a hook", commands.slice(0, 1));
      expect(commands).not.toEqual([]);
      for (const command of commands) {
        const env = { ...sandbox.env, PATH: join(sandbox.home, "nothing") };
        const args = ["-c", command];
        const end = await runProcess({ command: "/bin/sh", args, cwd: sandbox.project, env, input: "{}" });
        expect(end).toMatchObject({ exit: 0, out: "", err: "" });
      }
    },
  );

  test.each(PLAIN)(
    "setup over what an earlier one wrote, then unsetup, gives back every byte: $name",
    {
      timeout: SCENARIO_MS,
    },
    async ({ before, after, record }) => {
      const sandbox = await openSandbox();
      stage.keep(sandbox.remove);
      replaceFiles(sandbox, after);
      const files = Object.fromEntries(Object.entries(record).map(([name, one]) => [join(sandbox.home, name), one]));
      const own = join(sandbox.home, ".local", "state", "milepost");
      mkdirSync(own, { recursive: true });
      writeFileSync(join(own, "setup.json"), JSON.stringify({ version: 1, files }));
      print("doctor", [(await sandbox.milepost(["doctor"])).out]);
      await expectGood(sandbox.milepost(["setup", "--yes"]));
      expect(filesOf(sandbox)).not.toEqual(after);
      await expectGood(sandbox.milepost(["unsetup", "--yes"]));
      expect(filesOf(sandbox)).toEqual(before);
    },
  );
});

/** The files of both clients, and nothing else in their folders. */
function replaceFiles({ home }: Sandbox, files: Files): void {
  for (const folder of CLIENT_FOLDERS) {
    rmSync(join(home, folder), { recursive: true });
    mkdirSync(join(home, folder));
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(home, name), text);
}

function filesOf({ home }: Sandbox): Files {
  const names = CLIENT_FOLDERS.flatMap((folder) => readdirSync(join(home, folder)).map((name) => join(folder, name)));
  const kept = names.filter((name) => !name.includes("milepost-backup"));
  return Object.fromEntries(kept.map((name) => [name, readFileSync(join(home, name), "utf8")]));
}

const hooksSchema = z.looseObject({
  hooks: z.record(
    z.string(),
    z.array(z.looseObject({ hooks: z.array(z.looseObject({ command: z.string().optional() })) })),
  ),
});

/** The lines that the client gives to a shell. */
function hookCommands({ home }: Sandbox, agent: Client["agent"]): string[] {
  const file = agent === "codex" ? join("codex", "hooks.json") : join("claude", "settings.json");
  const { hooks } = hooksSchema.parse(JSON.parse(readFileSync(join(home, file), "utf8")));
  const groups = Object.values(hooks).flat();
  return [...new Set(groups.flatMap((group) => group.hooks.flatMap(({ command }) => command ?? [])))];
}

function installBelow(home: string, usual: Installation): Installation {
  const dist = dirname(usual.command);
  const lib = join(home, PLACES.package, "milepost");
  cpSync(dist, join(lib, "dist"), { recursive: true });
  cpSync(join(dist, "..", "package.json"), join(lib, "package.json"));
  symlinkSync(join(dist, "..", "node_modules"), join(lib, "node_modules")); // for SQLite
  const node = join(home, PLACES.node, "bin", "node");
  mkdirSync(dirname(node), { recursive: true });
  place(process.execPath, node);
  return { node, command: join(lib, "dist", "milepost.cjs") };
}

/** 100 MB: as a link where that is possible. */
function place(file: string, to: string): void {
  try {
    linkSync(file, to);
  } catch {
    cpSync(file, to);
  }
}
