import { stringWidth } from "../../app/terminal/text-width.js";
import { type SessionReport, shownFinish } from "../../app/transcripts/session-report.js";
import { counted } from "../../core/text/length.js";
import { ageText } from "../../core/text/time-text.js";
import { sessionAt, type World } from "../world.js";
import { barText, type Canvas, type Cell, drawCells, drawEnds, drawText, safeText, shortCount } from "./cells.js";
import { besideRows } from "./session-beside.js";
import { listBody } from "./session-list.js";
import { branchText } from "./session-row.js";
import { agentWord, contextWords, modelWord, progressOf, stateWords } from "./session-words.js";
import { urgentRows } from "./urgent-rows.js";
import { type Body, type Shown, wordsBody } from "./view-body.js";

/** Narrower, and the list and what stands beside it are shown in turn. */
const SIDE_BY_SIDE = 96;

/** With fewer rows there is only its list. */
const HEADED = 5;

/** One session: who it is, what it asks, its list; beside that its calls, alerts, changes and the way back to it. */
export function sessionBody(shown: Shown, canvas: Canvas): Body {
  const { world, state } = shown;
  const session = sessionAt(world, state.opened);
  if (!session) return wordsBody(["This session is gone."], canvas);
  const isLow = canvas.rows < HEADED;
  const head = isLow ? [] : [headRow(session, world, canvas), barRow(session, world, canvas)];
  const urgent = urgentRows(session, world, canvas).slice(0, Math.max(0, canvas.rows - head.length - 3));
  const room = { ...canvas, rows: Math.max(1, canvas.rows - head.length - urgent.length) };
  const body = restOf(session, shown, room);
  return { ...body, rows: [...head, ...urgent, ...body.rows] };
}

function restOf(session: SessionReport, shown: Shown, canvas: Canvas): Body {
  if (canvas.columns >= SIDE_BY_SIDE) return sideBySide(session, shown, canvas);
  if (shown.state.pane === "list") return listBody(session, shown, canvas);
  return { rows: besideRows(session, shown, canvas), start: shown.start, rest: "" };
}

function headRow(session: SessionReport, world: World, canvas: Canvas): string {
  const { columns } = canvas;
  // A sub-agent works where its session does.
  const root = sessionAt(world, session.parent ?? undefined) ?? session;
  const branch = branchText(root, world.branchOf(root.folder));
  const below = session === root ? [] : [`└ ${session.title || session.id.slice(session.id.lastIndexOf("/") + 1)}`];
  const name = ` ${[agentWord(root), root.project ?? "-", branch, ...below].join(" · ")}  `;
  const state = stateWords(session, world.now);
  const facts = [
    modelWord(session),
    session.tokens.total > 0 ? `${shortCount(session.tokens.total)} tokens` : "",
    contextWords(session).text,
    session.compactions > 0 ? counted(session.compactions, "compaction") : "",
  ].filter(Boolean);
  const width = Math.min(stringWidth(safeText(name)), Math.max(10, Math.floor(columns / 2)));
  const left: readonly Cell[] = [
    { text: name, width, style: "bold" },
    { text: "", width: 1 },
    { ...state, width: Math.min(13, columns - width - 1) },
  ];
  return drawEnds(left, { text: `${facts.join(" · ")} `, style: "dim" }, canvas);
}

function barRow(session: SessionReport, world: World, { columns, pen }: Canvas): string {
  const { done, total } = progressOf(session);
  const bar = Math.min(20, Math.floor(columns / 4));
  const finish = shownFinish(session);
  const goal = session.goal ? `goal: ${session.goal.text}` : session.title;
  const ago = finish && finish.at > 0 ? `done ${ageText(world.now - finish.at)} ago  ` : "";
  const count = total === 0 ? "no list" : `${done}/${total}`;
  return drawCells(
    [
      { text: ` ${total === 0 ? "" : barText(done, total, bar)}`, width: total === 0 ? 1 : bar + 2, style: "green" },
      { text: count, width: count.length + 2 },
      { text: `${ago}${goal}`, width: Math.max(0, columns - bar - count.length - 4), style: "dim" },
    ],
    pen,
  );
}

const LINE = " │ ";

function sideBySide(session: SessionReport, shown: Shown, canvas: Canvas): Body {
  const left = Math.floor(canvas.columns * 0.6);
  const list = listBody(session, shown, { ...canvas, columns: left });
  const beside = besideRows(session, shown, { ...canvas, columns: canvas.columns - left - LINE.length });
  const blank = " ".repeat(left);
  const line = drawText(LINE, { ...canvas, columns: LINE.length }, "dim");
  const rows = Array.from({ length: canvas.rows }, (_, at) => `${list.rows[at] || blank}${line}${beside[at] ?? ""}`);
  return { ...list, rows };
}
