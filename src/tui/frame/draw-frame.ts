import { whereIs } from "../keymap.js";
import type { Size } from "../world.js";
import type { Canvas, Pen } from "./cells.js";
import { captionRows, footerHeight, footerRows, headerRow } from "./chrome.js";
import { eventsBody } from "./events-frame.js";
import { helpBody } from "./help-page.js";
import { plansBody } from "./plans-frame.js";
import { sessionBody } from "./session-frame.js";
import { sessionsBody } from "./sessions-frame.js";
import { tasksBody } from "./tasks-frame.js";
import { textBody } from "./text-page.js";
import type { Body, Shown } from "./view-body.js";

/** All rows of a screen, and where the window of its body begins: the next drawing goes on from there. */
export interface Frame {
  readonly rows: readonly string[];
  readonly start: number;
}

/** Smaller, and nothing can be read. */
const LEAST: Size = { columns: 20, rows: 4 };

/** The same world, state and size always give the same rows: as many as the screen has, none wider than it. */
export function drawFrame(shown: Shown, size: Size, pen: Pen): Frame {
  const { world, state, start } = shown;
  if (size.columns < LEAST.columns || size.rows < LEAST.rows) {
    const rows = Array.from({ length: size.rows }, (_, at) => (at === 0 ? "too small".slice(0, size.columns) : ""));
    return { rows, start };
  }
  const canvas: Canvas = { ...size, pen };
  const head = [headerRow(world, state, canvas), ...captionRows(world, canvas)];
  const inner = { ...canvas, rows: Math.max(1, size.rows - head.length - footerHeight(state, canvas)) };
  const body = bodyOf(shown, inner);
  const rows = Array.from({ length: inner.rows }, (_, at) => body.rows[at] ?? "");
  const footer = footerRows(shown, body.rest, canvas);
  return { rows: [...head, ...rows, ...footer].slice(0, size.rows), start: body.start };
}

function bodyOf(shown: Shown, canvas: Canvas): Body {
  const { state } = shown;
  if (state.isHelp) return helpBody(shown, canvas);
  if (state.page) return textBody(state.page, canvas);
  switch (whereIs(state)) {
    case "session":
      return sessionBody(shown, canvas);
    case "tasks":
      return tasksBody(shown, canvas);
    case "plans":
      return plansBody(shown, canvas);
    case "events":
      return eventsBody(shown, canvas);
    default:
      return sessionsBody(shown, canvas);
  }
}
