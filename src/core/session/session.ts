import { NO_WATCH, type Watch } from "../detectors/session-watch.js";
import type { TodoEvent } from "../todo/events.js";
import { type ClientEvent, type ClientList, evolveClientList, NO_CLIENT_LIST } from "./client/client-list.js";
import type { TaskChange } from "./client/client-tasks.js";
import type { EvidencePolicy, HeldTask, SessionEvent, TaskLink, ToldWord } from "./events.js";
import { holding, otherLinks, otherTasks } from "./held-tasks.js";
import { type AgentMode, planAfterList, planChanged, planFinished, type SessionPlan } from "./session-plan.js";
import { afterAgent, afterTurn, STARTED, type Why, whyAfter } from "./state/why.js";
import { afterArrival, afterQueued } from "./told-words.js";
import { afterReminder, stopsAfterTurn } from "./turn/after-reminder.js";
import * as check from "./turn/check-counts.js";
import { type ChildTodo, childEnded, childStarted } from "./turn/child-todos.js";
import { type FailedWrite, withFailure } from "./turn/failed-writes.js";
import { countedByAgent, countedByOther, type ListCounts, NO_LIST_COUNTS } from "./turn/list-counts.js";
import { endReply, evolveReply, withContextCut, withoutDigest } from "./turn/replies.js";
import { start, startTurn } from "./turn/start-turn.js";
import { type StartedTodo, startedByAgent, startedByOther } from "./turn/started-todos.js";
import { afterWaiver, type Waiver } from "./waiver.js";
import { watchAfter, watchAfterList } from "./watched/event-steps.js";
import { NO_OPENCLAW_WATCH, type OpenclawWatch } from "./watched/openclaw-watch.js";
import { type RaisedAlert, withRaised } from "./watched/raised-alerts.js";

export const SESSION_STATES = ["running", "waiting", "idle", "ended"] as const;
type SessionState = (typeof SESSION_STATES)[number];

/**
 * A session as its events tell it, and what reminders need to know. A turn is what follows a person's words; a
 * reply is one answer of the model in it, with all the calls it makes (others say: an assistant turn).
 */
export interface Session {
  /** Empty until somebody said which client it is. */
  readonly client: string;
  readonly folder: string;
  /** Empty where nobody told which process it is. */
  readonly process: string;
  readonly state: SessionState;
  /** Why it is in that state, since when, and what the person is asked while they are. */
  readonly why: Why;
  /** When it goes on by itself, once its turn is over. */
  readonly wakesAt?: number | undefined;
  /** The MCP server whose session it is, where its client names none. */
  readonly server?: string;
  /** Who told of its start, where that was not a hook: then nobody can tell its model anything. */
  readonly via?: string | undefined;
  /** Why it ended, for one that has. */
  readonly endedBy?: string;
  readonly turns: number;
  readonly compactions: number;
  /** Replies since the person last said something. */
  readonly turnReplies: number;
  readonly isStopping: boolean;
  /** Replies since the list last changed. */
  readonly sinceUpdate: number;
  /** The value of `sinceUpdate` at the last reminder about it; 0 when there was none. */
  readonly remindedAt: number;
  readonly hasUsedList: boolean;
  readonly wasToldUnused: boolean;
  /** `fresh`: the last write to the list was refused in this very reply; `open`: in an earlier one. */
  readonly refusal: "none" | "fresh" | "open" | "told";
  /** What the refused write was answered, where that was told. */
  readonly refusalText: string;
  readonly failures: readonly FailedWrite[];
  readonly counts: ListCounts;
  readonly checks: check.CheckCounts;
  /** What cannot be checked here, and why; the last ones. */
  readonly waivers: readonly Waiver[];
  /** What a person said for this list; absent: the settings hold. */
  readonly evidence?: EvidencePolicy;
  /** What detectors know. */
  readonly watch: Watch;
  /** Alerts that there are events of. */
  readonly raised: readonly RaisedAlert[];
  /** What OpenClaw's rules know, where a person wants them. */
  readonly openclaw?: OpenclawWatch;
  /** Replies with work, and todos that the agent began, since the person last said something. */
  readonly turnWork: number;
  readonly started: readonly StartedTodo[];
  /** How often the agent was asked to go on since the person last said something. */
  readonly stops: number;
  /** The client tells which calls belong together; until it does, each call counts as a reply. */
  readonly hasBatches: boolean;
  /** Replies that were counted call by call, because no batch has come yet. */
  readonly singles: number;
  readonly agents: readonly string[];
  /** Sub-agents that were started for a todo, also those that have ended. */
  readonly children?: readonly ChildTodo[] | undefined;
  /** Told by a person, and not yet delivered: hooks say them. */
  readonly words: readonly ToldWord[];
  /** Told by a person, and kept by the client, which hands them to the model itself. */
  readonly queued: readonly ToldWord[];
  /** What a person did to the list, and the model has not been told. */
  readonly edits: readonly string[];
  /** The dialect it speaks, when that one has reminders of its own. */
  readonly dialect: string;
  readonly isOffered: boolean;
  /** The tasks it has a lease on. */
  readonly held: readonly HeldTask[];
  /** Replies since it last wrote to a task it holds, and how many there were at the last reminder about that. */
  readonly sinceTask: number;
  readonly taskRemindedAt: number;
  /** Todos that stand for tasks. */
  readonly links: readonly TaskLink[];
  /** What the model has yet to be told, by us. */
  readonly notices: readonly string[];
  /** The plan that it proposed last, and whether its client lets it work. Absent: nobody has told. */
  readonly plan?: SessionPlan;
  readonly mode?: AgentMode;
  /** The process that was given a digest and has not used it yet. Two starts can come before one answer. */
  readonly digestBy?: string;
  /** What that digest says, and what the last one said that is still in the model's context. */
  readonly digestMark?: string;
  readonly digestRead?: string;
  /** A compaction was announced, and no start has followed it: some clients tell of none. */
  readonly isCut?: true;
  /** Tasks and a goal that the client keeps by itself, and the tool of its own that writes the list. */
  readonly clientList?: ClientList;
}

export const NEW_SESSION: Session = {
  client: "",
  folder: "",
  process: "",
  state: "idle",
  why: STARTED,
  turns: 0,
  compactions: 0,
  turnReplies: 0,
  isStopping: false,
  sinceUpdate: 0,
  remindedAt: 0,
  hasUsedList: false,
  wasToldUnused: false,
  refusal: "none",
  refusalText: "",
  failures: [],
  counts: NO_LIST_COUNTS,
  checks: check.NO_CHECK_COUNTS,
  waivers: [],
  watch: NO_WATCH,
  raised: [],
  turnWork: 0,
  started: [],
  stops: 0,
  hasBatches: false,
  singles: 0,
  agents: [],
  words: [],
  queued: [],
  edits: [],
  dialect: "",
  isOffered: false,
  held: [],
  sinceTask: 0,
  taskRemindedAt: 0,
  links: [],
  notices: [],
};

/** Somebody else has changed the list: a person, or a setting. The agent has done nothing yet, but there is a list. */
export function evolveForeignChange(session: Session, event?: TodoEvent, at?: number): Session {
  const started = startedByOther(session, event);
  const counts = countedByOther(session, event);
  const checks = check.checksByOther(session, event);
  const next = { ...session, isOffered: false, hasUsedList: true, started, counts, checks };
  return { ...next, watch: watchAfterList(session, next, { event, isByAgent: false, at }) };
}

/** The agent has changed its list. */
export function evolveListChange(session: Session, event?: TodoEvent | TaskChange, at?: number): Session {
  // Who writes the list does not wait.
  const state = session.state === "waiting" ? "running" : session.state;
  // Nor has it forgotten the list.
  const { isCut: _, ...known } = session;
  const next: Session = {
    ...known,
    ...planAfterList(session),
    started: startedByAgent(session, event),
    counts: countedByAgent(session, event),
    checks: check.checksByAgent(session, event),
    state,
    why: whyAfter(session, state, undefined, at),
    isOffered: false,
    sinceUpdate: 0,
    remindedAt: 0,
    hasUsedList: true,
    refusal: "none",
    refusalText: "",
  };
  return { ...next, watch: watchAfterList(session, next, { event, isByAgent: true, at }) };
}

type EventOf<Type extends SessionEvent["type"]> = Extract<SessionEvent, { type: Type }>;

const CHANGES: { readonly [Type in SessionEvent["type"]]: (session: Session, event: EventOf<Type>) => Session } = {
  "session.started": start,
  // Whoever resumes it says anew whether it may work.
  "session.ended": ({ mode: _, ...session }, { reason }) => ({
    ...withoutDigest(session),
    state: "ended",
    endedBy: reason,
    agents: [],
    children: [],
  }),
  "server.attached": (session, { server }) => ({ ...session, server }),
  "server.detached": ({ server: _, ...session }) => session,
  "turn.started": startTurn,
  "turn.woken": (session) => ({ ...withoutDigest(session), state: "running" }),
  "turn.ended": (session, event) => afterTurn({ ...endReply(session), stops: stopsAfterTurn(session) }, event),
  "reply.ended": evolveReply,
  "person.awaited": (session) => ({ ...session, state: "waiting" }),
  "person.answered": (session) => ({ ...session, state: session.state === "waiting" ? "running" : session.state }),
  "agent.started": (session, { agent, todo }) => ({ ...session, ...childStarted(session, agent, todo ?? undefined) }),
  "agent.heard": (session) => session,
  "agent.ended": (session, { agent, work }) =>
    afterAgent({ ...check.withAgentWork(session, work), ...childEnded(session, agent) }),
  "compaction.started": (session) => ({ ...withContextCut(session), isCut: true }),
  "compaction.ended": (session) => session,
  "list.refused": (session, event) => ({
    ...session,
    hasUsedList: true,
    refusal: "fresh",
    refusalText: event.text ?? "",
    failures: withFailure(session, event.text),
  }),
  "list.confirmed": (session) => ({ ...session, refusal: "none", refusalText: "" }),
  "list.rewritten": (session) => session,
  "list.edited": (session, { action }) => ({ ...session, edits: [...session.edits, action] }),
  // The model has just read its list: it has forgotten nothing.
  "edit.delivered": (session, { edits }) => ({
    ...session,
    edits: session.edits.slice(edits),
    sinceUpdate: 0,
    remindedAt: 0,
  }),
  // The model is told by the `list.edited` that comes with it.
  "edit.undone": (session) => session,
  "dialect.spoken": (session, { dialect }) => ({ ...session, dialect, failures: [] }),
  "list.offered": (session) => ({ ...session, isOffered: true }),
  "digest.sent": giveDigest,
  "reminder.sent": (session, { reminder }) => afterReminder(session, reminder),
  "task.taken": (session, { type: _, ...task }) => holding(session, [...otherTasks(session, task), task]),
  "task.left": (session, task) => holding(session, otherTasks(session, task)),
  "task.lapsed": (session) => session,
  "task.touched": (session) => holding(session, session.held),
  "task.linked": (session, { type: _, ...link }) => ({ ...session, links: [...otherLinks(session, link), link] }),
  "task.unlinked": (session, link) => ({ ...session, links: otherLinks(session, link) }),
  "plan.changed": planChanged,
  "plan.finished": planFinished,
  "mode.changed": (session, { mode }) => ({ ...session, mode }),
  "notice.left": (session, event) => ({ ...session, notices: [...session.notices, event.text] }),
  "notice.delivered": (session, { notices }) => ({ ...session, notices: session.notices.slice(notices) }),
  "client-task.created": changeTasks,
  "client-task.updated": changeTasks,
  "client-task.deleted": changeTasks,
  // Who only looks has changed nothing.
  "client-tasks.seen": (session, event) => evolveForeignChange(withClientList(session, event)),
  "goal.changed": withClientList,
  "list-tool.changed": withClientList,
  "alert.raised": (session, alert) => ({ ...session, raised: withRaised(session, alert) }),
  "openclaw.watched": ({ openclaw: _, ...session }, { isOn }) =>
    isOn ? { ...session, openclaw: NO_OPENCLAW_WATCH } : session,
  "alert.muted": (session) => session,
  "alert.unmuted": (session) => session,
  "file.shared": (session) => session,
  "check.waived": afterWaiver,
  "check.missed": check.withMiss,
  "evidence.changed": (session, { policy }) => ({ ...session, evidence: policy }),
  "word.told": (session, event) => ({ ...session, words: [...session.words, { text: event.text, by: event.by }] }),
  "word.delivered": (session, { words }) => ({ ...session, words: session.words.slice(words) }),
  "word.queued": (session, { word }) => ({ ...session, ...afterQueued(session, word) }),
  "word.arrived": (session, event) => ({ ...session, ...afterArrival(session, event) }),
};

function withClientList(session: Session, event: ClientEvent): Session {
  return { ...session, clientList: evolveClientList(session.clientList ?? NO_CLIENT_LIST, event) };
}

/** The agent keeps its tasks: that is its list. */
function changeTasks(session: Session, change: TaskChange): Session {
  const checks = check.checksByTask(session, change);
  return evolveListChange({ ...withClientList(session, change), checks }, change);
}

/** `at`: when it was written down; undefined for what will be. */
export function evolveSession(session: Session, event: SessionEvent, at?: number): Session {
  const change = CHANGES[event.type] as (session: Session, event: SessionEvent) => Session;
  const next = change(session, event);
  return { ...next, ...watchAfter(session, next, event, at), why: whyAfter(session, next.state, event, at) };
}

function giveDigest(
  { isCut: _, ...session }: Session,
  { process = "", mark, isKept }: EventOf<"digest.sent">,
): Session {
  const given: Session = { ...withoutDigest(session), digestBy: process };
  if (mark === undefined) return given;
  return isKept ? { ...given, digestRead: mark } : { ...given, digestMark: mark };
}
