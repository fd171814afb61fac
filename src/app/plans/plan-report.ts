import type { DecisionWay, Plan, PlanStatus } from "../../core/plan/plan.js";
import { planTitle } from "../../core/plan/plan-outline.js";
import { isoTime, LAST_TIME } from "../../core/text/time-text.js";
import { projectOf } from "../session/session-mention.js";

/** What `--json` prints of a plan, everywhere. Scripts rely on the names; more may be added, none goes. */
export interface PlanReport {
  readonly id: string;
  readonly title: string;
  /** Markdown, as it is stored. */
  readonly text: string;
  readonly status: PlanStatus;
  /** SHA-256 of the text: what a decision is bound to. */
  readonly hash: string;
  readonly session: string | null;
  /** The client of the session. */
  readonly agent: string | null;
  readonly decidedBy: string | null;
  readonly decidedVia: DecisionWay | null;
  /** ISO times; null where nothing has one. */
  readonly decidedAt: string | null;
  readonly reason: string | null;
  readonly supersedes: string | null;
  readonly supersededBy: string | null;
  readonly proposedAt: string | null;
  /** The last part of the folder. */
  readonly project: string | null;
  readonly folder: string | null;
}

export function reportPlan(plan: Plan): PlanReport {
  const { id, text, status, hash, session, client, decision, supersedes, supersededBy, proposedAt, folder } = plan;
  return {
    id,
    title: planTitle(text),
    text,
    status,
    hash,
    session: session ?? null,
    agent: client || null,
    decidedBy: decision?.by ?? null,
    decidedVia: decision?.via ?? null,
    decidedAt: decision === undefined ? null : timeOf(decision.at),
    reason: decision?.reason ?? null,
    supersedes: supersedes ?? null,
    supersededBy: supersededBy ?? null,
    proposedAt: timeOf(proposedAt),
    project: projectOf(folder),
    folder: folder || null,
  };
}

/** Null where nothing has a time: files may say anything. */
function timeOf(milliseconds: number): string | null {
  return milliseconds > 0 && milliseconds <= LAST_TIME ? isoTime(milliseconds) : null;
}
