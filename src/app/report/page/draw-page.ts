import { counted } from "../../../core/text/length.js";
import { costText, minuteText, periodText, shortCount, spentText } from "../report-words.js";
import type { WorkReport } from "../work-report.js";
import { html } from "./html-text.js";
import { PAGE_STYLE } from "./page-style.js";
import { drawSession, drawVerdicts, nameOf } from "./session-section.js";

/** By this a file is known as a report of ours, which another report may replace. */
export const PAGE_MARK = '<meta name="generator" content="milepost report">';

/** Nothing is loaded and nothing runs, whatever a text says. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** Sessions that are unfolded at first. */
const UNFOLDED = 3;

/** The report as one file: without a script, and with nothing from elsewhere. */
export function drawPage(report: WorkReport): string {
  const { sessions, to } = report;
  const [only] = sessions;
  const title = report.session !== null && only ? nameOf(only) : "Work report";
  const sections = sessions.map((session, at) => drawSession(session, to, at < UNFOLDED));
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
${PAGE_MARK}
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${html(title)} · Milepost</title>
<style>${PAGE_STYLE}</style></head>
<body><main><header><p class="dim">Milepost · work report</p><h1>${html(title)}</h1>
<p class="dim">${periodText(report)}</p></header>
${tiles(report)}
${report.session === null ? overview(report) : ""}
${sections.join("\n")}
${leftOut(report)}
<footer>Made ${minuteText(to)} by <span class="mono">milepost report</span>. Verdicts compare what was called done
with what really ran. Tokens are of whole sessions.</footer></main></body></html>
`;
}

function tiles({ sum, sessions, agents, tasks, session }: WorkReport): string {
  const { todos, checks, calls } = sum;
  const tokens = agents.reduce((total, one) => total + one.tokens.total, 0);
  const all: readonly (readonly [figure: string, word: string])[] = [
    ...(session === null ? [[`${sessions.length}`, sessions.length === 1 ? "session" : "sessions"] as const] : []),
    [`${todos.done}/${todos.done + todos.open}`, "todos done"],
    [`${sum.verdicts.verified}`, "verified by a check"],
    [`${checks.passed}/${checks.passed + checks.failed}`, "checks passed"],
    [`${sum.alerts}`, sum.alerts === 1 ? "loop or stall caught" : "loops and stalls caught"],
    [spentText(sum.working), "at work"],
    [shortCount(calls.total), calls.failed === 0 ? "calls" : `calls, ${calls.failed} failed`],
    [`+${shortCount(sum.added)} −${shortCount(sum.removed)}`, `lines in ${counted(sum.files, "file")}`],
    ...(tokens === 0 ? [] : [[shortCount(tokens), "tokens"] as const]),
    ...(tasks.length === 0 ? [] : [[`${tasks.length}`, tasks.length === 1 ? "task closed" : "tasks closed"] as const]),
  ];
  const drawn = all.map(([figure, word]) => `<div class="tile"><b>${figure}</b><span>${word}</span></div>`);
  // Two rows of the same length, where there are many.
  const columns = all.length > 5 ? Math.ceil(all.length / 2) : all.length;
  return `<div class="tiles" style="--columns:${columns}">${drawn.join("")}</div>`;
}

function overview(report: WorkReport): string {
  const { sum, sessions } = report;
  if (sessions.length === 0) return '<section class="card"><p>No session was active in this time.</p></section>';
  const verdicts = drawVerdicts(sum.verdicts);
  const first = verdicts === "" ? "" : `<section class="card"><h2>What is backed by what ran</h2>${verdicts}</section>`;
  return `${first}<div class="pair">${agentCard(report)}${detectorCard(report)}</div>${taskCard(report)}`;
}

function agentCard({ agents }: WorkReport): string {
  const rows = agents.map(({ agent, sessions, tokens, cost }) => {
    const cells = [sessions, shortCount(tokens.total), shortCount(tokens.input), shortCount(tokens.output)];
    const less = (at: number) => (at > 1 ? ' class="n less"' : ' class="n"');
    const figures = cells.map((cell, at) => `<td${less(at)}>${cell}</td>`).join("");
    return `<tr><td>${html(agent)}</td>${figures}<td class="n">${cost === null ? "" : costText(cost)}</td></tr>`;
  });
  return `<section class="card"><h2>Agents</h2><table><thead><tr><th>Agent</th>
<th class="n">Sessions</th><th class="n">Tokens</th>
<th class="n less">Input</th><th class="n less">Output</th><th class="n">Cost</th></tr></thead>
<tbody>${rows.join("\n")}</tbody></table></section>`;
}

function detectorCard({ detectors }: WorkReport): string {
  if (detectors.length === 0) return "";
  const rows = detectors.map(
    ({ detector, count }) => `<tr><td>▲ ${html(detector)}</td><td class="n">${count}</td></tr>`,
  );
  return `<section class="card"><h2>Loops and stalls caught</h2>
<table><tbody>${rows.join("")}</tbody></table></section>`;
}

function taskCard({ tasks }: WorkReport): string {
  if (tasks.length === 0) return "";
  const rows = tasks.map(({ list, id, subject, status, closedAt, closedBy }) => {
    const by = closedBy === null ? "" : ` by ${html(closedBy)}`;
    return `<tr><td>${html(subject)}<small>${html(list)} #${id}${by}</small></td><td>${status}</td>
<td class="n less">${minuteText(closedAt)}</td></tr>`;
  });
  return `<section class="card"><h2>Tasks closed</h2><table><tbody>${rows.join("\n")}</tbody></table></section>`;
}

function leftOut({ sessionsLeftOut }: WorkReport): string {
  return sessionsLeftOut === 0 ? "" : `<p class="dim">${counted(sessionsLeftOut, "older session")} left out.</p>`;
}
