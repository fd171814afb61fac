import { ok, type Result } from "../../core/result.js";
import { NO_TOKENS, sumTokens } from "../../core/session/observation.js";
import { isoTime } from "../../core/text/time-text.js";
import type { Timeline } from "../../core/timeline/timeline.js";
import type { EventStore } from "../../store/event-store.js";
import type { CommandContext } from "../command-definition.js";
import { hasNoLists } from "../settings/lists-off.js";
import { readSettings, type Settings } from "../settings.js";
import { TASKS } from "../tasks/task-views.js";
import { openTimeline } from "../timeline/session-timeline.js";
import { askedBoard } from "../transcripts/asked/asked-reports.js";
import { type OpenBoard, openBoard } from "../transcripts/open-session-board.js";
import { boardOf } from "../transcripts/session-board.js";
import { type SessionReport, todosIn } from "../transcripts/session-report.js";
import { storeToRead } from "../transcripts/store-to-read.js";
import { type SessionPeriod, sessionWork, sumUp } from "./session-work-report.js";
import type { AgentWork, ClosedTask, SessionWorkReport, WorkReport } from "./work-report.js";

/** More than anybody reads at once; the newest. */
const MOST_SESSIONS = 200;
/** Calls that are listed, over all sessions; each one has some. */
const MOST_CALLS = 20_000;
const FEWEST_CALLS = 100;
const MOST_TASKS = 1000;
const EVERY = Number.MAX_SAFE_INTEGER;

/** One session whole, or all that was done since a time, in milliseconds. */
export type ReportAsked = { readonly session: string } | { readonly since: number };

export async function collectReport(
  context: CommandContext,
  asked: ReportAsked,
  now: number,
): Promise<Result<WorkReport>> {
  const found =
    "session" in asked ? await askedBoard(context, asked.session) : ok(await since(context, asked.since, now));
  if (!found.ok) return found;
  const { board, reports } = found.value;
  const from = "since" in asked ? asked.since : 0;
  const store = await storeToRead(context);
  const families = familiesIn(reports);
  const shown = families.slice(0, MOST_SESSIONS);
  const mostCalls = Math.max(FEWEST_CALLS, Math.floor(MOST_CALLS / Math.max(1, shown.length)));
  const settings = readSettings(context.environment);
  const sessions: SessionWorkReport[] = [];
  for (const [at, [first, ...below]] of shown.entries()) {
    if (!first) continue;
    context.progress(`Read ${at} of ${shown.length} sessions`);
    const timeline = withSettings(await timelineOf(board, store, first), first, settings);
    sessions.push(sessionWork(first, below, timeline, { from, now, mostCalls } satisfies SessionPeriod));
  }
  await board.keep();
  return ok({
    from: "since" in asked ? isoTime(from) : null,
    to: isoTime(now),
    session: "session" in asked ? (shown[0]?.[0]?.id ?? asked.session) : null,
    sum: sumUp(sessions.map(({ sum }) => sum)),
    agents: agentsIn(sessions),
    detectors: detectorsIn(sessions),
    sessions,
    sessionsLeftOut: families.length - shown.length,
    tasks: "since" in asked ? await closedTasks(store, from) : [],
  });
}

interface Found {
  readonly board: OpenBoard;
  readonly reports: readonly SessionReport[];
}

async function since(context: CommandContext, from: number, now: number): Promise<Found> {
  const board = await openBoard(context);
  const { attachment, stored } = board;
  stored.widen();
  const progress = (done: number) => context.progress(`Read ${done} of ${attachment.count} transcripts`);
  await attachment.readNewest(EVERY, { since: from, progress });
  const isWanted = (report: SessionReport) => Date.parse(report.updatedAt ?? "") >= from && hasWork(report);
  for (const trouble of attachment.troubles) await context.notice(trouble);
  return { board, reports: await boardOf(attachment, stored, { limit: EVERY, now, isWanted }) };
}

/** Somebody has called, said or planned something: a session that was only opened is none. */
function hasWork({ calls, turns, list, finished, tasks }: SessionReport): boolean {
  return calls.total + turns + tasks.length + todosIn({ list }).length > 0 || finished !== null;
}

/** Sub-agents stand below their session. */
function familiesIn(reports: readonly SessionReport[]): readonly (readonly SessionReport[])[] {
  const families: SessionReport[][] = [];
  for (const report of reports) {
    const last = families.at(-1);
    if (report.parent === null || !last) families.push([report]);
    else last.push(report);
  }
  return families;
}

async function timelineOf(board: OpenBoard, store: EventStore, report: SessionReport): Promise<Timeline> {
  return (await openTimeline(board, store, report)).catchUp();
}

/** A person who wants no lists of an agent, or no detectors, has none in a report either. */
function withSettings(timeline: Timeline, { agent }: SessionReport, settings: Settings): Timeline {
  const { detectors } = settings;
  return {
    ...timeline,
    ...(hasNoLists(settings, agent) ? { todos: [] } : undefined),
    ...(detectors.isOn ? undefined : { alerts: [] }),
  };
}

function agentsIn(sessions: readonly SessionWorkReport[]): readonly AgentWork[] {
  const agents = new Map<string, AgentWork>();
  for (const { agent, tokens, cost } of sessions) {
    const known = agents.get(agent) ?? { agent, sessions: 0, tokens: NO_TOKENS, cost: null };
    agents.set(agent, {
      agent,
      sessions: known.sessions + 1,
      tokens: sumTokens(known.tokens, tokens),
      cost: cost === null ? known.cost : (known.cost ?? 0) + cost,
    });
  }
  return [...agents.values()].sort((a, b) => b.tokens.total - a.tokens.total || a.agent.localeCompare(b.agent));
}

function detectorsIn(sessions: readonly SessionWorkReport[]): WorkReport["detectors"] {
  const counts = new Map<string, number>();
  for (const { alerts } of sessions)
    for (const { detector } of alerts) counts.set(detector, (counts.get(detector) ?? 0) + 1);
  const all = [...counts].map(([detector, count]) => ({ detector, count }));
  return all.sort((a, b) => b.count - a.count || a.detector.localeCompare(b.detector));
}

async function closedTasks(store: EventStore, from: number): Promise<readonly ClosedTask[]> {
  const closed: (ClosedTask & { readonly time: number })[] = [];
  for (const { stream, at } of await store.recent("task", MOST_TASKS)) {
    if (at < from) break;
    const { number, subject, status, closedAt, closedBy, isDeleted } = await store.view(TASKS, stream);
    if (closedAt === undefined || closedAt < from || isDeleted) continue;
    const list = stream.slice("task:".length, stream.lastIndexOf("/"));
    const task = { list, id: number, subject, status, closedAt: isoTime(closedAt), closedBy: closedBy ?? null };
    closed.push({ ...task, time: closedAt });
  }
  return closed.sort((a, b) => b.time - a.time).map(({ time: _, ...task }) => task);
}
