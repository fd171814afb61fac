import { type SessionReport, shownFinish } from "../../app/transcripts/session-report.js";
import { counted } from "../../core/text/length.js";
import { ageText } from "../../core/text/time-text.js";
import type { ViewState } from "../view-state.js";
import { type Size, sessionAt, type World } from "../world.js";
import { barText, type Cell, drawCells, drawEnds, drawText, type Pen, shortCount } from "./cells.js";
import { besideRows } from "./session-beside.js";
import { listRows } from "./session-list.js";
import { branchText } from "./session-row.js";
import { agentWord, contextWords, modelWord, progressOf, stateWords } from "./session-words.js";
import type { Body } from "./sessions-frame.js";
import { urgentRows } from "./urgent-rows.js";

/** Narrower, and the list and what stands beside it are shown in turn. */
const SIDE_BY_SIDE = 96;

/** One session: who it is, what it asks, its list, and beside that its calls, alerts, changes and the way back to it. */
export function sessionBody(world: World, state: ViewState, size: Size, pen: Pen, start: number): Body {
  const session = sessionAt(world, state.opened);
  if (!session) return { rows: [drawText("  This session is gone.", size.columns, pen)], start: 0, rest: "" };
  const head = [headRow(session, world, size, pen), barRow(session, world, size, pen)];
  const urgent = urgentRows(session, world, size, pen).slice(0, Math.max(0, size.rows - head.length - 3));
  const room = { columns: size.columns, rows: Math.max(1, size.rows - head.length - urgent.length) };
  const body =
    size.columns >= SIDE_BY_SIDE
      ? sideBySide(session, world, state, room, pen, start)
      : state.pane === "list"
        ? listRows(session, state, room, pen, start)
        : { rows: besideRows(session, world, state, room, pen), start, rest: "" };
  return { ...body, rows: [...head, ...urgent, ...body.rows] };
}

function headRow(session: SessionReport, world: World, { columns }: Size, pen: Pen): string {
  const { project, title } = session;
  const branch = branchText(session, world.branchOf(session.folder));
  const name = ` ${[agentWord(session), project ?? "-", branch].join(" · ")}  ${session.parent === null ? "" : `└ ${title}`}`;
  const state = stateWords(session, world.now);
  const facts = [
    modelWord(session),
    session.tokens.total > 0 ? `${shortCount(session.tokens.total)} tokens` : "",
    contextWords(session).text,
    session.compactions > 0 ? counted(session.compactions, "compaction") : "",
  ].filter(Boolean);
  const width = Math.min(name.length, Math.max(10, Math.floor(columns / 2)));
  const left: readonly Cell[] = [
    { text: name, width, style: "bold" },
    { ...state, width: Math.min(13, columns - width) },
  ];
  return drawEnds(left, `${facts.join(" · ")} `, columns, pen, "dim");
}

function barRow(session: SessionReport, world: World, { columns }: Size, pen: Pen): string {
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

function sideBySide(
  session: SessionReport,
  world: World,
  state: ViewState,
  { columns, rows }: Size,
  pen: Pen,
  start: number,
): Body {
  const left = Math.floor(columns * 0.6);
  const right = columns - left - LINE.length;
  const list = listRows(session, state, { columns: left, rows }, pen, start);
  const beside = besideRows(session, world, state, { columns: right, rows }, pen);
  const blank = " ".repeat(left);
  const line = drawText(LINE, LINE.length, pen, "dim");
  const both = Array.from({ length: rows }, (_, at) => `${list.rows[at] ?? blank}${line}${beside[at] ?? ""}`);
  return { ...list, rows: both };
}
