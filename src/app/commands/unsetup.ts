import { rmSync } from "node:fs";
import * as z from "zod";
import { ok } from "../../core/result.js";
import { defineCommand } from "../command-definition.js";
import type { World } from "../setup/agents/agent.js";
import { AGENTS, worldOf } from "../setup/agents/wired-agents.js";
import { changeFiles } from "../setup/change-files.js";
import { readText } from "../setup/config-file.js";
import { durableFolder } from "../setup/durable-copy.js";
import { launcherEdit, launcherFile } from "../setup/launch.js";
import { type AgentPlan, planUnsetup } from "../setup/planned-changes.js";
import { readRecord, type SetupRecord } from "../setup/setup-record.js";

const NAMES = AGENTS.map(({ name }) => name);

export const unsetup = defineCommand({
  details: `Removes what milepost setup added to the agent's files, and nothing else: a file without other changes is
restored byte for byte. Without AGENT: for every agent. The store is kept.
--json: {"agents":[{"agent","changed":[{"file","backup"}],"notes":[...]}]}. It never asks: add --yes or --dry-run.`,
  words: ["agent"],
  input: z.object({
    agent: z.enum(NAMES).optional().describe(NAMES.join(" or ")),
    yes: z.boolean().default(false).describe("do not ask for confirmation"),
    dryRun: z.boolean().default(false).describe("dry run: only show the changes"),
    json: z.boolean().default(false).describe("print the result as JSON"),
  }),
  async run(context, flags) {
    const world = worldOf(context);
    const tasks = AGENTS.filter(({ name }) => name === (flags.agent ?? name)).map((agent) => ({
      agent,
      launcher: launcherEdit(launcherFile(world, agent), "", {}),
    }));
    const done = await changeFiles(context, flags, {
      home: world.home,
      plan() {
        const record = readRecord(world.home);
        const plans = planUnsetup(world, tasks, record);
        return plans.ok ? ok(plans.value.map((plan) => withElsewhere(plan, world, record))) : plans;
      },
    });
    if (done.ok && !flags.dryRun) removeCopy(world);
    return done;
  },
});

/** An agent may have been wired in another folder, which its own variable named then. */
function withElsewhere(plan: AgentPlan, world: World, record: SetupRecord): AgentPlan {
  const here = plan.agent.edits(world).map(({ file }) => file);
  const elsewhere = Object.keys(record).filter(
    (file) => record[file]?.agent === plan.agent.name && !here.includes(file),
  );
  const notes = elsewhere.map(
    (file) => `setup also changed ${file}: set the same folder variable as for setup, and run this again.`,
  );
  return { ...plan, notes: [...plan.notes, ...notes] };
}

/** The copy that setup made of a Milepost in a temporary place goes when no agent starts it any more. */
function removeCopy(world: World): void {
  const isUsed = AGENTS.map((agent) => agent.wired(world, readText)).some(
    ({ server, hooks }) => server || hooks.length > 0,
  );
  const isElsewhere = Object.keys(readRecord(world.home)).length > 0;
  if (!isUsed && !isElsewhere) rmSync(durableFolder(world), { recursive: true, force: true });
}
