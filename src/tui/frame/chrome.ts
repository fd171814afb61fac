import { stringWidth } from "../../app/terminal/text-width.js";
import { clockText } from "../../core/text/time-text.js";
import { hintsFor } from "../keymap.js";
import { TABS, type ViewState } from "../view-state.js";
import { planHere, type Size, type World } from "../world.js";
import { type Cell, drawCells, drawEnds, drawText, type Pen, safeText } from "./cells.js";

// The rows around every view: what there is on the first, what can be done on the last.

export function headerRow({ totals, now, isReading }: World, state: ViewState, { columns }: Size, pen: Pen): string {
  const name: Cell = { text: " MILEPOST ", width: 10, style: "bold" };
  const isNarrow = columns < NARROW;
  const tabs = isNarrow
    ? []
    : TABS.map((tab, at): Cell => {
        const isHere = tab === state.tab;
        const text = isHere ? `[${at + 1} ${tab}]` : ` ${at + 1} ${tab} `;
        return { text, width: text.length, style: isHere ? "cyan" : "dim" };
      });
  const counts = [
    isReading ? "reading" : "",
    `${totals.sessions} ${totals.sessions === 1 ? "session" : "sessions"}`,
    totals.waiting > 0 ? `${totals.waiting} need${totals.waiting === 1 ? "s" : ""} you` : "",
    totals.alerts > 0 && !isNarrow ? `${totals.alerts} ${totals.alerts === 1 ? "alert" : "alerts"}` : "",
    totals.running > 0 && !isNarrow ? `${totals.running} running` : "",
  ].filter(Boolean);
  const right = `${counts.join(" · ")}  ${clockText(now, now)} `;
  return drawEnds([name, ...tabs], right, columns, pen, totals.waiting > 0 ? "yellow" : "dim");
}

const NARROW = 72;

/** The last rows: what is typed, what became of the last key, or the keys that do something here. */
export function footerRows(
  world: World,
  state: ViewState,
  rest: string,
  { columns }: Size,
  pen: Pen,
): readonly string[] {
  const caption = world.caption === undefined ? [] : [drawText(` ${world.caption}`, columns, pen, "inverse")];
  return [...caption, lastRow(world, state, rest, columns, pen)];
}

function lastRow(world: World, state: ViewState, rest: string, columns: number, pen: Pen): string {
  const { prompt, message, filter } = state;
  if (prompt) return promptRow(`${prompt.label} `, prompt.text, columns, pen);
  if (message) return drawText(` ${message.text}`, columns, pen, message.isError ? "red" : "green");
  const found = filter.trim() === "" ? "" : `filter: ${filter}  `;
  const right = `${found}${rest}`;
  const room = columns - (right === "" ? 0 : stringWidth(safeText(right)) + 2);
  return drawEnds(hintCells(world, state, room), `${right} `, columns, pen, "dim");
}

/** As many hints as fit, the most useful first; `? keys` and `q quit` are always there. */
function hintCells(world: World, state: ViewState, room: number): readonly Cell[] {
  const [always, others] = hintsFor(state, planHere(world, state)?.status === "proposed");
  const width = (hints: readonly string[]) => hints.reduce((sum, hint) => sum + stringWidth(hint) + 2, 1);
  const shown: string[] = [];
  for (const hint of others) if (width([...shown, hint, ...always]) <= room) shown.push(hint);
  return [
    { text: "", width: 1 },
    ...[...shown, ...always].map((hint) => ({ text: hint, width: stringWidth(hint) + 2 })),
  ];
}

/** The end of what is typed stays in sight. */
function promptRow(label: string, text: string, columns: number, pen: Pen): string {
  const shown = safeText(text);
  const room = Math.max(4, columns - stringWidth(label) - 3);
  const end =
    stringWidth(shown) <= room
      ? shown
      : `…${Array.from(shown)
          .slice(1 - room)
          .join("")}`;
  return drawCells(
    [
      { text: ` ${label}`, width: stringWidth(label) + 1, style: "bold" },
      { text: `${end}█`, width: Math.max(0, columns - stringWidth(label) - 1) },
    ],
    pen,
  );
}
