import { isRoundCall, type RoundCall } from "../call/call-facts.js";
import { type Alert, isAlert } from "../detectors/alert.js";
import { PLAN_STATUSES } from "../plan/plan.js";
import { count, fields, flag, list, maybe, oneOf, type Shape, text } from "../shape.js";
import { CLIENT_EVENTS, type ClientEvent } from "./client/client-list.js";
import { TASK_CHANGES } from "./client/client-tasks.js";
import { type AgentMode, MODES, type SessionPlan } from "./session-plan.js";
import { type AgentWork, isAgentWork } from "./turn/check-counts.js";

/** Why a session began, in the clients' own words; `call` where we heard of it in its middle. */
export const START_SOURCES = ["startup", "resume", "clear", "compact", "fork", "call"] as const;
export type StartSource = (typeof START_SOURCES)[number];

export const REMINDERS = ["unused", "stale", "refused", "stop", "first", "focus", "batch", "check", "require"] as const;
export type ReminderKind = (typeof REMINDERS)[number];

/** What happens where work is called done and no check shows it: nothing, a reminder, or a stop is refused. */
export const EVIDENCE_POLICIES = ["off", "nudge", "require"] as const;
export type EvidencePolicy = (typeof EVIDENCE_POLICIES)[number];

/** What a person says to a session, from outside; `by` when it is known who. */
export interface ToldWord {
  readonly text: string;
  readonly by?: string | undefined;
}

/** A task that a session has a lease on. */
export interface HeldTask {
  readonly list: string;
  readonly task: number;
  readonly fence: number;
  readonly subject: string;
  /** In whose name the lease is, where that is not the session's own. */
  readonly owner?: string;
}

/** A todo that stands for a task. */
export interface TaskLink {
  readonly todo: number;
  readonly list: string;
  readonly task: number;
}

/** An event as folds of a history see it. `actor`: who wrote it, where that was not the session itself. */
export interface LoggedEvent {
  readonly type: string;
  readonly data: object;
  readonly at: number;
  readonly actor?: string | undefined;
}

/** What happened in a session besides its list; of what was said only what is asked, told, or kept by the client. */
export type SessionEvent =
  | ClientEvent
  | {
      readonly type: "session.started";
      readonly source: StartSource;
      readonly client: string;
      readonly folder?: string | undefined;
      /** Machine, number and start of the client's process: sessions of one process follow each other. */
      readonly process?: string;
      /** The session whose list this one took over. */
      readonly from?: string | undefined;
      /** Who tells of it, where it is not the client's own hooks: `acp` sits between the client and its editor. */
      readonly via?: string | undefined;
    }
  | { readonly type: "session.ended"; readonly reason: string }
  /** From here on the session is this MCP server's, whose client does not name its conversation; or no longer. */
  | { readonly type: "server.attached"; readonly server: string }
  | { readonly type: "server.detached"; readonly server: string }
  /** A person said something; `isStop` when it was to stop. */
  | { readonly type: "turn.started"; readonly isStop: boolean }
  /** The client went on by itself: work in the background is over, or the time it waited for has come. */
  | { readonly type: "turn.woken"; readonly by: string }
  /** `because`: how it was cut short. `background`: agents go on without it. `wakesAt`: when it goes on by itself. */
  | {
      readonly type: "turn.ended";
      readonly because?: string | undefined;
      readonly background?: number | undefined;
      readonly wakesAt?: number | undefined;
      /** A mark of the last words, and whether they ask the person something. */
      readonly words?: string | undefined;
      readonly isAsking?: boolean | undefined;
      /** A hook or a goal had sent it on. */
      readonly isAgain?: boolean | undefined;
    }
  /** One answer of the model that called tools. `batch`: the client told which calls belong together. */
  | {
      readonly type: "reply.ended";
      readonly batch: boolean;
      readonly calls: number;
      readonly usedList: boolean;
      /** What was called, for detectors; calls of list tools are left out, and so is all that is too many. */
      readonly round?: readonly RoundCall[] | undefined;
    }
  /**
   * The agent waits for a person: a permission, an answer. `text`: what they are asked, in one line. `choices`: labels
   * of the answers that are offered.
   */
  | {
      readonly type: "person.awaited";
      readonly for: string;
      readonly text?: string | undefined;
      readonly choices?: readonly string[] | undefined;
    }
  | { readonly type: "person.answered" }
  /** `todo`: the one that was in progress: it is what the agent is for. */
  | {
      readonly type: "agent.started";
      readonly agent: string;
      readonly kind?: string;
      readonly todo?: number | undefined;
    }
  /** A sign of life, told now and then. */
  | { readonly type: "agent.heard"; readonly agent: string }
  /** `work`: what it has changed and checked. */
  | { readonly type: "agent.ended"; readonly agent: string; readonly work?: AgentWork | undefined }
  | { readonly type: "compaction.started"; readonly trigger: string }
  | { readonly type: "compaction.ended"; readonly trigger: string }
  /** A write to the list that was refused, or a part of it. `text`: what was answered, where a reminder repeats it. */
  | { readonly type: "list.refused"; readonly tool: string; readonly text?: string }
  /** After a refused write, one that was taken and changed nothing: the list is as the agent wants it. */
  | { readonly type: "list.confirmed"; readonly tool: string }
  /** A write that changed the status of no todo. */
  | { readonly type: "list.rewritten"; readonly tool: string }
  /** A person has changed the list. The model does not know yet. */
  | { readonly type: "list.edited"; readonly action: string }
  | { readonly type: "edit.delivered"; readonly edits: number }
  /** The change of the list just before was an undo: it took back the person's last change that was still there. */
  | { readonly type: "edit.undone" }
  /** From here on the session speaks a dialect that has reminders of its own; empty: one that has none. */
  | { readonly type: "dialect.spoken"; readonly dialect: string }
  /** The open todos of an earlier session were shown to this one; they are not shown again. */
  | { readonly type: "list.offered"; readonly to: string }
  /** `mark`: the same for the same todos. `isKept`: the client wrote it into the conversation at once. */
  | {
      readonly type: "digest.sent";
      readonly cause: string;
      readonly todos: number;
      readonly process?: string;
      readonly mark?: string;
      readonly isKept?: boolean;
    }
  /** `task`: about tasks it holds; all others are about its list. */
  | { readonly type: "reminder.sent"; readonly reminder: ReminderKind | "task"; readonly text: string }
  /** The session holds a task from here on, or no longer does; or it has written to one that it holds. */
  | ({ readonly type: "task.taken" } & HeldTask)
  | { readonly type: "task.left"; readonly list: string; readonly task: number }
  /** Nobody has renewed the lease on a task that the session holds: it ran out then. */
  | { readonly type: "task.lapsed"; readonly list: string; readonly task: number; readonly until: number }
  | { readonly type: "task.touched"; readonly list: string; readonly task: number }
  | ({ readonly type: "task.linked" } & TaskLink)
  | ({ readonly type: "task.unlinked" } & TaskLink)
  /** What became of the session's plan: it was proposed, decided on, or another one takes its place. */
  | ({ readonly type: "plan.changed" } & Pick<SessionPlan, "plan" | "title" | "status">)
  /** Its list came to an end after the plan was approved. */
  | { readonly type: "plan.finished"; readonly plan: string }
  /** The client lets its agent plan only, or work. */
  | { readonly type: "mode.changed"; readonly mode: AgentMode }
  /** Something that the model should know and nobody has told it yet. */
  | { readonly type: "notice.left"; readonly text: string }
  | { readonly type: "notice.delivered"; readonly notices: number }
  /** A detector has found something; the fold has found the same. `calling`: since when a call was running then. */
  | ({ readonly type: "alert.raised"; readonly calling?: number | undefined } & Alert)
  /** From here on OpenClaw's rules look at the session, too; or no longer. */
  | { readonly type: "openclaw.watched"; readonly isOn: boolean }
  /** A person says that this is fine: the detector says nothing more in this session. */
  | { readonly type: "alert.muted"; readonly detector: string }
  | { readonly type: "alert.unmuted"; readonly detector: string }
  /** Another live session has changed the same file. */
  | { readonly type: "file.shared"; readonly file: string; readonly session: string }
  /** The work cannot be checked here, and why. `todo`: which; absent: all of the list. */
  | { readonly type: "check.waived"; readonly reason: string; readonly todo?: number | undefined }
  /** Refused often enough: the agent was let go, though no check shows that its work is right. */
  | { readonly type: "check.missed"; readonly refusals: number }
  /** A person says what holds for this session's list, whatever the settings say. */
  | { readonly type: "evidence.changed"; readonly policy: EvidencePolicy }
  | ({ readonly type: "word.told" } & ToldWord)
  | { readonly type: "word.delivered"; readonly words: number }
  /** The client keeps this word (its place among those that hooks would say) and hands it to the model itself. */
  | { readonly type: "word.queued"; readonly word: number }
  /** The client has handed it over; its place among those that it kept, or that hooks would have said. */
  | { readonly type: "word.arrived"; readonly word: number; readonly wasQueued: boolean };

const SHAPES: Readonly<Record<SessionEvent["type"], Shape>> = {
  ...TASK_CHANGES,
  ...CLIENT_EVENTS,
  "session.started": fields({
    source: oneOf(START_SOURCES),
    client: text,
    folder: maybe(text),
    process: maybe(text),
    from: maybe(text),
    via: maybe(text),
  }),
  "session.ended": fields({ reason: text }),
  "server.attached": fields({ server: text }),
  "server.detached": fields({ server: text }),
  "turn.started": fields({ isStop: flag }),
  "turn.woken": fields({ by: text }),
  "turn.ended": fields({
    because: maybe(text),
    background: maybe(count),
    wakesAt: maybe(count),
    words: maybe(text),
    isAsking: maybe(flag),
    isAgain: maybe(flag),
  }),
  "reply.ended": fields({ batch: flag, calls: count, usedList: flag, round: maybe(list(isRoundCall)) }),
  "person.awaited": fields({ for: text, text: maybe(text), choices: maybe(list(text)) }),
  "person.answered": fields({}),
  "agent.started": fields({ agent: text, kind: maybe(text), todo: maybe(count) }),
  "agent.heard": fields({ agent: text }),
  "agent.ended": fields({ agent: text, work: maybe(isAgentWork) }),
  "compaction.started": fields({ trigger: text }),
  "compaction.ended": fields({ trigger: text }),
  "list.refused": fields({ tool: text, text: maybe(text) }),
  "list.confirmed": fields({ tool: text }),
  "list.rewritten": fields({ tool: text }),
  "list.edited": fields({ action: text }),
  "edit.delivered": fields({ edits: count }),
  "edit.undone": fields({}),
  "dialect.spoken": fields({ dialect: text }),
  "list.offered": fields({ to: text }),
  "digest.sent": fields({ cause: text, todos: count, process: maybe(text), mark: maybe(text), isKept: maybe(flag) }),
  "reminder.sent": fields({ reminder: oneOf([...REMINDERS, "task"]), text }),
  "task.taken": fields({ list: text, task: count, fence: count, subject: text, owner: maybe(text) }),
  "task.left": fields({ list: text, task: count }),
  "task.lapsed": fields({ list: text, task: count, until: count }),
  "task.touched": fields({ list: text, task: count }),
  "task.linked": fields({ todo: count, list: text, task: count }),
  "task.unlinked": fields({ todo: count, list: text, task: count }),
  "plan.changed": fields({ plan: text, title: text, status: oneOf(PLAN_STATUSES) }),
  "plan.finished": fields({ plan: text }),
  "mode.changed": fields({ mode: oneOf(MODES) }),
  "notice.left": fields({ text }),
  "notice.delivered": fields({ notices: count }),
  "alert.raised": isAlert,
  "openclaw.watched": fields({ isOn: flag }),
  "alert.muted": fields({ detector: text }),
  "alert.unmuted": fields({ detector: text }),
  "file.shared": fields({ file: text, session: text }),
  "check.waived": fields({ reason: text, todo: maybe(count) }),
  "check.missed": fields({ refusals: count }),
  "evidence.changed": fields({ policy: oneOf(EVIDENCE_POLICIES) }),
  "word.told": fields({ text, by: maybe(text) }),
  "word.delivered": fields({ words: count }),
  "word.queued": fields({ word: count }),
  "word.arrived": fields({ word: count, wasQueued: flag }),
};

/** Undefined for what a newer version wrote, and for what no fold could read. */
export function readSessionEvent(type: string, data: object): SessionEvent | undefined {
  const shape = Object.hasOwn(SHAPES, type) ? SHAPES[type as SessionEvent["type"]] : undefined;
  return shape?.(data) ? ({ ...data, type } as SessionEvent) : undefined;
}
