import { shortName } from "../../../core/detectors/presence.js";
import { silentChild, silentFindings } from "../../../core/detectors/silence/silent-child.js";
import type { SessionView } from "../../../core/session/session-facts.js";
import type { SessionState } from "../../../core/session/session-state.js";
import type { SessionReport } from "../session-report.js";
import { type AlertReport, reportAlert } from "./alert-report.js";

/** A session that was reported, and what its transcript tells. `heardAt`: when its file last grew, in milliseconds. */
export interface Looked {
  readonly report: SessionReport;
  readonly view: Pick<SessionView, "work" | "agents">;
  readonly heardAt: number;
}

const AT_WORK: readonly SessionState[] = ["running", "stalled"];

/**
 * Sub-agents that say nothing, while their session waits for them. Its own transcript tells that they began; what they
 * do is in theirs.
 */
export function silentChildren(
  { report, view }: Looked,
  below: readonly Looked[],
  now: number,
): readonly AlertReport[] {
  const awaited = view.agents?.length ?? 0;
  if (awaited === 0 || !AT_WORK.includes(report.state)) return [];
  const running = below.filter((child) => child.report.parent === report.id && AT_WORK.includes(child.report.state));
  // Some were killed, and their transcripts end in the middle: those that the session waits for spoke last.
  const newest = running.toSorted((a, b) => b.heardAt - a.heardAt).slice(0, awaited);
  return newest.flatMap((child) => {
    const name = shortName(child.report.id.split("/").at(-1) ?? "");
    const found = silentFindings(name, child.heardAt, now);
    return found.map((finding) => reportAlert({ id: 0, detector: silentChild.name, at: now, ...finding }));
  });
}
