import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { SETUP_WORLD, WISHES } from "../../../test/setup-edits.js";
import { sized } from "../../../test/sizes.js";
import type { Agent, Wish, World } from "./agents/agent.js";
import { copilot } from "./agents/copilot-cli.js";
import { gemini } from "./agents/gemini-cli.js";
import { openclaw } from "./agents/openclaw-agent.js";
import { qwenCode } from "./agents/qwen-code.js";
import { applyPlans } from "./apply-changes.js";
import { setValue, valueAt } from "./edits/json-document.js";
import { launcherEdit } from "./launch.js";
import { planSetup, planUnsetup } from "./planned-changes.js";
import { readRecord } from "./setup-record.js";

// Whatever a person has in the settings of these agents, under the names that count there: unsetup gives back the same
// bytes, after setup and without it.

const folder = mkdtempSync(join(tmpdir(), "milepost-round-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const leaf = fc.oneof(fc.boolean(), fc.constantFrom<unknown>(null, 1, "milepost", "todo_write", "progress_card", "no"));
const key = fc.constantFrom(
  ...["plugins", "entries", "milepost", "enabled", "hooks", "allowConversationAccess", "allow", "deny", "tools"],
  ...["mcpServers", "useWriteTodos", "permissions", "Stop", "AfterAgent", "command", "args"],
);
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.array(leaf, { maxLength: 3 }),
    fc.dictionary(key, tie("tree"), { maxKeys: 4 }),
  ),
}));
/** Of the shape that the agents know, else most of them would be refused. */
const ENTRY = fc
  .record({ enabled: leaf, hooks: fc.dictionary(key, leaf) }, { requiredKeys: [] })
  // Just as setup writes it, it counts as ours where no record says otherwise.
  .filter(({ hooks = {}, ...rest }) => !(rest.enabled === true && hooks.allowConversationAccess === true));
const plugins = fc.record(
  {
    allow: fc.array(fc.constantFrom("milepost", "a")),
    entries: fc.record({ milepost: ENTRY, other: tree }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);
const deny = fc.record({ deny: fc.array(leaf, { maxLength: 3 }) }, { requiredKeys: [] });
const known = { plugins, tools: deny, permissions: deny, useWriteTodos: leaf, mcpServers: fc.constant({}) };
const settings = fc.oneof(fc.record(known, { requiredKeys: [] }), fc.dictionary(key, tree, { maxKeys: 4 }));
const text = fc
  .tuple(settings, fc.constantFrom(undefined, 2, "\t"), fc.constantFrom("\n", "\r\n"), fc.constantFrom("", "// end\n"))
  .map(([data, indent, eol, end]) => `${JSON.stringify(data, null, indent)}\n${end}`.replaceAll("\n", eol));

let worlds = 0;
function makeWorld(): World {
  const userFolder = join(folder, `${++worlds}`);
  return { ...SETUP_WORLD, program: { ...SETUP_WORLD.program, userFolder }, home: join(userFolder, "s") };
}

function run(world: World, agent: Agent, wish?: Wish): boolean {
  const launcher = launcherEdit(join(world.home, "wiring/milepost-x.cjs"), "", {});
  const record = readRecord(world.home);
  const task = { agent, launcher };
  const plans = wish ? planSetup(world, [{ ...task, wish }], record) : planUnsetup(world, [task], record);
  if (plans.ok) applyPlans(plans.value, { home: world.home, record, time: new Date(0) });
  return plans.ok;
}

const wishes = fc.array(fc.constantFrom<Wish>(WISHES.ours, WISHES.client, WISHES.withTasks, WISHES.moved), {
  maxLength: 3,
});

const AGENTS = [openclaw, gemini, qwenCode, copilot].map((agent) => [agent.title, agent] as const);

function fileOf(agent: Agent, world: World): string {
  const file = agent.edits(world).find(({ flaw }) => flaw !== undefined)?.file ?? "";
  mkdirSync(dirname(file), { recursive: true });
  return file;
}

test.each(AGENTS)("%s: the same bytes, set up or not", (_title, agent) => {
  fc.assert(
    fc.property(text, wishes, (before, wanted) => {
      const world = makeWorld();
      const file = fileOf(agent, world);
      writeFileSync(file, before);
      for (const wish of wanted) run(world, agent, wish);
      expect(run(world, agent)).toBe(true);
      expect(readFileSync(file, "utf8")).toBe(before);
    }),
    { numRuns: sized(30, 1000) },
  );
});

test.each(AGENTS)("%s: an edit in between stays, and nothing else", (_title, agent) => {
  fc.assert(
    fc.property(text, wishes, tree, (before, wanted, edit) => {
      const world = makeWorld();
      const file = fileOf(agent, world);
      writeFileSync(file, before);
      for (const wish of wanted) {
        run(world, agent, wish);
        writeFileSync(file, setValue(readFileSync(file, "utf8"), ["edited"], edit));
      }
      run(world, agent);
      const edited = wanted.length > 0 ? { edited: edit } : {};
      expect(valueAt(readFileSync(file, "utf8"), [])).toEqual({ ...(valueAt(before, []) as object), ...edited });
    }),
    { numRuns: sized(30, 1000) },
  );
});
