import { counted } from "../../../core/text/length.js";
import { momentText } from "../../../core/text/time-text.js";
import { tookText } from "../report-words.js";
import type { CallReport, SessionWorkReport } from "../work-report.js";
import { html } from "./html-text.js";

/** Rows that are laid out together: a browser leaves out the chunks that nobody looks at. */
const CHUNK = 200;
const SUBJECT_MAX = 300;

/** Every call, closed at first. */
export function drawCalls({ calls, callsLeftOut, sum }: SessionWorkReport): string {
  if (calls.length === 0) return "";
  const chunks: string[] = [];
  for (let at = 0; at < calls.length; at += CHUNK) {
    const rows = calls.slice(at, at + CHUNK).map(callRow);
    chunks.push(`<div class="chunk"><table><tbody>${rows.join("\n")}</tbody></table></div>`);
  }
  const left = callsLeftOut === 0 ? "" : `<p class="dim">${counted(callsLeftOut, "earlier call")} left out.</p>`;
  const failed = sum.calls.failed === 0 ? "" : `, ${sum.calls.failed} failed`;
  return `<details class="calls"><summary>${counted(sum.calls.total, "call")}${failed}</summary>${left}
${chunks.join("\n")}</details>`;
}

function callRow({ at, tool, subject, agent, milliseconds, status, check, result }: CallReport): string {
  const time = at === null ? "" : momentText(at).slice(11);
  const about = subject === null ? "" : html(subject.slice(0, SUBJECT_MAX));
  const by = agent === null ? "" : `<small>${html(agent)}</small>`;
  const took = milliseconds === null ? "" : tookText(milliseconds);
  return `<tr><td class="dim">${time}</td><td>${html(tool)}${by}</td><td class="mono">${about}</td>
<td class="n">${took}</td><td>${outcome(status, check, result)}</td></tr>`;
}

const STATUS_LOOKS: Readonly<Record<CallReport["status"], readonly [name: string, text: string]>> = {
  completed: ["dim", "ok"],
  failed: ["v is-contradicted", "✗ failed"],
  cancelled: ["dim", "– cancelled"],
  running: ["v is-open", "▸ running"],
  lost: ["dim", "· no answer"],
};

function outcome(status: CallReport["status"], check: CallReport["check"], result: CallReport["result"]): string {
  if (check !== null && result === "passed") return `<span class="v is-verified">✓ ${check} passed</span>`;
  if (check !== null && result === "failed") return `<span class="v is-contradicted">✗ ${check} failed</span>`;
  const [name, text] = STATUS_LOOKS[status];
  return `<span class="${name}">${text}</span>`;
}
