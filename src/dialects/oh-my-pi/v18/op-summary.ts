import { type BlockablePhase, type BlockableTask, isActionable, isClosed } from "./blockable-tasks.js";

const WORKED_AHEAD =
  " — earliest phase with open tasks; the in-progress pointer auto-advances to the earliest open task on each completion, so it can sit behind out-of-order work (nothing was un-completed).";

/** What the model reads after each call. Nothing is cut or escaped: it goes by these texts in its next call. */
export function opSummary(phases: readonly BlockablePhase[], errors: readonly string[], isView: boolean): string {
  const failed = errors.length === 0 ? [] : [`Errors: ${errors.join("; ")}`];
  const tasks = phases.flatMap((phase) => phase.tasks);
  if (tasks.length === 0) return failed[0] ?? (isView ? "Todo list is empty." : "Todo list cleared.");
  return [...failed, ...remaining(phases), overall(tasks), position(phases), ...phases.flatMap(phaseLines)].join("\n");
}

function remaining(phases: readonly BlockablePhase[]): readonly string[] {
  const lines = phases.flatMap(({ name, tasks }) =>
    tasks.filter(isActionable).map(({ content, status }) => `  - ${content} [${status}] (${name})`),
  );
  return lines.length === 0 ? ["Remaining items: none."] : [`Remaining items (${lines.length}):`, ...lines];
}

function overall(tasks: readonly BlockableTask[]): string {
  const closed = tasks.filter(isClosed).length;
  const open = tasks.filter(isActionable).length;
  const blocked = tasks.length - closed - open;
  return `Overall: ${closed}/${tasks.length} done, ${open} open${blocked > 0 ? `, ${blocked} blocked` : ""}.`;
}

/** The first phase with something to do; where there is none, the last one, even an empty one. */
function position(phases: readonly BlockablePhase[]): string {
  const open = phases.findIndex(({ tasks }) => tasks.some(isActionable));
  const at = open < 0 ? phases.length - 1 : open;
  const { name = "", tasks = [] } = phases[at] ?? {};
  const closed = tasks.filter(isClosed).length;
  const isAhead = phases.slice(at + 1).some((later) => later.tasks.some(isClosed));
  return `Active phase ${at + 1}/${phases.length} "${name}" (${closed}/${tasks.length})${isAhead ? WORKED_AHEAD : "."}`;
}

function phaseLines({ name, tasks }: BlockablePhase): readonly string[] {
  return [
    `  ${name}:`,
    ...tasks.map((task) => `    - [${task.status === "completed" ? "X" : " "}] ${task.content}${tag(task)}`),
  ];
}

function tag({ status, blocker }: BlockableTask): string {
  switch (status) {
    case "in_progress":
      return " (in progress)";
    case "abandoned":
      return " (dropped)";
    case "blocked":
      return blocker ? ` (blocked: ${blocker})` : " (blocked)";
    default:
      return "";
  }
}
