import { resumeIn } from "../../app/answers/way-there.js";
import { foldWords } from "../../app/terminal/text-width.js";
import type { SessionReport } from "../../app/transcripts/session-report.js";
import { counted } from "../../core/text/length.js";
import { ageText, momentText } from "../../core/text/time-text.js";
import { changeOfTurn, recentCalls, type TimelineCall } from "../../core/timeline/timeline.js";
import { MOST_CALLS, type World } from "../world.js";
import { type Canvas, drawCells, drawText, type Style, safeText } from "./cells.js";
import type { Shown } from "./view-body.js";

const MOST_FILES = 4;

/** Beside the list: what has just run, what was changed, alerts, the plan, the way back into the session. */
export function besideRows(session: SessionReport, { world, state }: Shown, canvas: Canvas): readonly string[] {
  const { rows } = canvas;
  const after = [
    ...changeRows(session, world, canvas),
    ...alertRows(session, canvas),
    ...planRows(session, canvas),
    ...placeRows(session, world.home, canvas),
  ];
  // Calls take what is left, and never less than three rows.
  const room = Math.max(3, rows - Math.min(after.length, rows - 4));
  const title = callTitle(session, canvas);
  const calls = callRows(session, { world, state }, { ...canvas, rows: room - 1 });
  return [title, ...calls, ...after].slice(0, rows);
}

function heading(text: string, canvas: Canvas): string {
  return drawText(text, canvas, "dim");
}

function callTitle({ calls }: SessionReport, canvas: Canvas): string {
  return heading(`CALLS ${calls.total}${calls.failed > 0 ? `, ${calls.failed} failed` : ""}`, canvas);
}

function callRows(session: SessionReport, { world, state }: Omit<Shown, "start">, canvas: Canvas): readonly string[] {
  const { timeline, now } = world;
  if (!timeline) return [drawText("reading ...", canvas, "dim")];
  const recent = recentCalls(timeline, MOST_CALLS);
  if (recent.length === 0) return [drawText("none", canvas, "dim")];
  const chosen = recent.findIndex(({ call }) => call === state.cursors.calls);
  const cursor = state.pane === "calls" ? Math.max(0, chosen) : -1;
  const start = Math.max(0, cursor - canvas.rows + 1);
  const shown = recent.slice(start, start + canvas.rows);
  return shown.map((call, at) => callRow(call, { session, now, isCursor: start + at === cursor }, canvas));
}

interface CallLook {
  readonly session: SessionReport;
  readonly now: number;
  readonly isCursor: boolean;
}

function callRow(call: TimelineCall, { session, now, isCursor }: CallLook, { columns, pen }: Canvas): string {
  const { tool, at } = call;
  const subject = call.subject === null ? null : placeIn(session, call.subject);
  const how = outcome(call, now);
  const clock = columns < 40 ? 0 : 9;
  const width = Math.min(how.text.length + 1, Math.max(8, Math.floor(columns / 3)));
  const name = subject === null || subject === tool ? tool : `${tool}  ${subject}`;
  return drawCells(
    [
      { text: isCursor ? "▌" : " ", width: 1, style: "cyan" },
      { text: at > 0 ? momentText(at).slice(-8) : "", width: clock, style: "dim" },
      { text: `${call.agent === null ? "" : "└ "}${name}`, width: Math.max(4, columns - 1 - clock - width) },
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

function changeRows(session: SessionReport, { timeline }: World, canvas: Canvas): readonly string[] {
  if (!timeline) return [];
  const { files, added, removed } = changeOfTurn(timeline);
  if (files.length === 0) return [];
  const rows = files.slice(0, MOST_FILES).map((file) => {
    const lines = file.added + file.removed > 0 ? `  +${file.added} -${file.removed}` : "";
    return drawText(`  ${placeIn(session, file.path)}${lines}`, canvas);
  });
  const more = files.length > rows.length ? [drawText(`  ${files.length - rows.length} more`, canvas, "dim")] : [];
  const title = `CHANGED IN THIS TURN  ${counted(files.length, "file")} +${added} -${removed}  (D diff)`;
  return ["", heading(title, canvas), ...rows, ...more];
}

function alertRows({ alerts }: SessionReport, canvas: Canvas): readonly string[] {
  const shown = alerts.slice(-3);
  if (shown.length === 0) return [];
  const rows = shown.map(({ detector, level, isOver }) =>
    drawText(`  ${isOver ? "over" : level}  ${detector}`, canvas, isOver ? "dim" : "red"),
  );
  return ["", heading("ALERTS", canvas), ...rows];
}

function planRows({ plan }: SessionReport, canvas: Canvas): readonly string[] {
  if (plan === null) return [];
  const keys = plan.status === "proposed" ? "a approve  r reject  p read" : "p read";
  const by = plan.decidedBy === null ? "" : ` by ${plan.decidedBy}`;
  return [
    "",
    heading(`PLAN  ${plan.status}${by}  (${keys})`, canvas),
    drawText(`  ${plan.title}`, canvas, plan.status === "proposed" ? "yellow" : undefined),
  ];
}

function placeRows(session: SessionReport, home: string, canvas: Canvas): readonly string[] {
  const { pullRequest } = session;
  const resume = resumeIn(session)?.replace(`cd ${home}/`, "cd ~/");
  return [
    ...(pullRequest === null ? [] : section("PULL REQUEST", pullRequest.url, canvas)),
    ...(resume === undefined ? [] : section("RESUME  (o prints it and leaves, c copies)", resume, canvas)),
  ];
}

/** A heading, and a text over as many rows as it needs. */
function section(title: string, text: string, canvas: Canvas): readonly string[] {
  const rows = foldWords(safeText(text), Math.max(1, canvas.columns - 2));
  return ["", heading(title, canvas), ...rows.map((row) => drawText(`  ${row}`, canvas))];
}

/** A file by its way from the session's folder: the rest is the same for all. */
function placeIn({ folder }: SessionReport, path: string): string {
  return folder !== null && path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path;
}
