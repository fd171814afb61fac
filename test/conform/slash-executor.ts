import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { decide } from "../../src/core/todo/decide.js";
import { evolveAll } from "../../src/core/todo/evolve.js";
import { EMPTY_LIST, type TodoList } from "../../src/core/todo/list.js";
import { WHOLE_LIST } from "../../src/core/todo/policy.js";
import { newPhases, type PiPhase, phasesOf } from "../../src/dialects/oh-my-pi-phases.js";
import { importStep, planSlash, type SlashChange, type SlashStep } from "../../src/dialects/oh-my-pi-slash.js";
import {
  exported,
  exportFailed,
  importFailed,
  manualEditReminder,
  type SlashSay,
  say,
} from "../../src/dialects/oh-my-pi-slash-texts.js";
import { openSession, type Session } from "./case.js";
import type { SlashExecutor, SlashRun } from "./oh-my-pi-slash.js";

const NAME = "/todo";

/** The smallest that can be: it reads and writes files, and keeps the list in memory. */
export const executeSlash: SlashExecutor = async (run) => {
  const session = await openSession("milepost", listOf(run.initial));
  const planned = planSlash(run.args, await session.list(), { mode: run.mode, name: NAME });
  const step = await followed(planned, run);
  if (step.type === "change") return changed(session, step, run);
  return { said: [step], phases: phasesOf(await session.list()), noted: [], reminders: [] };
};

/** Nothing on the list is changed by having been written down. */
function listOf(phases: readonly PiPhase[]): TodoList {
  const decision = decide(EMPTY_LIST, { type: "replace", phases: newPhases(phases) }, WHOLE_LIST);
  if (!decision.ok) throw new Error(decision.error.message);
  return evolveAll(EMPTY_LIST, decision.value.events);
}

async function followed(step: SlashStep, run: SlashRun): Promise<SlashSay | SlashChange> {
  switch (step.type) {
    case "say":
    case "change":
      return step;
    case "export":
      return write(resolve(run.folder, step.path), step.markdown, run);
    case "import":
      return read(resolve(run.folder, step.path), run);
    case "edit":
    case "copy":
      throw new Error(`A test has no ${step.type === "edit" ? "editor" : "clipboard"}.`);
  }
}

async function write(path: string, markdown: string, { mode }: SlashRun): Promise<SlashSay> {
  try {
    if (mode === "text") await mkdir(dirname(path), { recursive: true });
    await writeFile(path, markdown);
    return exported(path, mode);
  } catch (error) {
    return exportFailed(path, messageOf(error), mode);
  }
}

async function read(path: string, { mode }: SlashRun): Promise<SlashSay | SlashChange> {
  try {
    return importStep(await readFile(path, "utf8"), path, { mode, name: NAME });
  } catch (error) {
    return importFailed(path, messageOf(error), mode);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function changed(session: Session, { action, said, command, policy }: SlashChange, { mode }: SlashRun) {
  await session.change(command, policy);
  const phases = phasesOf(await session.list());
  const reminders = mode === "tui" ? [manualEditReminder(action, phases)] : [];
  return { said: [say(mode, "status", said)], phases, noted: [phases], reminders };
}
