import type { Targets, TodoCommand, TodoEdit } from "../core/todo/command.js";
import type { TodoList } from "../core/todo/list.js";

/** What a person reads where most agents have no phases at all. */
const SHOWN = "Todos";

/** The list with a name for the phase that has none, so that it can be read, written as markdown and named. */
export function withNamedPhase(list: TodoList): TodoList {
  if (!hasUnnamed(list)) return list;
  return { ...list, phases: list.phases.map((phase) => (phase.name === "" ? { ...phase, name: SHOWN } : phase)) };
}

function hasUnnamed({ phases }: TodoList): boolean {
  return phases.some(({ name }) => name === "") && !phases.some(({ name }) => name === SHOWN);
}

/** The other way: what is to happen to that phase happens to the one without a name. */
export function toUnnamedPhase(command: TodoCommand, list: TodoList): TodoCommand {
  if (!hasUnnamed(list)) return command;
  if (command.type === "replace") return unnamed(command);
  return command.type === "edit" ? { ...command, edits: command.edits.map(inEdit) } : command;
}

function inEdit(edit: TodoEdit): TodoEdit {
  switch (edit.type) {
    case "replace":
      return unnamed(edit);
    case "add":
      return edit.phase === SHOWN ? { ...edit, phase: "" } : edit;
    case "move":
    case "remove":
      return isShown(edit.target) ? { ...edit, target: { phase: "" } } : edit;
    default:
      return edit;
  }
}

function unnamed<Command extends Extract<TodoCommand, { type: "replace" }>>(command: Command): Command {
  const phases = command.phases.map((phase) => (phase.name === SHOWN ? { ...phase, name: "" } : phase));
  return { ...command, phases };
}

function isShown(target: Targets): boolean {
  return "phase" in target && target.phase === SHOWN;
}
