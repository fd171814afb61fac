import { advanceRelay, openRelay, tellRelay } from "../../../core/relay/relay.js";
import type { Relayed, RelayInput, RelayNotice } from "../../../core/relay/relay-state.js";
import { isCut, reasonText } from "../../../core/session/state/reason.js";
import { terminalText } from "../../../core/text/terminal-text.js";
import { ageText, isoTime } from "../../../core/text/time-text.js";
import type { ChildReport, SessionReport } from "../session-report.js";
import { focusOf, reportProgress } from "./report-progress.js";

/** What a session is told of a sub-agent, in one line, and when. */
export interface ChildNotice {
  readonly kind: RelayNotice["kind"];
  readonly at: string;
  readonly text: string;
}

/**
 * The last that a relay would have told of this sub-agent by now: what it is on, that it has fallen silent, that it is
 * done. Made of when it began, was last heard of and ended, so it is the same whoever looks, and how often.
 */
export function childNotice(child: SessionReport, now: number): ChildNotice | null {
  const [startedAt, activeAt] = [child.startedAt, child.activeAt ?? child.updatedAt].map((time) =>
    time === null ? Number.NaN : Date.parse(time),
  ) as [number, number];
  if (Number.isNaN(startedAt) || Number.isNaN(activeAt)) return null;
  let relayed: Relayed = openRelay({}, startedAt);
  let last = relayed.notices.at(-1);
  const tell = (input: RelayInput, at: number) => {
    relayed = tellRelay(relayed.relay, input, at);
    last = relayed.notices.at(-1) ?? last;
  };
  tell({ type: "submitted" }, startedAt);
  if (child.calls.total > 0) tell({ type: "activity", name: child.call?.tool ?? "call" }, activeAt);
  tell({ type: "piece", kind: "progress", text: progressText(child) }, activeAt);
  const end = endOf(child, activeAt - startedAt);
  if (end) tell(end, activeAt);
  else last = advanceRelay(relayed.relay, now).notices.at(-1) ?? last;
  return last ? { kind: last.kind, at: isoTime(last.at), text: noticeText(last) } : null;
}

/** Where it is over, for good or not; it may go on from an answer that it waits for. */
function endOf({ state, why }: SessionReport, took: number): RelayInput | undefined {
  if (state !== "idle" && state !== "ended") return undefined;
  return isCut(why.reason) ? { type: "failure", reason: reasonText(why.reason) } : { type: "end", took };
}

/** Structured progress, no prose: `1/3 Reading the code`; blank where nothing is known. */
function progressText(child: SessionReport): string {
  const { done, total } = reportProgress(child);
  return [...(total === 0 ? [] : [`${done}/${total}`]), focusOf(child) ?? child.call?.subject ?? ""].join(" ").trim();
}

function noticeText(notice: RelayNotice): string {
  switch (notice.kind) {
    case "start":
      return "started";
    case "progress":
      return notice.text;
    case "stall":
      return `silent for ${ageText(notice.after)}`;
    case "resumed":
      return "goes on";
    case "done":
      return notice.took === undefined ? "done" : `done in ${ageText(notice.took)}`;
    case "error":
      return notice.reason === undefined ? "failed" : `failed: ${notice.reason}`;
    case "timeout":
      return `no end after ${ageText(notice.after)}`;
  }
}

/** What is on its way is in the sub-agent's own lines; its session is told what it may have to act on. */
const ACTED_ON: readonly ChildNotice["kind"][] = ["stall", "resumed", "done", "error", "timeout"];

/** What a session is told anew of its sub-agents between two looks: `explore: silent for 1m`. */
export function noticeLines(before: readonly ChildReport[], after: readonly ChildReport[]): readonly string[] {
  const known = new Map(before.map(({ id, notice }) => [id, notice]));
  return after.flatMap(({ id, notice }) => {
    const old = known.get(id);
    // One that was not there before has its own line already.
    if (!notice || !old || (old.kind === notice.kind && old.at === notice.at)) return [];
    const name = terminalText(id.split("/").at(-1) ?? id);
    // Heard of again, and on its way: the relay tells the progress, its session that it goes on.
    if (old.kind === "stall" && notice.kind === "progress") return [`Sub-agent ${name}: goes on`];
    return ACTED_ON.includes(notice.kind) ? [`Sub-agent ${name}: ${terminalText(notice.text)}`] : [];
  });
}
