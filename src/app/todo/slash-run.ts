import { resolve } from "node:path";
import { ok, type Result } from "../../core/result.js";
import type { TodoList } from "../../core/todo/list.js";
import { editStep, importStep, planSlash, type SlashOptions, type SlashStep } from "../../dialects/oh-my-pi/slash.js";
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
import type { CommandContext } from "../command-definition.js";
import { LISTS } from "../views.js";
import { editedText, isSameList, NO_CLIPBOARD, readListFile, writeListFile } from "./list-file.js";
import { type EditPlace, editList } from "./person-edit.js";
import { onRealList, shownList } from "./shown-list.js";
import { sweptList } from "./sweep-closed.js";

/** A person's `/todo ARGS`, and what it needs of the world. */
export interface SlashRequest
  extends SlashOptions,
    EditPlace,
    Pick<CommandContext, "folder" | "editText" | "copyText"> {
  readonly args: string;
  readonly store: EventStore;
  /** Export also over a file that is no list. */
  readonly force: boolean;
}

export interface SlashRun {
  readonly said: SlashSay;
  readonly list: TodoList;
  /** What was done to the list, in the words that a model is told. */
  readonly action?: string;
  readonly isChanged?: boolean;
}

/** Does what the words mean: the list, files, the editor and the clipboard. */
export async function runSlash(request: SlashRequest): Promise<Result<SlashRun>> {
  const { store, stream, mode, folder, clearAfter = -1 } = request;
  const list = await sweptList(store, stream, clearAfter);
  const plan = (now: TodoList) => planSlash(request.args, shownList(now), request);
  const step = plan(list);
  switch (step.type) {
    case "say":
      return ok({ said: step, list });
    case "change":
      return change(request, plan);
    case "export":
      return ok({ said: await exportTo(request, resolve(folder, step.path), step.markdown), list });
    case "import": {
      const path = resolve(folder, step.path);
      const text = await readListFile(path);
      if (!text.ok) return ok({ said: importFailed(path, text.error, mode), list });
      return change(request, () => importStep(text.value, path, request));
    }
    case "edit":
      return editIn(request, step.markdown);
    case "copy": {
      const isCopied = await request.copyText?.(step.markdown);
      return ok({ said: isCopied ? copied(mode) : copyFailed(`${NO_CLIPBOARD} Export instead.`, mode), list });
    }
  }
}

/** Planned once more where it is written: the list may be another by then. */
async function change(
  { store, mode, ...place }: SlashRequest,
  plan: (list: TodoList, kept: TodoList) => SlashStep,
): Promise<Result<SlashRun>> {
  const done = await editList<SlashStep>(store, place, (list, kept) => {
    const step = plan(list, kept);
    if (step.type !== "change") return { plan: step };
    return { plan: step, edit: { ...step, command: onRealList(step.command, list) } };
  });
  if (!done.ok) return done;
  const { plan: step, list, isChanged } = done.value;
  if (step.type === "change") return ok({ said: say(mode, "status", step.said), list, action: step.action, isChanged });
  return ok({ said: step.type === "say" ? step : say(mode, "error", CHANGED), list });
}

const CHANGED = "The list has changed meanwhile. Look at it and try again.";

async function exportTo({ mode, force }: SlashRequest, path: string, markdown: string): Promise<SlashSay> {
  // The terminal leaves folders to the person; a program that asks cannot make them itself.
  const written = await writeListFile(path, markdown, { force, makeFolder: mode === "text" });
  return written.ok ? exported(path, mode) : exportFailed(path, written.error, mode);
}

async function editIn(request: SlashRequest, markdown: string): Promise<Result<SlashRun>> {
  const { store, stream, mode, editText } = request;
  const before = await store.view(LISTS, stream);
  if (!editText) return ok({ said: noEditor(mode), list: before });
  const edited = await editedText(editText, markdown);
  if (!edited.ok) return edited;
  const { value } = edited;
  if (!value) return ok({ said: editUnsaved(mode), list: before });
  const run = await change(request, (_, kept) =>
    isSameList(before, kept) ? editStep(value.text, request) : say(mode, "error", CHANGED),
  );
  if (!run.ok) return run;
  const { said, action } = run.value;
  if (action === undefined)
    return ok({ ...run.value, said: { ...said, text: `${said.text}\nWhat you wrote is in ${value.path}.` } });
  value.discard();
  return run;
}
