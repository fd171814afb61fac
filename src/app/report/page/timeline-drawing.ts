import { momentText } from "../../../core/text/time-text.js";
import { scaleOf, type TimeScale } from "../../../core/timeline/time-scale.js";
import type { TimeSpan } from "../../../core/timeline/timeline.js";
import { spentText, standingOf } from "../report-words.js";
import type { CallReport, SessionWorkReport, SpanReport, TodoWork } from "../work-report.js";
import { html, percent } from "./html-text.js";

/** Rows of todos; the table has all of them. */
const MOST_ROWS = 60;
const MOST_MARKS = 100;
const SHORT_MS = 10 * 60_000;
/** Units of the drawing from its left to its right. */
const WIDE = 10_000;

/** Todos as bars, calls as ticks, checks, alerts and compactions on one clock; empty where nothing has a time. */
export function drawTimeline(session: SessionWorkReport, to: string): string {
  const now = Date.parse(to);
  const scale = scaleOf(spansIn(session), now);
  if (!scale) return '<p class="dim">No record of this session has a time.</p>';
  const bars = session.todos.filter(({ spans }) => spans.length > 0);
  const rows = bars.slice(0, MOST_ROWS).map((todo) => todoRow(todo, scale, now));
  const more = bars.length - rows.length;
  return `<div class="time" tabindex="0" role="group" aria-label="Timeline">
<div class="plot">${backdrop(session, scale, now)}
<div class="name dim">Time</div><div class="track axis">${axis(scale)}</div>
<div class="name dim">Calls</div><div class="track">${ticks(session.calls, scale)}</div>
<div class="name dim">Checks</div><div class="track">${checks(session.calls, scale)}</div>
${alertRow(session, scale)}${rows.join("\n")}</div></div>${
    more > 0 ? `<p class="dim">${more} more todos are in the table below.</p>` : ""
  }${KEYS}`;
}

const KEYS = `<ul class="legend keys"><li><i class="k-work"></i>call</li><li><i class="k-edit"></i>edit</li>
<li><i class="k-fail"></i>failed call (below)</li><li><i class="k-pass"></i>check passed (round)</li>
<li><i class="k-red"></i>check failed (square, below)</li><li><b class="is-unbacked">▲</b> alert</li>
<li><i class="k-pack"></i>compaction</li><li><i class="k-turn"></i>turn</li></ul>`;

/** Alerts are left out: that nothing happens can be one, and a pause stays one. */
function spansIn({ calls, turns, todos, compactions }: SessionWorkReport): readonly TimeSpan[] {
  const timed = calls.flatMap(({ at, milliseconds }) => {
    const start = at === null ? 0 : Date.parse(at);
    return start > 0 ? [{ at: start, end: start + (milliseconds ?? 0) }] : [];
  });
  const moments = compactions.map((at) => Date.parse(at));
  const spans = [...turns, ...todos.flatMap((todo) => todo.spans)].map(timeSpan);
  return [...timed, ...spans, ...moments.map((at) => ({ at, end: at }))];
}

function timeSpan({ at, end }: SpanReport): TimeSpan {
  return { at: Date.parse(at), end: end === null ? null : Date.parse(end) };
}

const unit = (scale: TimeScale, at: number) => Math.round(scale.place(at) * WIDE);

/** One path for each kind: ten thousand elements would take a second to draw. */
function path(name: string, parts: readonly string[]): string {
  return parts.length === 0 ? "" : `<path class="${name}" d="${parts.join("")}"/>`;
}

function drawing(name: string, height: number, content: string): string {
  const box = `viewBox="0 0 ${WIDE} ${height}" preserveAspectRatio="none" aria-hidden="true"`;
  return `<svg${name === "" ? "" : ` class="${name}"`} ${box}>${content}</svg>`;
}

/** Behind all rows: turns as bands, pauses as gaps between them, compactions as lines. */
function backdrop({ turns, compactions }: SessionWorkReport, scale: TimeScale, now: number): string {
  const box = (from: number, to: number) => `M${from} 0H${Math.max(from + 4, to)}V100H${from}Z`;
  const bands = turns.map(timeSpan).map(({ at, end }) => box(unit(scale, at), unit(scale, end ?? now)));
  const pauses = scale.breaks.map(({ x, width }) => box(Math.round(x * WIDE), Math.round((x + width) * WIDE)));
  const packs = compactions.map((at) => `M${unit(scale, Date.parse(at))} 0V100`);
  return drawing("back", 100, path("band", bands) + path("pause", pauses) + path("pack", packs));
}

function axis({ marks, breaks, from, to }: TimeScale): string {
  const isOneDay = momentText(from).slice(0, 10) === momentText(to).slice(0, 10);
  // Minutes of a short session would be the same ones again and again.
  const text = (at: number) => momentText(at).slice(isOneDay ? 11 : 5, to - from < SHORT_MS ? 19 : 16);
  const times = marks.map(
    ({ x, at }) => `<span${x > 0.99 ? ' class="last"' : ""} style="left:${percent(x)}">${text(at)}</span>`,
  );
  const pauses = breaks.slice(0, MOST_MARKS).map(({ x, width, milliseconds }) => {
    return `<span style="left:${percent(x + width / 2)};top:13px" title="Pause of ${spentText(milliseconds)}">⋯</span>`;
  });
  return [...times, ...pauses].join("");
}

function ticks(calls: readonly CallReport[], scale: TimeScale): string {
  const lines = { "t-work": new Set<string>(), "t-edit": new Set<string>(), "t-fail": new Set<string>() };
  for (const { at, status, kind } of calls) {
    if (at === null) continue;
    const x = unit(scale, Date.parse(at));
    if (status === "failed") lines["t-fail"].add(`M${x} 14V25`);
    else if (kind === "edit") lines["t-edit"].add(`M${x} 1V12`);
    else lines["t-work"].add(`M${x} 4V12`);
  }
  // Calls that fall on one place are drawn once.
  return drawing(
    "",
    26,
    Object.entries(lines)
      .map(([name, parts]) => path(name, [...parts]))
      .join(""),
  );
}

/**
 * A line of no length is a dot as wide as its stroke, whatever the drawing is stretched to. What failed is below: where
 * there are thousands, neither hides the other.
 */
function checks(calls: readonly CallReport[], scale: TimeScale): string {
  const dots = { "c-none": new Set<string>(), "c-pass": new Set<string>(), "c-fail": new Set<string>() };
  for (const { at, check, result, milliseconds } of calls) {
    if (at === null || check === null) continue;
    const x = unit(scale, Date.parse(at) + (milliseconds ?? 0));
    if (result === "passed") dots["c-pass"].add(`M${x} 7h0`);
    else if (result === "failed") dots["c-fail"].add(`M${x} 19h0`);
    else dots["c-none"].add(`M${x} 7h0`);
  }
  return drawing(
    "",
    26,
    Object.entries(dots)
      .map(([name, parts]) => path(name, [...parts]))
      .join(""),
  );
}

function alertRow({ alerts }: SessionWorkReport, scale: TimeScale): string {
  const marks = alerts.slice(-MOST_MARKS).flatMap(({ at, detector, message }) => {
    if (at === null) return [];
    const place = percent(scale.place(Date.parse(at)));
    return [`<span class="mark" style="left:${place}" title="${html(detector)}: ${html(message)}">▲</span>`];
  });
  if (marks.length === 0) return "";
  return `<div class="name dim">Alerts</div><div class="track">${marks.join("")}</div>\n`;
}

function todoRow(todo: TodoWork, scale: TimeScale, now: number): string {
  const [mark, word] = standingOf(todo);
  const name = colourOf(todo);
  const text = html(todo.text);
  const bars = todo.spans.map(timeSpan).map(({ at, end }) => {
    const left = scale.place(at);
    const width = scale.place(end ?? now) - left;
    const runs = end === null ? " runs" : "";
    return `<i class="bar of-${name}${runs}" style="left:${percent(left)};width:${percent(width)}"></i>`;
  });
  const title = `${text}: ${word}, ${spentText(todo.milliseconds)}`;
  return `<div class="name"><b class="is-${name}" title="${word}">${mark}</b><span title="${text}">${text}</span></div>
<div class="track" title="${title}">${bars.join("")}</div>`;
}

export function colourOf({ status, verdict }: Pick<TodoWork, "status" | "verdict">): string {
  if (status === "completed") return verdict ?? "none";
  return status === "in_progress" ? "open" : "none";
}
