import { mkdir, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { ok, type Result } from "../../core/result.js";
import type { TodoList } from "../../core/todo/list.js";
import {
  editStep,
  importStep,
  type SlashChange,
  type SlashOptions,
  type SlashStep,
} from "../../dialects/oh-my-pi/slash.js";
import {
  copied,
  copyFailed,
  editUnsaved,
  exported,
  exportFailed,
  importFailed,
  noEditor,
  type SlashSay,
  say,
} from "../../dialects/oh-my-pi/slash-texts.js";
import type { EventStore } from "../../store/event-store.js";
import type { EditedText } from "../command.js";
import { LISTS } from "../views.js";
import { readListFile } from "./list-file.js";
import { type EditPlace, editList } from "./person-edit.js";
import { sweptList } from "./sweep-closed.js";

/** What a person's words on the list need of the world. */
export interface SlashWorld extends SlashOptions, EditPlace {
  readonly store: EventStore;
  /** Where relative paths begin. */
  readonly folder: string;
  /** What the words mean on this list. */
  readonly plan: (list: TodoList) => SlashStep;
  /** The list as a text to edit means it. */
  readonly change: (step: SlashChange, list: TodoList) => SlashChange;
  /** Where there is an editor. */
  readonly edit?: (markdown: string) => Promise<Result<EditedText | undefined>>;
  readonly copy: (markdown: string) => Promise<boolean>;
  /** Why a file may not be written; undefined when it may. */
  readonly guard: (path: string) => Promise<string | undefined>;
}

export interface SlashRun {
  readonly said: SlashSay;
  readonly list: TodoList;
  /** What was done to the list, in the words that a model is told. */
  readonly action?: string;
  /** It is another list than before. */
  readonly isChanged?: boolean;
}

/** Does what the words mean: the list, files, the editor and the clipboard. */
export async function runSlash(world: SlashWorld): Promise<Result<SlashRun>> {
  const { store, stream, mode, clearAfter = -1 } = world;
  const list = await sweptList(store, stream, clearAfter);
  const step = world.plan(list);
  switch (step.type) {
    case "say":
      return ok({ said: step, list });
    case "change":
      return change(world, world.plan);
    case "export":
      return ok({ said: await exportTo(world, step.path, step.markdown), list });
    case "import":
      return importFrom(world, step.path, list);
    case "edit":
      return editIn(world, step.markdown, await store.view(LISTS, stream));
    case "copy":
      return ok({ said: (await world.copy(step.markdown)) ? copied(mode) : copyFailed(NO_CLIPBOARD, mode), list });
  }
}

const NO_CLIPBOARD = "There is no clipboard here: none of pbcopy, wl-copy, xclip, xsel and clip works. Export instead.";

/** Planned once more where it is written: the list may be another by then. */
async function change(
  world: SlashWorld,
  plan: (list: TodoList, kept: TodoList) => SlashStep,
): Promise<Result<SlashRun>> {
  const done = await editList<SlashStep>(world.store, world, (list, kept) => {
    const step = plan(list, kept);
    return step.type === "change" ? { plan: step, edit: world.change(step, list) } : { plan: step };
  });
  if (!done.ok) return done;
  const { plan: step, list, isChanged } = done.value;
  if (step.type === "change")
    return ok({ said: say(world.mode, "status", step.said), list, action: step.action, isChanged });
  return ok({ said: step.type === "say" ? step : say(world.mode, "error", CHANGED), list });
}

const CHANGED = "The list has changed meanwhile. Look at it and try again.";

async function exportTo(world: SlashWorld, name: string, markdown: string): Promise<SlashSay> {
  const { folder, mode } = world;
  const path = resolve(folder, name);
  try {
    const refused = await world.guard(path);
    if (refused !== undefined) return exportFailed(path, refused, mode);
    // The terminal leaves folders to the person; a program that asks cannot make them itself.
    if (mode === "text") await mkdir(dirname(path), { recursive: true });
    await writeFile(path, markdown);
    return exported(path, mode);
  } catch (error) {
    return exportFailed(path, (error as Error).message, mode);
  }
}

async function importFrom(world: SlashWorld, name: string, list: TodoList): Promise<Result<SlashRun>> {
  const path = resolve(world.folder, name);
  let text: string;
  try {
    text = await readListFile(path);
  } catch (error) {
    return ok({ said: importFailed(path, (error as Error).message, world.mode), list });
  }
  return change(world, () => importStep(text, path, world));
}

/** What was typed stays in its file until it is in the list. */
async function editIn(world: SlashWorld, markdown: string, before: TodoList): Promise<Result<SlashRun>> {
  if (!world.edit) return ok({ said: noEditor(world.mode), list: before });
  const edited = await world.edit(markdown);
  if (!edited.ok) return edited;
  const { value } = edited;
  if (!value || value.text === markdown) {
    value?.discard();
    return ok({ said: editUnsaved(world.mode), list: before });
  }
  // Not by revision: a call that broke off has changed the list without counting as a write.
  const isSame = (kept: TodoList) => JSON.stringify(kept.phases) === JSON.stringify(before.phases);
  const run = await change(world, (_, kept) =>
    isSame(kept) ? editStep(value.text, world) : say(world.mode, "error", CHANGED),
  );
  if (!run.ok || run.value.action === undefined) return run.ok ? ok(kept(run.value, value.path)) : run;
  value.discard();
  return run;
}

function kept(run: SlashRun, path: string): SlashRun {
  const { said } = run;
  return { ...run, said: { ...said, text: `${said.text}\nWhat you wrote is in ${path}.` } };
}
