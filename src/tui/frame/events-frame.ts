import type { BoardEvent } from "../../app/watching/live-board.js";
import { momentText } from "../../core/text/time-text.js";
import { shownEvents } from "../world.js";
import { type Canvas, drawCells } from "./cells.js";
import { agentWord } from "./session-words.js";
import { type Body, type Shown, windowBody, wordsBody } from "./view-body.js";

/** What has happened, the newest first. */
export function eventsBody({ world, state, start }: Shown, canvas: Canvas): Body {
  const events = shownEvents(world, state);
  if (events.length === 0) {
    const isAll = state.filter.trim() === "";
    const none = isAll ? "Nothing has happened since this view was opened." : "No event fits the filter.";
    return wordsBody([none, "milepost report tells what was done before."], canvas);
  }
  const cursor = Math.max(
    0,
    events.findIndex(({ id }) => id === state.cursors.events),
  );
  return windowBody(events, (event, isCursor) => eventRow(event, isCursor, canvas), {
    cursor,
    start,
    rows: canvas.rows,
  });
}

function eventRow({ at, agent, project, text }: BoardEvent, isCursor: boolean, { columns, pen }: Canvas): string {
  const isNarrow = columns < 72;
  const [who, place] = isNarrow ? [0, 10] : [8, 14];
  return drawCells(
    [
      { text: isCursor ? "▌" : " ", width: 1, style: "cyan" },
      { text: momentText(at).slice(-8), width: 9, style: "dim" },
      { text: agentWord({ agent }), width: who },
      { text: project, width: place },
      { text, width: Math.max(0, columns - 10 - place - who) },
    ],
    pen,
    isCursor,
  );
}
