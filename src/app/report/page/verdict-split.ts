import { VERDICT_MARKS, VERDICT_MEANINGS, VERDICT_ORDER } from "../report-words.js";
import type { VerdictCounts } from "../work-report.js";

/** How much of what is called done is backed: a bar in parts, and each part in words. */
export function drawVerdicts(counts: VerdictCounts): string {
  const parts = VERDICT_ORDER.filter((verdict) => counts[verdict] > 0);
  if (parts.length === 0) return "";
  const bar = parts.map((verdict) => `<i class="of-${verdict}" style="flex:${counts[verdict]}"></i>`);
  const words = parts.map((verdict) => {
    const name = verdict === "none" ? "without a verdict" : verdict;
    return `<li title="${VERDICT_MEANINGS[verdict]}"><span class="v is-${verdict}">${VERDICT_MARKS[verdict]} ${counts[verdict]}</span> ${name}</li>`;
  });
  return `<div class="split" role="img" aria-label="Verdicts">${bar.join("")}</div><ul class="legend">${words.join("")}</ul>`;
}
