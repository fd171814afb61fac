import type { TodoList } from "../../core/todo/list.js";
import { isOpenTask, type PiPhase, type PiTask, phasesOf } from "./pi-phases.js";
import { type Line, plain, styled } from "./styled-line.js";
import { phaseTitle, type Symbols, todoLine, UNICODE_SYMBOLS, withoutTabs } from "./todo-line.js";

const MOST_SHOWN = 5;

/** The first open tasks, and how many more there are; where none is open, the last of the closed ones. */
export function stickyWindow(tasks: readonly PiTask[], max: number = MOST_SHOWN) {
  const open = tasks.filter(isOpenTask);
  const visible = open.length > 0 ? open.slice(0, max) : tasks.slice(Math.max(0, tasks.length - max));
  return { visible, hiddenOpenCount: Math.max(0, open.length - visible.length) };
}

/** What stands above the editor all the time: the phase that is being worked on. Nothing for a list without todos. */
export function panelLines(list: readonly PiPhase[], symbols: Symbols = UNICODE_SYMBOLS): readonly Line[] {
  const phases = list.filter(({ tasks }) => tasks.length > 0);
  const open = phases.findIndex(({ tasks }) => tasks.some(isOpenTask));
  const at = open < 0 ? phases.length - 1 : open;
  const phase = phases[at];
  if (!phase) return [];
  const { visible, hiddenOpenCount } = stickyWindow(phase.tasks);
  const { hook } = symbols;
  return [
    [styled("bold", styled("accent", "Todos"))],
    [styled("accent", `${hook} ${withoutTabs(phaseTitle(phase.name, at + 1))}`)],
    ...visible.map((task, place) => todoLine(task, symbols, { prefix: place === 0 ? `${hook} ` : "  " })),
    ...(hiddenOpenCount === 0 ? [] : [[styled("muted", `  ${hook} +${hiddenOpenCount} more`)]]),
  ];
}

export function panel(list: TodoList): readonly string[] {
  return panelLines(phasesOf(list)).map(plain);
}
