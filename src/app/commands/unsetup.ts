import { rmSync } from "node:fs";
import { fail, ok, type Result } from "../../core/result.js";
import { asSentence, inWords } from "../../core/text/length.js";
import { defineCommand, type Given } from "../command-definition.js";
import { choice, JSON_FLAG, toggle } from "../fields.js";
import type { Agent, FileEdit, World } from "../setup/agents/agent.js";
import { AGENTS, worldOf } from "../setup/agents/wired-agents.js";
import { changeFiles } from "../setup/change-files.js";
import { readText } from "../setup/config-file.js";
import { durableFolder } from "../setup/durable-copy.js";
import { launcherEdit, launcherFile } from "../setup/launch.js";
import { offersEdit, settingsFileOf } from "../setup/offer-settings.js";
import { type AgentPlan, planOwn, planUnsetup, type Task } from "../setup/planned-changes.js";
import { removePluginCopy } from "../setup/plugin/durable-plugin.js";
import { installedPlugin } from "../setup/plugin/installed-plugin.js";
import { readRecord, type SetupRecord } from "../setup/setup-record.js";
import { shellFileEdit, shellFileIn, shellFilesOf } from "../setup/shell/shell-file.js";
import { nextStep, typedLine, withFlags } from "../terminal/next-step.js";

const NAMES = AGENTS.map(({ name }) => name);

export const unsetup = defineCommand({
  details: `Removes what milepost setup added to the agent's files, and nothing else: a file without other changes is
restored byte for byte. Without AGENT: for every agent. The store is kept.
--json: {"agents":[{"agent","changed":[{"file","backup"}],"notes":[...]}],"changed":[{"file"}]}.
It never asks: add --yes or --dry-run.`,
  examples: ["milepost unsetup --dry-run", "milepost unsetup codex --yes"],
  words: ["agent"],
  input: {
    agent: choice(NAMES, inWords(NAMES, "or")),
    yes: toggle("do not ask for confirmation"),
    dryRun: toggle("show the changes line by line, and make none"),
    json: JSON_FLAG,
  },
  async run(context, flags) {
    const world = worldOf(context);
    const tasks = AGENTS.filter(({ name }) => name === (flags.agent ?? name)).map(
      (agent): UnsetupTask => ({ agent, launcher: launcherEdit(launcherFile(world, agent), "", {}) }),
    );
    const titles = inWords(
      tasks.map(({ agent }) => agent.title),
      "or",
    );
    const done = await changeFiles(context, flags, {
      home: world.home,
      unasked: typedLine(withFlags(context.line, "--yes")),
      ending: { said: "Done. The store with your lists is kept.", next: ["Wire again: milepost setup"] },
      idle: { said: `Nothing to change: setup has added nothing to the files of ${titles}.`, next: [] },
      plan() {
        const records = readRecord(world.home);
        const plans = planOrOthers(world, tasks, records, flags);
        if (!plans.ok) return plans;
        const agents = tasks.map(({ agent }, index) => ({ agent, isWired: plans.value[index]?.changes.length !== 0 }));
        const shellFiles = shellFileEdits(
          tasks.map(({ agent }) => agent),
          world,
          records,
        );
        const own = planOwn({ settings: settingsEdits(agents, world, records), shellFiles }, records);
        if (!own.ok) return own;
        const noted = plans.value.map((plan, index) =>
          withElsewhere(plan, { world, records, agent: tasks[index]?.agent }),
        );
        const comesTo = own.value.changes.length > 0 ? { comesTo: "no longer needed" } : {};
        return ok([...noted, { ...own.value, ...comesTo }]);
      },
    });
    if (done.ok && !flags.dryRun) {
      removeCopy(world);
      removePluginCopy(world);
    }
    return done;
  },
});

type UnsetupTask = Omit<Task, "wish">;

/** A file of one agent stops everything; the others can be undone by their names. */
function planOrOthers(
  world: World,
  tasks: readonly UnsetupTask[],
  records: SetupRecord,
  { agent: _, ...flags }: Given,
): Result<readonly AgentPlan[]> {
  const plans = planUnsetup(world, tasks, records);
  if (plans.ok) return plans;
  const other = tasks.find((task) => {
    const one = planUnsetup(world, [task], records);
    return one.ok && one.value.some(({ changes }) => changes.length > 0);
  });
  if (!other) return plans;
  const { code, message } = plans.error;
  const command = nextStep(`unsetup ${other.agent.name}`, flags);
  return fail(code, `${asSentence(message)} To undo only ${other.agent.title}: ${command}`);
}

/** Where setup has written what an agent's model is offered; what a person has written there for another one stays. */
function settingsEdits(
  agents: readonly { readonly agent: Agent; readonly isWired: boolean }[],
  world: World,
  records: SetupRecord,
): readonly FileEdit<undefined>[] {
  const places = agents.flatMap(({ agent, isWired }) => {
    const file = settingsFileOf(agent, world);
    return isWired || records[file] ? [{ file, name: agent.name }] : [];
  });
  return [...new Set(places.map(({ file }) => file))].map((file) => {
    const names = places.filter((place) => place.file === file).map(({ name }) => [name, "none"] as const);
    return offersEdit(file, readText(file), Object.fromEntries(names));
  });
}

/** Our file for /bin/sh goes when no agent starts it any more. */
function shellFileEdits(unwired: readonly Agent[], world: World, records: SetupRecord): readonly FileEdit<undefined>[] {
  if (isWiredElsewhere(world, records)) return [];
  const filesOf = (agents: readonly Agent[]) => agents.flatMap((agent) => shellFilesOf(agent.wired(world, readText)));
  const used = new Set(filesOf(AGENTS.filter((agent) => !unwired.includes(agent))));
  const files = new Set([...filesOf(unwired), shellFileIn(world.home)]);
  return [...files].filter((file) => !used.has(file)).map((file) => shellFileEdit(file, false));
}

/** In a folder that an agent's own variable named at setup, and does not name now. */
function isWiredElsewhere(world: World, records: SetupRecord): boolean {
  const here = AGENTS.flatMap((agent) => agent.edits(world)).map(({ file }) => file);
  return Object.keys(records).some(
    (file) => AGENTS.some(({ name }) => name === records[file]?.agent) && !here.includes(file),
  );
}

/** An agent may have been wired in another folder, which its own variable named then. */
function withElsewhere(
  plan: AgentPlan,
  {
    world,
    records,
    agent,
  }: { readonly world: World; readonly records: SetupRecord; readonly agent: Agent | undefined },
): AgentPlan {
  const here = agent?.edits(world).map(({ file }) => file) ?? [];
  const elsewhere = Object.keys(records).filter(
    (file) => records[file]?.agent === plan.agent.name && !here.includes(file),
  );
  const plugin = agent && installedPlugin(agent, world, readText);
  const notes = [
    ...elsewhere.map(
      (file) => `setup also changed ${file}: set the same folder variable as for setup, and run this again.`,
    ),
    ...(plugin ? [`The plugin ${plugin.id} stays. Remove it with the client's own commands: ${plugin.removal}`] : []),
  ];
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
