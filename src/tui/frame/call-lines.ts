import { ageText, agoText, momentText } from "../../core/text/time-text.js";
import type { TimelineCall } from "../../core/timeline/timeline.js";

/** What is known of one call. What it printed is not: neither arguments nor answers are kept. */
export function callLines(call: TimelineCall, now: number): readonly string[] {
  const { tool, subject, agent, at, end, status, check, result, files, added, removed } = call;
  const lines: readonly (readonly [string, string | undefined])[] = [
    ["tool", tool],
    ["about", subject ?? undefined],
    ["sub-agent", agent ?? undefined],
    ["began", at > 0 ? `${momentText(at)}, ${agoText(now - at)}` : undefined],
    ["took", end === null ? `${status} for ${ageText(now - at)}` : ageText(end - at)],
    ["ended", end === null ? undefined : status],
    ["check", check === null ? undefined : `${check}, ${result ?? "result not told"}`],
    ["lines", added + removed > 0 ? `+${added} -${removed}` : undefined],
    ["files", files.length > 0 ? files.join(", ") : undefined],
  ];
  const told = lines.flatMap(([name, value]) => (value === undefined ? [] : [`${name.padEnd(10)}${value}`]));
  return [...told, "", "What it printed is in the agent's own transcript: no arguments and no answers are kept here."];
}
