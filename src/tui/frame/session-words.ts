import type { PlanReport } from "../../app/plans/plan-report.js";
import { focusOf, reportProgress } from "../../app/transcripts/report/report-progress.js";
import { type SessionReport, shownFinish, shownItems } from "../../app/transcripts/session-report.js";
import type { Verdict } from "../../core/grounding/verdict.js";
import { planSteps } from "../../core/plan/plan-outline.js";
import { doneAgoText } from "../../core/session/finished/finished-list.js";
import { ageText, leftText } from "../../core/text/time-text.js";
import { type Style, shortCount } from "./cells.js";

// What one row says of a session, in words. Nothing here is sanitised: cells are, where they are drawn.

/** What a cell says, and how it looks. */
export interface Words {
  readonly text: string;
  readonly style?: Style | undefined;
}

/** A client may call itself anything, `constructor` too. */
const AGENTS = new Map([
  ["claude-code", "claude"],
  ["oh-my-pi", "omp"],
]);

export function agentWord({ agent }: Pick<SessionReport, "agent">): string {
  return AGENTS.get(agent) ?? (agent || "?");
}

function since({ why }: SessionReport, now: number): string {
  return why.since === null ? "" : ` ${ageText(now - Date.parse(why.since))}`;
}

/** `waiting 3m`, `plan 8m`, `turn 12`, `idle 22m`. */
export function stateWords(session: SessionReport, now: number): Words {
  const { state, turns, waitingFor, limited, sleeping } = session;
  if (limited) return { text: `limit${resetText(limited.resetsAt, now)}`, style: "yellow" };
  if (sleeping) return { text: `wakes ${leftText(Date.parse(sleeping.until) - now)}`, style: "dim" };
  switch (state) {
    case "waiting":
      return { text: `${WAITS[waitingFor?.kind ?? ""] ?? "waiting"}${since(session, now)}`, style: "yellow" };
    case "running":
      return { text: turns > 0 ? `turn ${turns}` : "running", style: "green" };
    case "stalled":
      return { text: `stalled${since(session, now)}`, style: "red" };
    default:
      return { text: `${state}${since(session, now)}`, style: "dim" };
  }
}

const WAITS: Readonly<Record<string, string>> = { permission: "allow?", question: "asks", plan: "plan" };

function resetText(resetsAt: string | null, now: number): string {
  return resetsAt === null ? "" : ` ${leftText(Date.parse(resetsAt) - now)}`;
}

/** What it asks, what is wrong with it, what it is on, what it has done, or what it is about: the first there is. */
export function focusWords(session: SessionReport, now: number): Words {
  const asked = askedWords(session);
  if (asked) return { text: asked, style: "yellow" };
  const alert = alertWords(session);
  if (alert && session.state !== "ended") return { text: alert, style: "red" };
  const focus = focusOf(session);
  if (focus !== undefined && session.state !== "ended") return { text: `▸ ${focus}` };
  const finish = shownFinish(session);
  if (finish) return { text: `${doneAgoText(finish.todos, finish.at, now)}  ${verdictMarks(finish.todos)}`.trimEnd() };
  return { text: focus === undefined ? session.title : `▸ ${focus}` };
}

/** `"Drop the old column now?"`, `proposed: Move sessions to Redis (4 steps)`. */
export function askedWords({ waitingFor, plan, state }: SessionReport): string | undefined {
  if (state !== "waiting") return undefined;
  if (waitingFor?.kind === "plan" && plan) return planWords(plan);
  if (!waitingFor?.text) return undefined;
  return waitingFor.kind === "permission" ? waitingFor.text : `"${waitingFor.text}"`;
}

/** What was decided here does not close the dialogue that the agent's own client shows. */
function planWords(plan: PlanReport): string {
  const { status, title } = plan;
  if (status === "proposed") return `proposed: ${title}${stepsText(plan)}`;
  return `${status} here; answer its own dialogue: ${title}`;
}

const stepCounts = new Map<string, number>();
const MOST_COUNTED = 500;

/** Once for each text: to find the steps takes all of its markdown. */
function stepsText({ hash, text }: PlanReport): string {
  const steps = stepCounts.get(hash) ?? planSteps(text).length;
  if (stepCounts.size >= MOST_COUNTED) stepCounts.clear();
  stepCounts.set(hash, steps);
  return steps === 0 ? "" : ` (${steps} ${steps === 1 ? "step" : "steps"})`;
}

/** The first sentence of the worst alert that is not over; what follows is advice for the model. */
export function alertWords({ alerts }: Pick<SessionReport, "alerts">): string | undefined {
  const open = alerts.filter(({ isOver, level }) => !isOver && level !== "note");
  const worst = open.find(({ level }) => level === "block") ?? open.at(-1);
  const [what] = worst?.message.split(/(?<=[.!?]) /, 1) ?? [];
  return what === undefined ? undefined : `⚠ ${what.replace(/\.$/, "")}`;
}

const MARKS: Readonly<Record<Verdict, string>> = {
  verified: "✓",
  worked: "~",
  contradicted: "✗",
  unbacked: "?",
  waived: "○",
};

/** `✓4 ~1 ?1`: how true "done" is, in the least room. */
function verdictMarks(items: readonly { readonly verdict: Verdict | null }[]): string {
  return (Object.keys(MARKS) as Verdict[])
    .map((verdict) => [verdict, items.filter((item) => item.verdict === verdict).length] as const)
    .filter(([, count]) => count > 0)
    .map(([verdict, count]) => `${MARKS[verdict]}${count}`)
    .join(" ");
}

/** `✗1 ?2`: what is called done against the facts, or with nothing behind it. */
export function doubtMarks(items: readonly { readonly verdict: Verdict | null }[]): string {
  return verdictMarks(items.filter(({ verdict }) => verdict === "contradicted" || verdict === "unbacked"));
}

/** Red where a check says otherwise, yellow where nothing backs it. */
export function verdictStyle(items: readonly { readonly verdict: Verdict | null }[]): Style {
  if (items.some(({ verdict }) => verdict === "contradicted")) return "red";
  return items.some(({ verdict }) => verdict === "unbacked") ? "yellow" : "dim";
}

export function itemsOf(session: SessionReport): readonly { readonly verdict: Verdict | null }[] {
  return shownFinish(session)?.todos ?? shownItems(session);
}

export function progressOf(session: SessionReport): { readonly done: number; readonly total: number } {
  return reportProgress(session);
}

/** `npm test  41s`: what runs now, and how long already. */
export function callWords({ call, state }: SessionReport, now: number): string {
  if (call === null || state === "ended" || state === "idle") return "";
  const age = call.since === null ? "" : ` ${ageText(now - Date.parse(call.since))}`;
  const progress = call.progress === null ? "" : ` ${Math.round(call.progress * 100)}%`;
  return `${call.subject ?? call.tool}${progress}${age}`;
}

/** `41% left`, or how much is used where nobody tells how much there is. */
export function contextWords({ context }: SessionReport): Words {
  if (context === null) return { text: "" };
  const { used, window } = context;
  if (window === null || window <= 0) return { text: `${shortCount(used)} ctx`, style: "dim" };
  const left = Math.max(0, Math.round(100 * (1 - used / window)));
  return { text: `${left}% left`, style: left <= 10 ? "red" : left <= 25 ? "yellow" : "dim" };
}

/** `opus-5`: without what all models of one maker are called. */
export function modelWord({ model }: SessionReport): string {
  return (model ?? "").replace(/^(?:anthropic\/|openai\/)?(?:claude-)?/, "").replace(/-20\d{6}$/, "");
}

/** Idle for an hour, or over: nobody looks for it at first. */
export function isOld({ state, why, updatedAt }: SessionReport, now: number): boolean {
  if (state === "ended") return true;
  const at = why.since ?? updatedAt;
  return state === "idle" && at !== null && now - Date.parse(at) > OLD_MS;
}

const OLD_MS = 3_600_000;

/** When its agent last did something: what a person does to its list is no sign of life. */
export function ageWord({ activeAt, updatedAt }: SessionReport, now: number): string {
  const at = activeAt ?? updatedAt;
  return at === null ? "" : ageText(now - Date.parse(at));
}
