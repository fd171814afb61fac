import type { TodoList } from "../../core/todo/list.js";
import type { Panel } from "../dialect.js";
import { type Line, styled } from "../styled-line.js";
import { isOpenTask, type PiPhase, type PiTask, phasesOf } from "./pi-phases.js";
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
  const more = hiddenOpenCount === 0 ? [] : [[styled("muted", `  ${symbols.hook} +${hiddenOpenCount} more`)]];
  return [TITLE, ...phaseLines(phase.name, at + 1, visible, symbols), ...more];
}

/** All phases with all their tasks. */
export function expandedPanelLines(list: readonly PiPhase[], symbols: Symbols = UNICODE_SYMBOLS): readonly Line[] {
  const phases = list.filter(({ tasks }) => tasks.length > 0);
  if (phases.length === 0) return [];
  return [TITLE, ...phases.flatMap(({ name, tasks }, at) => phaseLines(name, at + 1, tasks, symbols))];
}

const TITLE: Line = [styled("bold", styled("accent", "Todos"))];

function phaseLines(name: string, count: number, tasks: readonly PiTask[], symbols: Symbols): readonly Line[] {
  const { hook } = symbols;
  return [
    [styled("accent", `${hook} ${withoutTabs(phaseTitle(name, count))}`)],
    ...tasks.map((task, place) => todoLine(task, symbols, { prefix: place === 0 ? `${hook} ` : "  " })),
  ];
}

/** What its screen says of a call that failed. The list below it stays the old one until a call succeeds. */
function staleLines(refusal: string): readonly Line[] {
  const why = refusal === "" ? ". Progress may be stale until todo_write succeeds." : `: ${refusal}`;
  return `Todo update failed${why}`.split("\n").map((row) => [styled("warning", row)]);
}

export const panel: Panel = (list: TodoList, { isExpanded = false, refusal } = {}) => {
  const phases = phasesOf(list);
  const lines = isExpanded ? expandedPanelLines(phases) : panelLines(phases);
  return refusal === undefined ? lines : [...staleLines(refusal), ...lines];
};
