import { passTasks, type TaskTimes } from "../grounding/task-times.js";
import { afterChange, isToldStatuses, type ToldStatus } from "../grounding/told-tasks.js";
import { isWaivedList, type Waived, withWaiver } from "../grounding/waived.js";
import { isTaskTimes, isWorkTimes, NO_WORK_TIMES } from "../grounding/work-times.js";
import { fields, like, maybe, oneOf } from "../shape.js";
import { todosOf } from "../todo/list.js";
import { readTodoEvent } from "../todo/recorded.js";
import { TASK_CHANGES, type TaskChange } from "./client/client-tasks.js";
import { type LoggedEvent, readSessionEvent } from "./events.js";
import { LIST_TIMES, type ListTimes, type TimedChange, withWrites } from "./finished/list-times.js";

const TURNS = ["none", "open", "over"] as const;

/** How often and when; `Session` says what is the case now. Times are milliseconds, 0 for what has not happened. */
export interface SessionHistory extends ListTimes {
  /** Answers of the model, with all the calls each one makes. */
  readonly replies: number;
  /** Those that were counted call by call, because the client had not told yet which calls belong together. */
  readonly singles: number;
  /** When the list was first changed, or a turn first began. */
  readonly startedAt: number;
  readonly turn: (typeof TURNS)[number];
  readonly turnAt: number;
  /** When the session itself last did anything. */
  readonly seenAt: number;
  /**
   * When the model last went on to something new: what it called before that has ended, whether or not anybody told so.
   */
  readonly movedOnAt: number;
  /** The client's own tasks, and when which was worked on. */
  readonly tasks?: { readonly told: readonly ToldStatus[]; readonly times: TaskTimes } | undefined;
  /** What cannot be checked here. */
  readonly waived?: readonly Waived[] | undefined;
}

export const NO_SESSION_HISTORY: SessionHistory = {
  replies: 0,
  singles: 0,
  startedAt: 0,
  turn: "none",
  turnAt: 0,
  seenAt: 0,
  movedOnAt: 0,
  work: NO_WORK_TIMES,
};

/** Others write these into a session's stream: they are no sign of its life. */
const BY_OTHERS: readonly string[] = [
  "task.left",
  "task.linked",
  "task.unlinked",
  "notice.left",
  "word.told",
  "word.queued",
  "list.edited",
  "edit.undone",
  "list.offered",
  "plan.changed",
  "plan.finished",
  "alert.raised",
  "alert.muted",
  "alert.unmuted",
  "file.shared",
  "task.lapsed",
];
const MOVES_ON: readonly string[] = ["reply.ended", "turn.started", "turn.woken", "turn.ended", "session.started"];

type Draft = { -readonly [Field in keyof SessionHistory]: SessionHistory[Field] };

export function evolveHistory(history: SessionHistory, events: readonly LoggedEvent[]): SessionHistory {
  // What an older version has kept lacks what came later.
  const draft: Draft = { ...NO_SESSION_HISTORY, ...history };
  let changes: TimedChange[] = [];
  const write = () => {
    if (changes.length > 0) Object.assign(draft, withWrites(draft, changes));
    changes = [];
  };
  for (const { type, data, at, actor } of events) {
    if (actor === undefined && !BY_OTHERS.includes(type)) see(draft, type, at);
    if (type === "turn.started" || type === "turn.woken" || type === "turn.ended") changeTurn(draft, type, at);
    if (type === "turn.ended" || type === "reply.ended") countReply(draft, type, data);
    if (Object.hasOwn(TASK_CHANGES, type)) changeTasks(draft, type, data, at);
    if (type === "check.waived") {
      // It is said of the list as it is then.
      write();
      waive(draft, data);
    }
    const event = readTodoEvent(type, data);
    if (!event) continue;
    changes.push({ event, at });
    begin(draft, at);
  }
  write();
  return draft;
}

function changeTasks(draft: Draft, type: string, data: object, at: number): void {
  const change = readSessionEvent(type, data) as TaskChange | undefined;
  if (!change) return;
  const { told, times } = draft.tasks ?? { told: [], times: NO_WORK_TIMES };
  const after = afterChange(told, change);
  if (after === told) return;
  draft.tasks = { told: after, times: passTasks(times, told.map(taskOf), after.map(taskOf), at) };
}

function taskOf([id, status]: ToldStatus) {
  return { id, status };
}

function waive(draft: Draft, data: object): void {
  const event = readSessionEvent("check.waived", data);
  if (event?.type !== "check.waived") return;
  const todos = draft.currentList ? todosOf(draft.currentList.list).map(({ number }) => number) : [];
  const all = todos.length > 0 ? todos : (draft.tasks?.told ?? []).map(([id]) => id);
  draft.waived = withWaiver(draft.waived ?? [], event.reason, event.todo === undefined ? all : [event.todo]);
}

function see(draft: Draft, type: string, at: number): void {
  draft.seenAt = Math.max(draft.seenAt, at);
  if (MOVES_ON.includes(type)) draft.movedOnAt = Math.max(draft.movedOnAt, at);
}

function begin(draft: Draft, at: number): void {
  draft.startedAt = draft.startedAt === 0 ? at : Math.min(draft.startedAt, at);
}

function changeTurn(draft: Draft, type: "turn.started" | "turn.woken" | "turn.ended", at: number): void {
  begin(draft, at);
  if (at < draft.turnAt) return;
  draft.turn = type === "turn.ended" ? "over" : "open";
  draft.turnAt = at;
}

/** The last answer of a turn, which called nothing, is a reply too. The same rule as in `Session`, over all turns. */
function countReply(draft: Draft, type: "turn.ended" | "reply.ended", data: object): void {
  const event = readSessionEvent(type, data);
  if (event?.type === "reply.ended" && event.batch) {
    draft.replies -= draft.singles;
    draft.singles = 0;
  } else if (event?.type === "reply.ended") draft.singles += 1;
  if (event) draft.replies += 1;
}

const HISTORY = fields({
  ...like(NO_SESSION_HISTORY),
  turn: oneOf(TURNS),
  work: isWorkTimes,
  tasks: maybe(fields({ told: isToldStatuses, times: isTaskTimes })),
  waived: maybe(isWaivedList),
  ...LIST_TIMES,
});

export function isSessionHistory(value: unknown): value is SessionHistory {
  return HISTORY(value);
}
