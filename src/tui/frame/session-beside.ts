import type { SessionReport } from "../../app/transcripts/session-report.js";
import { resumeLine } from "../../app/watching/resume-line.js";
import { counted } from "../../core/text/length.js";
import { ageText, momentText } from "../../core/text/time-text.js";
import { changeOfTurn, recentCalls, type TimelineCall } from "../../core/timeline/timeline.js";
import type { ViewState } from "../view-state.js";
import type { Size, World } from "../world.js";
import { drawCells, drawText, type Pen, type Style } from "./cells.js";

/** Calls that are looked for in a session; more than fit on a screen. */
export const MOST_CALLS = 100;
const MOST_FILES = 4;

/** Beside the list: what has just run, what was changed, alerts, the plan, the way back into the session. */
export function besideRows(
  session: SessionReport,
  world: World,
  state: ViewState,
  { columns, rows }: Size,
  pen: Pen,
): readonly string[] {
  const after = [
    ...changeRows(session, world, columns, pen),
    ...alertRows(session, columns, pen),
    ...planRows(session, columns, pen),
    ...placeRows(session, columns, pen),
  ];
  // Calls take what is left, and never less than three rows.
  const room = Math.max(3, rows - Math.min(after.length, rows - 4) - 1);
  const calls = callRows(session, world, state, { columns, rows: room }, pen);
  return [...calls, ...after].slice(0, rows);
}

function heading(text: string, columns: number, pen: Pen): string {
  return drawText(text, columns, pen, "dim");
}

function callRows(session: SessionReport, world: World, state: ViewState, size: Size, pen: Pen): readonly string[] {
  const { timeline, now } = world;
  const { calls } = session;
  const failed = calls.failed > 0 ? `, ${calls.failed} failed` : "";
  const title = heading(`CALLS ${calls.total}${failed}`, size.columns, pen);
  if (!timeline) return [title, drawText("reading ...", size.columns, pen, "dim")];
  const recent = recentCalls(timeline, MOST_CALLS);
  const cursor =
    state.pane === "calls"
      ? Math.max(
          0,
          recent.findIndex(({ call }) => call === state.cursors.calls),
        )
      : -1;
  const start = Math.max(0, cursor - size.rows + 2);
  const rows = recent.slice(start, start + size.rows - 1);
  if (rows.length === 0) return [title, drawText("none", size.columns, pen, "dim")];
  return [title, ...rows.map((call, at) => callRow(session, call, start + at === cursor, now, size.columns, pen))];
}

function callRow(
  session: SessionReport,
  call: TimelineCall,
  isCursor: boolean,
  now: number,
  columns: number,
  pen: Pen,
): string {
  const { tool, at } = call;
  const subject = call.subject === null ? null : placeIn(session, call.subject);
  const how = outcome(call, now);
  const clock = at > 0 ? momentText(at).slice(-8) : "";
  const width = Math.min(how.text.length + 1, Math.max(8, Math.floor(columns / 3)));
  const name = subject === null || subject === tool ? tool : `${tool}  ${subject}`;
  const indent = call.agent === null ? "" : "└ ";
  return drawCells(
    [
      { text: isCursor ? "▌" : " ", width: 1, style: "cyan" },
      { text: clock, width: columns < 40 ? 0 : 9, style: "dim" },
      { text: `${indent}${name}`, width: Math.max(4, columns - 1 - (columns < 40 ? 0 : 9) - width) },
      { ...how, width, isRight: true },
    ],
    pen,
    isCursor,
  );
}

/** `41s …` while it runs; how a check went, what was changed, or just that it worked. */
function outcome(call: TimelineCall, now: number): { readonly text: string; readonly style: Style } {
  const { status, at, end, check, result, added, removed, isChange } = call;
  if (status === "running") return { text: at > 0 ? `${ageText(now - at)} …` : "…", style: "cyan" };
  const took = end !== null && at > 0 && end - at >= 1000 ? ` ${ageText(end - at)}` : "";
  if (check !== null && result === "failed") return { text: `✗ ${check}${took}`, style: "red" };
  if (check !== null && result === "passed") return { text: `✓ ${check}${took}`, style: "green" };
  if (status === "failed") return { text: `✗ failed${took}`, style: "red" };
  if (status === "cancelled") return { text: "stopped", style: "yellow" };
  if (status === "lost") return { text: "?", style: "dim" };
  if (isChange && added + removed > 0) return { text: `+${added} -${removed}`, style: "dim" };
  return { text: `ok${took}`, style: "dim" };
}

function changeRows(session: SessionReport, { timeline }: World, columns: number, pen: Pen): readonly string[] {
  if (!timeline) return [];
  const { files, added, removed } = changeOfTurn(timeline);
  if (files.length === 0) return [];
  const rows = files.slice(0, MOST_FILES).map((file) => {
    const lines = file.added + file.removed > 0 ? `  +${file.added} -${file.removed}` : "";
    return drawText(`  ${placeIn(session, file.path)}${lines}`, columns, pen);
  });
  const more =
    files.length > rows.length ? [drawText(`  ${files.length - rows.length} more`, columns, pen, "dim")] : [];
  const title = `CHANGED IN THIS TURN  ${counted(files.length, "file")} +${added} -${removed}  (D diff)`;
  return ["", heading(title, columns, pen), ...rows, ...more];
}

function alertRows({ alerts }: SessionReport, columns: number, pen: Pen): readonly string[] {
  const shown = alerts.slice(-3);
  if (shown.length === 0) return [];
  const rows = shown.map(({ detector, level, isOver }) =>
    drawText(`  ${isOver ? "over" : level}  ${detector}`, columns, pen, isOver ? "dim" : "red"),
  );
  return ["", heading("ALERTS", columns, pen), ...rows];
}

function planRows({ plan }: SessionReport, columns: number, pen: Pen): readonly string[] {
  if (plan === null) return [];
  const keys = plan.status === "proposed" ? "a approve  r reject  p read" : "p read";
  const by = plan.decidedBy === null ? "" : ` by ${plan.decidedBy}`;
  return [
    "",
    heading(`PLAN  ${plan.status}${by}  (${keys})`, columns, pen),
    drawText(`  ${plan.title}`, columns, pen, plan.status === "proposed" ? "yellow" : undefined),
  ];
}

function placeRows(session: SessionReport, columns: number, pen: Pen): readonly string[] {
  const { pullRequest } = session;
  const resume = resumeLine(session);
  return [
    ...(pullRequest === null
      ? []
      : ["", heading("PULL REQUEST", columns, pen), drawText(`  ${pullRequest.url}`, columns, pen)]),
    ...(resume === undefined ? [] : ["", heading("RESUME  (o prints it and leaves, c copies)", columns, pen)]),
    ...(resume === undefined ? [] : [drawText(`  ${resume}`, columns, pen)]),
  ];
}

/** A file by its way from the session's folder: the rest is the same for all. */
function placeIn({ folder }: SessionReport, path: string): string {
  return folder !== null && path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path;
}
