import { endOfText, foldWords, stringWidth } from "../../app/terminal/text-width.js";
import type { SessionTotals } from "../../app/watching/session-groups.js";
import { counted } from "../../core/text/length.js";
import { clockText } from "../../core/text/time-text.js";
import { actionOf, hintsFor, whereIs } from "../keymap.js";
import { type Message, TABS, type Tab, type ViewState } from "../view-state.js";
import { planHere, type World } from "../world.js";
import { type Canvas, type Cell, drawCells, drawEnds, drawText, safeText } from "./cells.js";
import type { Shown } from "./view-body.js";

// The rows around every view: what there is on the first, what can be done on the last.

export function headerRow({ totals, now, isReading }: World, state: ViewState, canvas: Canvas): string {
  const name: Cell = { text: " MILEPOST ", width: 10, style: "bold" };
  const isNarrow = canvas.columns < NARROW;
  const tabs = isNarrow ? [] : TABS.map((tab, at) => tabCell(tab, at, state, canvas.columns < WIDE));
  const left = [name, ...tabs];
  const room = canvas.columns - left.reduce((sum, { width }) => sum + width, 0) - 1;
  const clock = `  ${clockText(now, now)} `;
  const counts = countWords(totals, isReading);
  // What matters least goes first where there is no room; who waits stays longest.
  const whole = counts.map((_, more) => `${counts.slice(0, counts.length - more).join(" · ")}${clock}`);
  const least = totals.waiting > 0 ? [waitingWords(totals)] : [];
  const fitting = [...whole, ...least, `${totals.sessions}`];
  const text = fitting.find((words) => stringWidth(words) <= room) ?? "";
  return drawEnds(left, { text, style: totals.waiting > 0 ? "yellow" : "dim" }, canvas);
}

function countWords({ sessions, waiting, alerts, running }: SessionTotals, isReading: boolean): readonly string[] {
  return [
    counted(sessions, "session"),
    ...(waiting > 0 ? [waitingWords({ waiting })] : []),
    ...(alerts > 0 ? [counted(alerts, "alert")] : []),
    ...(running > 0 ? [`${running} running`] : []),
    ...(isReading ? ["reading"] : []),
  ];
}

function waitingWords({ waiting }: Pick<SessionTotals, "waiting">): string {
  return `${waiting} need${waiting === 1 ? "s" : ""} you`;
}

const NARROW = 72;
const WIDE = 104;

/** On a screen with little room only the view that is shown has its name: what there is says more. */
function tabCell(tab: Tab, at: number, state: ViewState, isShort: boolean): Cell {
  const isHere = tab === state.tab;
  const name = isShort && !isHere ? "" : ` ${tab}`;
  const text = isHere ? `[${at + 1}${name}]` : ` ${at + 1}${name} `;
  return { text, width: text.length, style: isHere ? "cyan" : "dim" };
}

/** What the demo tells stands right above what it shows. */
export function captionRows({ caption }: World, canvas: Canvas): readonly string[] {
  return caption === undefined ? [] : [drawText(` ${caption}`, canvas, "inverse")];
}

/** How many rows the end of the screen takes. */
export function footerHeight(state: ViewState, canvas: Canvas): number {
  return state.message && !state.prompt ? messageRows(state.message, canvas).length : 1;
}

/** The last rows: what is typed, what became of the last key, or the keys that do something here. */
export function footerRows({ world, state }: Shown, rest: string, canvas: Canvas): readonly string[] {
  const { prompt, message, filter } = state;
  if (prompt) return [promptRow(`${prompt.label} `, prompt.text, canvas)];
  if (message) return messageRows(message, canvas);
  // A session or a text is shown whole, whatever the list behind it is filtered by.
  const isFiltered = filter.trim() !== "" && actionOf("/", whereIs(state)) !== undefined;
  const found = isFiltered ? `filter: ${filter}  ` : "";
  const right = `${found}${rest} `;
  const room = canvas.columns - stringWidth(safeText(right)) - 1;
  return [drawEnds(hintCells(world, state, room), { text: right, style: "dim" }, canvas)];
}

const MOST_MESSAGE = 3;

/** Often the end of a message says what to do next: it is not cut where a few rows can hold it. */
function messageRows({ text, isError }: Message, canvas: Canvas): readonly string[] {
  const rows = foldWords(safeText(text), canvas.columns - 2).slice(0, MOST_MESSAGE);
  return rows.map((row) => drawText(` ${row}`, canvas, isError ? "red" : "green"));
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

/** The end of what is typed stays in sight; a long label leaves at least half of the row to it. */
function promptRow(label: string, text: string, { columns, pen }: Canvas): string {
  const name = safeText(` ${label}`);
  const named = Math.min(stringWidth(name), Math.floor(columns / 2));
  const room = columns - named;
  return drawCells(
    [
      { text: name, width: named, style: "bold" },
      { text: `${endOfText(safeText(text), room - 1)}█`, width: room },
    ],
    pen,
  );
}
