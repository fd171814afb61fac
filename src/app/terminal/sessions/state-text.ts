import { ALERT_LEVELS } from "../../../core/detectors/alert.js";
import { reasonText } from "../../../core/session/state/reason.js";
import { terminalText } from "../../../core/text/terminal-text.js";
import { ageText, leftText } from "../../../core/text/time-text.js";
import type { PlanReport } from "../../plans/plan-report.js";
import type { SessionReport } from "../../transcripts/session-report.js";

type Stated = Pick<SessionReport, "state" | "why" | "limited" | "sleeping">;

/** Reasons that say no more than the state itself. */
const PLAIN: readonly string[] = ["in-turn", "call-running", "turn-ended", "started"];

/** `waiting: permission, 3m`; where the state says it all, that alone. */
export function stateText(session: Stated, now: number): string {
  const { state, why, sleeping } = session;
  if (sleeping) return `${state}: wakes in ${leftText(Date.parse(sleeping.until) - now)}`;
  if (state === "ended" || PLAIN.includes(why.reason)) return state;
  return [`${state}: ${reasonText(why.reason)}`, ...lasting(session, now)].join(", ");
}

/** The same in full: `waiting: permission, 3m, from hook`. */
export function wholeStateText(session: Stated, now: number): string {
  const { state, why, limited, sleeping } = session;
  const word = why.word === null ? "" : ` (${terminalText(why.word)})`;
  const reset = limited?.resetsAt ? [`resets in ${leftText(Date.parse(limited.resetsAt) - now)}`] : [];
  const wake = sleeping ? [`wakes in ${leftText(Date.parse(sleeping.until) - now)}`] : [];
  const parts = [`${state}: ${reasonText(why.reason)}${word}`, ...lasting(session, now), ...reset, ...wake];
  return [...parts, `from ${why.source}`].join(", ");
}

function lasting({ why }: Stated, now: number): readonly string[] {
  return why.since === null ? [] : [ageText(now - Date.parse(why.since))];
}

/** What the person is asked, as a row of its own. */
export function askRows({ waitingFor, plan }: Pick<SessionReport, "waitingFor" | "plan">): readonly string[] {
  if (waitingFor?.kind === "plan" && plan?.status === "proposed") return [planText(plan)];
  return waitingFor?.text ? [`asks: ${terminalText(waitingFor.text)}`] : [];
}

/** `plan p1ab-c2d3e, proposed: Move sessions to Redis`; `how`: when, and by whom. */
export function planText({ id, status, title }: PlanReport, how = ""): string {
  return `plan ${id}, ${status}${how}: ${terminalText(title)}`;
}

/** What detectors have found and is not over, in one sentence; the worst of them stands for all. */
export function alertRows({ alerts }: Pick<SessionReport, "alerts">): readonly string[] {
  const open = alerts.filter(({ isOver }) => !isOver);
  const worst = open.toSorted((a, b) => ALERT_LEVELS.indexOf(b.level) - ALERT_LEVELS.indexOf(a.level))[0];
  if (!worst) return [];
  const more = open.length > 1 ? ` (and ${open.length - 1} more)` : "";
  // What follows the first sentence is advice for the model.
  const [what = ""] = worst.message.split(/(?<=[.!?]) /, 1);
  return [`! ${worst.detector}${more}: ${terminalText(what)}`];
}
