import { wrapWords } from "../../app/terminal/text-width.js";
import { BINDINGS, type Where, whereIs } from "../keymap.js";
import { type Canvas, drawCells, drawText } from "./cells.js";
import type { Body, Shown } from "./view-body.js";

const NAMES: Readonly<Record<string, string>> = {
  " ": "space",
  up: "↑",
  down: "↓",
  left: "←",
  right: "→",
  enter: "enter",
  escape: "esc",
  interrupt: "Ctrl+C",
  redraw: "Ctrl+L",
  suspend: "Ctrl+Z",
  "wheel-up": "wheel",
  "wheel-down": "wheel",
  "back-tab": "Shift+tab",
  "page-up": "PgUp",
  "page-down": "PgDn",
};

const PLACES: Readonly<Record<Where, string>> = {
  sessions: "in the list of sessions",
  session: "in a session",
  tasks: "in tasks",
  plans: "in plans",
  events: "in events",
  page: "in a text",
};

const KEYS = 18;

/** Keys that do something where the person is first, then all others. */
export function helpBody({ state }: Shown, canvas: Canvas): Body {
  const { columns, rows } = canvas;
  const here = whereIs(state);
  const own = BINDINGS.filter(({ where }) => where.includes(here));
  const others = BINDINGS.filter(({ where }) => !where.includes(here));
  const all = [
    drawText(` Keys ${PLACES[here]}`, canvas, "bold"),
    ...MARKS.flatMap((words) => wrapped(words, columns - 1)).map((words) => drawText(` ${words}`, canvas, "dim")),
    ...own.flatMap((binding) => keyRows(keysText(binding), binding.about, canvas)),
    ...keyRows("1 2 3 4", "sessions, tasks, plans, events; in a session that asks: the choice", canvas),
    ...(others.length === 0 ? [] : [drawText(" Elsewhere", canvas, "bold")]),
    ...others.flatMap((binding) => keyRows(keysText(binding), binding.about, canvas)),
  ];
  const start = Math.max(0, Math.min(state.helpTop, all.length - rows));
  const below = all.length - start - rows;
  return { rows: all.slice(start, start + rows), start, rest: below > 0 ? `${below} more ↓` : "" };
}

function keysText({ keys }: (typeof BINDINGS)[number]): string {
  return keys.map((key) => NAMES[key] ?? key).join(" ");
}

/** Words over as many rows as they need; the keys stand before the first. */
function keyRows(keys: string, about: string, { columns, pen }: Canvas): readonly string[] {
  const width = Math.max(1, columns - KEYS);
  return wrapped(about, width).map((text, at) =>
    drawCells(
      [
        { text: at === 0 ? `  ${keys}` : "", width: KEYS, style: "cyan" },
        { text, width },
      ],
      pen,
    ),
  );
}

const wrapped = (words: string, width: number) => wrapWords(words, Math.max(1, width));

const MARKS = [
  "▌ cursor  • changed since you last looked  ↑ pinned  ▸ in progress  ⚠ goes in circles",
  "✓ verified by a check  ~ worked on  ? called done, nothing ran  ✗ called done, its check failed",
];
