import { momentText } from "../../core/text/time-text.js";
import type { ViewState } from "../view-state.js";
import { type EventLine, type Size, shownEvents, type World } from "../world.js";
import { drawCells, drawText, type Pen } from "./cells.js";
import { agentWord } from "./session-words.js";
import type { Body } from "./sessions-frame.js";
import { windowOf } from "./window.js";

/** What has happened, the newest first. */
export function eventsBody(world: World, state: ViewState, { columns, rows }: Size, pen: Pen, start: number): Body {
  const events = shownEvents(world, state);
  if (events.length === 0) {
    const none =
      state.filter.trim() === "" ? "Nothing has happened since this view was opened." : "No event fits the filter.";
    return { rows: ["", drawText(`  ${none}`, columns, pen)], start: 0, rest: "" };
  }
  const at = Math.max(
    0,
    events.findIndex(({ id }) => id === state.cursors.events),
  );
  const shown = windowOf(
    events.map(() => 1),
    at,
    rows,
    start,
  );
  const drawn = events
    .slice(shown.start, shown.end)
    .map((event) => eventRow(event, event === events[at], columns, pen));
  const below = events.length - shown.end;
  return { rows: drawn, start: shown.start, rest: below > 0 ? `${below} more ↓` : "" };
}

function eventRow({ at, agent, project, text }: EventLine, isCursor: boolean, columns: number, pen: Pen): string {
  const isNarrow = columns < 72;
  const place = isNarrow ? 10 : 14;
  return drawCells(
    [
      { text: isCursor ? "▌" : " ", width: 1, style: "cyan" },
      { text: momentText(at).slice(-8), width: 9, style: "dim" },
      { text: agentWord({ agent }), width: isNarrow ? 0 : 8 },
      { text: project, width: place },
      { text, width: Math.max(0, columns - 10 - place - (isNarrow ? 0 : 8)) },
    ],
    pen,
    isCursor,
  );
}
