import type { TodoList } from "../../core/todo/list.js";
import type { Panel } from "../dialect.js";
import { type Line, type Piece, type Screen, styled } from "../styled-line.js";
import { type WorkStatus, workTodos } from "../work-status.js";

// The cell that Codex puts into its history with each update_plan.

const INDENT = 4;
/** Where a step goes on that takes several rows: below its words, not below its box. */
const STEP_INDENT = 2;

const BOXES: Readonly<Record<WorkStatus, string>> = { pending: "□", in_progress: "□", completed: "✔" };

export const planCell: Panel = (list: TodoList, { screen } = {}) => {
  const steps = workTodos(list);
  const none: Line = [styled("dim", styled("italic", "(no steps provided)"))];
  const rows = [
    ...noteRows(list.explanation ?? "", screen),
    ...(steps.length === 0 ? [none] : steps.flatMap(({ status, text }) => stepRows(status, text, screen))),
  ];
  const header: Line = [styled("dim", "• "), styled("bold", "Updated Plan")];
  return [header, ...rows.map((row, at) => [at === 0 ? styled("dim", "  └ ") : " ".repeat(INDENT), ...row])];
};

/** Why the plan changed; a line of it is a row of its own. */
function noteRows(explanation: string, screen: Screen | undefined): readonly Line[] {
  const note = explanation.trim();
  if (note === "") return [];
  const rows = note.split("\n").flatMap((line) => wrapped(line, INDENT, screen));
  return rows.map((row) => [styled("dim", styled("italic", row))]);
}

function stepRows(status: WorkStatus, text: string, screen: Screen | undefined): readonly Line[] {
  return wrapped(text, INDENT + STEP_INDENT, screen).map((row, at) => {
    return [at === 0 ? `${BOXES[status]} ` : " ".repeat(STEP_INDENT), inStyle(status, row)];
  });
}

function inStyle(status: WorkStatus, text: string): Piece {
  if (status === "completed") return styled("dim", styled("strike", text));
  return status === "in_progress" ? styled("accent", styled("bold", text)) : styled("dim", text);
}

function wrapped(text: string, indent: number, screen: Screen | undefined): readonly string[] {
  return screen?.columns === undefined ? [text] : screen.wrap(text, Math.max(1, screen.columns - indent));
}
