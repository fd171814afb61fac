import { whereIs } from "../keymap.js";
import type { ViewState } from "../view-state.js";
import type { Size, World } from "../world.js";
import type { Pen } from "./cells.js";
import { footerRows, headerRow } from "./chrome.js";
import { eventsBody } from "./events-frame.js";
import { helpRows } from "./help-page.js";
import { plansBody } from "./plans-frame.js";
import { sessionBody } from "./session-frame.js";
import { type Body, sessionsBody } from "./sessions-frame.js";
import { tasksBody } from "./tasks-frame.js";
import { textBody } from "./text-page.js";

/** All rows of a screen, and where the window of its body begins: the next drawing goes on from there. */
export interface Frame {
  readonly rows: readonly string[];
  readonly start: number;
}

/** Smaller, and nothing can be read. */
const LEAST: Size = { columns: 20, rows: 4 };

/** The same world, state and size always give the same rows: as many as the screen has, none wider than it. */
export function drawFrame(world: World, state: ViewState, size: Size, pen: Pen, start: number): Frame {
  if (size.columns < LEAST.columns || size.rows < LEAST.rows)
    return {
      rows: Array.from({ length: size.rows }, (_, at) => (at === 0 ? "too small".slice(0, size.columns) : "")),
      start,
    };
  const footerHeight = world.caption === undefined ? 1 : 2;
  const inner = { columns: size.columns, rows: size.rows - 1 - footerHeight };
  const body = state.isHelp
    ? { rows: helpRows(state, inner, pen), start, rest: "" }
    : bodyOf(world, state, inner, pen, start);
  const rows = Array.from({ length: inner.rows }, (_, at) => body.rows[at] ?? "");
  const footer = footerRows(world, state, body.rest, size, pen);
  return { rows: [headerRow(world, state, size, pen), ...rows, ...footer], start: body.start };
}

function bodyOf(world: World, state: ViewState, size: Size, pen: Pen, start: number): Body {
  if (state.page) return textBody(state.page, size, pen);
  switch (whereIs(state)) {
    case "session":
      return sessionBody(world, state, size, pen, start);
    case "tasks":
      return tasksBody(world, state, size, pen, start);
    case "plans":
      return plansBody(world, state, size, pen, start);
    case "events":
      return eventsBody(world, state, size, pen, start);
    default:
      return sessionsBody(world, state, size, pen, start);
  }
}
