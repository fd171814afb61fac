import { counted } from "../../../core/text/length.js";
import {
  costText,
  doneText,
  minuteText,
  shortCount,
  spentText,
  standingOf,
  VERDICT_MARKS,
  VERDICT_MEANINGS,
  VERDICT_ORDER,
} from "../report-words.js";
import type { SessionWorkReport, TodoWork, VerdictCounts } from "../work-report.js";
import { drawCalls } from "./call-table.js";
import { html } from "./html-text.js";
import { colourOf, drawTimeline } from "./timeline-drawing.js";

/** One session: who, how far, when, what, and what to look at. */
export function drawSession(session: SessionWorkReport, to: string, isOpen: boolean): string {
  const { sum } = session;
  const parts = [
    drawVerdicts(sum.verdicts),
    "<h3>Timeline</h3>",
    drawTimeline(session, to),
    todoTable(session.todos),
    alertList(session),
    fileTable(session),
    drawCalls(session),
  ];
  const name = `<h2 style="display:inline">${html(nameOf(session))}</h2>`;
  return `<details class="card"${isOpen ? " open" : ""}><summary>${name}
<p class="dim">${headline(session)}</p></summary>
<p class="dim">${figures(session)}</p>${parts.join("\n")}</details>`;
}

/** An id tells a person nothing: where nobody gave a title, whose work it was and where does. */
export function nameOf({ title, id, agent, project }: SessionWorkReport): string {
  return title || (project === null ? id : `${agent} in ${project}`);
}

function headline({ agent, project, branch, state, startedAt, updatedAt, sum }: SessionWorkReport): string {
  const place = [project, branch]
    .flatMap((part) => part ?? [])
    .map(html)
    .join(" · ");
  const times =
    startedAt === null ? "" : `${minuteText(startedAt)}${updatedAt === null ? "" : ` to ${minuteText(updatedAt)}`}`;
  const todos = sum.todos.done + sum.todos.open === 0 ? "" : doneText(sum);
  return [html(agent), place, state, todos, times].filter((part) => part !== "").join(" · ");
}

function figures({ id, model, subAgents, tokens, cost, sum }: SessionWorkReport): string {
  return [
    `<span class="mono">${html(id)}</span>`,
    ...(model === null ? [] : [html(model)]),
    counted(sum.turns, "turn"),
    `${spentText(sum.working)} at work`,
    ...(subAgents === 0 ? [] : [counted(subAgents, "sub-agent")]),
    ...(tokens.total === 0 ? [] : [`${shortCount(tokens.total)} tokens`]),
    ...(cost === null ? [] : [costText(cost)]),
    ...(sum.compactions === 0 ? [] : [counted(sum.compactions, "compaction")]),
  ].join(" · ");
}

function todoTable(todos: readonly TodoWork[]): string {
  if (todos.length === 0) return "";
  return `<h3>Todos</h3><table><thead><tr><th>Todo</th><th>Verdict</th><th class="n">Time</th>
<th class="n less">Calls</th><th class="n less">Lines</th></tr></thead>
<tbody>${todos.map(todoRow).join("\n")}</tbody></table>`;
}

function todoRow(todo: TodoWork): string {
  const { number, text, reason, isCurrent, milliseconds, calls, failures, added, removed } = todo;
  const [mark, word] = standingOf(todo);
  const why = reason === null ? "" : `<small>${html(reason)}</small>`;
  const failed = failures === 0 ? "" : ` <span class="is-contradicted">✗${failures}</span>`;
  const lines = added + removed === 0 ? "" : `+${added} −${removed}`;
  const time = milliseconds === 0 ? "" : spentText(milliseconds);
  const name = number === null ? "" : `<span class="dim">${number}</span> `;
  return `<tr${isCurrent ? "" : ' class="gone" title="No longer in the list"'}><td>${name}${html(text)}${why}</td>
<td><span class="v is-${colourOf(todo)}">${mark} ${word}</span></td><td class="n">${time}</td>
<td class="n less">${calls === 0 ? "" : calls}${failed}</td><td class="n less">${lines}</td></tr>`;
}

function alertList({ alerts }: SessionWorkReport): string {
  if (alerts.length === 0) return "";
  const rows = alerts.map(({ at, detector, level, message, isOver }) => {
    const time = at === null ? "" : minuteText(at).slice("2026-01-31 ".length);
    const over = isOver ? ' <span class="dim">over</span>' : "";
    return `<tr><td class="dim n">${time}</td><td><span class="v is-unbacked">▲ ${html(detector)}</span>
<span class="dim">${level}</span>${over}
<small>${html(message)}</small></td></tr>`;
  });
  return `<h3>Alerts</h3><table><tbody>${rows.join("\n")}</tbody></table>`;
}

function fileTable({ files, filesLeftOut, sum }: SessionWorkReport): string {
  if (files.length === 0) return "";
  const rows = files.map(({ path, added, removed }) => {
    const lines = added + removed === 0 ? "" : `+${added} −${removed}`;
    return `<tr><td class="mono">${html(path)}</td><td class="n">${lines}</td></tr>`;
  });
  const more = filesLeftOut === 0 ? "" : `<p class="dim">${counted(filesLeftOut, "more file")}.</p>`;
  return `<details class="calls">
<summary>${counted(sum.files, "file")} changed, +${sum.added} −${sum.removed}</summary>
<table><tbody>${rows.join("\n")}</tbody></table>${more}</details>`;
}

/** How much of what is called done is backed: a bar in parts, and each part in words. */
export function drawVerdicts(counts: VerdictCounts): string {
  const parts = VERDICT_ORDER.filter((verdict) => counts[verdict] > 0);
  if (parts.length === 0) return "";
  const bar = parts.map((verdict) => `<i class="of-${verdict}" style="flex:${counts[verdict]}"></i>`);
  const words = parts.map((verdict) => {
    const name = verdict === "none" ? "without a verdict" : verdict;
    const figure = `<span class="v is-${verdict}">${VERDICT_MARKS[verdict]} ${counts[verdict]}</span>`;
    return `<li title="${VERDICT_MEANINGS[verdict]}">${figure} ${name}</li>`;
  });
  return `<div class="split" role="img" aria-label="Verdicts">${bar.join("")}</div>
<ul class="legend">${words.join("")}</ul>`;
}
