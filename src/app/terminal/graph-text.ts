import type { GraphEdge, GraphTask, TaskGraph } from "../../core/task/task-graph.js";
import { DRAWN_LEVELS, type TreeRow, treeRows } from "../../core/task/tree.js";
import { terminalText } from "../../core/text/terminal-text.js";
import type { Output } from "../command-definition.js";
import type { TaskMention } from "../tasks/task-report.js";
import { paintStanding, standingText } from "./task-columns.js";
import { cutToWidth, screenWidth, stringWidth } from "./text-width.js";

export function reportNode({ number, subject, status, standing }: GraphTask): TaskMention {
  return { id: String(number), subject, status, standing };
}

export function reportEdge({ type, from, to }: GraphEdge): object {
  return { type, from: String(from), to: String(to) };
}

/** A row for each task, in pieces. `add` is the command that adds the first one. */
export function* treeText(graph: TaskGraph, output: Output, add: string): Generator<string> {
  if (graph.tasks.size === 0) {
    yield `No tasks to draw. Add one: ${add}\n`;
    return;
  }
  const rows = treeRows(graph);
  for (let at = 0; at < rows.length; at += PIECE)
    yield `${rows
      .slice(at, at + PIECE)
      .map((row) => treeRow(row, output))
      .join("\n")}\n`;
}

const PIECE = 500;

function treeRow({ task, depth, hangs, isLast, alsoAfter }: TreeRow, output: Output): string {
  const screen = screenWidth(output);
  const levels = isLast.slice(0, -1).map((last) => (last ? "  " : "│ "));
  const corner = hangs === "root" ? "" : `${isLast.at(-1) ? "└" : "├"}${hangs === "below-parent" ? "─" : "▸"}`;
  // Half of the screen is for the words.
  const drawn = [...levels, corner].slice(-Math.max(1, Math.min(DRAWN_LEVELS, Math.floor(screen / 4))));
  const deeper = depth > drawn.length ? `${depth} ` : "";
  const state = standingText(task.standing);
  const after = alsoAfter.length === 0 ? "" : `, also after ${alsoAfter.map((number) => `#${number}`).join(" ")}`;
  const left = `${deeper}${drawn.join("")}`;
  const head = `${left}${left === "" ? "" : " "}#${task.number} `;
  const tail = ` (${state}${after})`;
  const room = screen - stringWidth(head) - Math.min(stringWidth(tail), Math.floor(screen / 2));
  const subject = cutToWidth(terminalText(task.subject), Math.max(1, room));
  const rest = cutToWidth(tail, Math.max(1, screen - stringWidth(head) - stringWidth(subject)));
  return `${head}${subject}${paintStanding(output, task.standing, rest)}`;
}

interface PathReport {
  readonly path: readonly TaskMention[];
  readonly weight: number;
}

export function pathRows({ path, weight }: PathReport, output: Output): string {
  if (path.length === 0) return "No open tasks.\n";
  const rows = path.map(({ id, subject, standing }, index) => {
    const head = `${index === 0 ? "  " : "▸ "}#${id} `;
    const tail = ` (${standingText(standing)})`;
    const room = Math.max(1, screenWidth(output) - stringWidth(head) - tail.length);
    return `${head}${cutToWidth(terminalText(subject), room)}${paintStanding(output, standing, tail)}`;
  });
  const length = `${path.length} ${path.length === 1 ? "task" : "tasks"} in a row`;
  return `${[...rows, weight === path.length ? length : `${length}, weight ${weight}`].join("\n")}\n`;
}
