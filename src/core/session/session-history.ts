import { fields, like, oneOf } from "../shape.js";
import { readTodoEvent } from "../todo/recorded.js";
import { type LoggedEvent, readSessionEvent } from "./events.js";
import { LIST_TIMES, type ListTimes, withWrites } from "./finished/list-times.js";
import { isWorkTimes, NO_WORK_TIMES, type TimedChange } from "./work-times.js";

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
];
const MOVES_ON: readonly string[] = ["reply.ended", "turn.started", "turn.woken", "turn.ended", "session.started"];

type Draft = { -readonly [Field in keyof SessionHistory]: SessionHistory[Field] };

export function evolveHistory(history: SessionHistory, events: readonly LoggedEvent[]): SessionHistory {
  // What an older version has kept lacks what came later.
  const draft: Draft = { ...NO_SESSION_HISTORY, ...history };
  const changes: TimedChange[] = [];
  for (const { type, data, at, actor } of events) {
    if (actor === undefined && !BY_OTHERS.includes(type)) see(draft, type, at);
    if (type === "turn.started" || type === "turn.woken" || type === "turn.ended") changeTurn(draft, type, at);
    if (type === "turn.ended" || type === "reply.ended") countReply(draft, type, data);
    const event = readTodoEvent(type, data);
    if (!event) continue;
    changes.push({ event, at });
    begin(draft, at);
  }
  return changes.length === 0 ? draft : { ...draft, ...withWrites(draft, changes) };
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

const HISTORY = fields({ ...like(NO_SESSION_HISTORY), turn: oneOf(TURNS), work: isWorkTimes, ...LIST_TIMES });

export function isSessionHistory(value: unknown): value is SessionHistory {
  return HISTORY(value);
}
