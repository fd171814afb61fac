import { type CompletedTask, isOpenTask, type PiPhase, type PiStatus, type PiTask } from "./pi-phases.js";

const SIGNS: Readonly<Record<PiStatus, string>> = { completed: "✓", in_progress: "→", abandoned: "✗", pending: "○" };

/** What the model reads after each call. Nothing is cut or escaped: it goes by these texts in its next call. */
export function summaryText(phases: readonly PiPhase[], errors: readonly string[]): string {
  const failed = errors.length === 0 ? [] : [`Errors: ${errors.join("; ")}`];
  if (phases.every(({ tasks }) => tasks.length === 0)) return failed[0] ?? "Todo list cleared.";
  return [...failed, ...remaining(phases), position(phases), ...phases.flatMap(phaseLines)].join("\n");
}

function remaining(phases: readonly PiPhase[]): readonly string[] {
  const lines = phases.flatMap(({ name, tasks }) =>
    tasks.filter(isOpenTask).map(({ content, status }) => `  - ${content} [${status}] (${name})`),
  );
  return lines.length === 0 ? ["Remaining items: none."] : [`Remaining items (${lines.length}):`, ...lines];
}

/** The first phase with something open; when all is closed the last one, even an empty one. */
function position(phases: readonly PiPhase[]): string {
  const open = phases.findIndex(({ tasks }) => tasks.some(isOpenTask));
  const at = open < 0 ? phases.length - 1 : open;
  const { name = "", tasks = [] } = phases[at] ?? {};
  const closed = tasks.filter((task) => !isOpenTask(task)).length;
  return `Phase ${at + 1}/${phases.length} "${name}" — ${closed}/${tasks.length} tasks complete`;
}

function phaseLines({ name, tasks }: PiPhase): readonly string[] {
  return [`  ${name}:`, ...tasks.flatMap(taskLines)];
}

function taskLines({ content, status, notes = [] }: PiTask): readonly string[] {
  const count = notes.length === 0 ? "" : ` (+${notes.length} note${notes.length === 1 ? "" : "s"})`;
  const line = `    ${SIGNS[status]} ${content}${count}`;
  return status === "in_progress" ? [line, ...notes.flatMap(noteLines)] : [line];
}

const NOTE_INDENT = " ".repeat(8);

function noteLines(note: string, at: number): readonly string[] {
  const lines = note.split("\n").map((line) => NOTE_INDENT + line);
  return at === 0 ? lines : [`${NOTE_INDENT}---`, ...lines];
}

interface NamedTasks {
  readonly name: string;
  readonly tasks: readonly { readonly content: string; readonly status: string }[];
}

/** Tasks that were there before, not completed, and are completed now. Of several with one name the last one counts. */
export function completedTasks(before: readonly NamedTasks[], after: readonly NamedTasks[]): readonly CompletedTask[] {
  const old = new Map(
    before.flatMap(({ name, tasks }) => tasks.map(({ content, status }) => [keyOf(name, content), status])),
  );
  const isNew = (phase: string, content: string) => (old.get(keyOf(phase, content)) ?? "completed") !== "completed";
  return after.flatMap(({ name: phase, tasks }) =>
    tasks.flatMap(({ content, status }) =>
      status === "completed" && isNew(phase, content) ? [{ phase, content }] : [],
    ),
  );
}

function keyOf(phase: string, content: string): string {
  return `${phase}\u0000${content}`;
}
