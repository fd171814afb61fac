import { type Watch, watchStep } from "../../detectors/session-watch.js";
import type { Step } from "../../detectors/step.js";
import type { TodoEvent } from "../../todo/events.js";
import { isOpen, type TodoStatus } from "../../todo/list.js";
import { TASK_CHANGES, type TaskChange } from "../client/client-tasks.js";
import type { HeldTask, SessionEvent } from "../events.js";
import { isOpenGoal } from "../observation.js";
import type { Session } from "../session.js";
import { type OpenclawWatch, openclawPrompt, openclawRound } from "./openclaw-watch.js";

// A session's events as detectors see them.

type Told<Type extends SessionEvent["type"]> = Extract<SessionEvent, { type: Type }>;

/** What detectors know after an event, which led to `next`. `at`: milliseconds; 0 where nobody knows when it was. */
export function watchAfter(
  before: Session,
  next: Session,
  event: SessionEvent,
  at = 0,
): Pick<Session, "watch" | "openclaw"> {
  if (isTaskChange(event)) {
    const isByAgent = event.type !== "client-tasks.seen";
    return { watch: watchAfterList(before, next, { event, isByAgent, at }) };
  }
  const watch = stepsOf(before, event, at).reduce(watchStep, before.watch);
  const { openclaw } = next;
  return openclaw ? { watch, openclaw: openclawAfter(openclaw, event, at) } : { watch };
}

function openclawAfter(openclaw: OpenclawWatch, event: SessionEvent, at: number): OpenclawWatch {
  if (event.type === "turn.started") return openclawPrompt(openclaw);
  return event.type === "reply.ended" ? openclawRound(openclaw, event.round ?? [], at) : openclaw;
}

function isTaskChange(event: SessionEvent): event is TaskChange {
  return Object.hasOwn(TASK_CHANGES, event.type);
}

function taskName({ list, task }: Pick<HeldTask, "list" | "task">): string {
  return `${list}/${task}`;
}

function stepsOf(before: Session, event: SessionEvent, at: number): readonly Step[] {
  const step = STEPS[event.type] as
    | ((event: SessionEvent, before: Session) => Untimed | readonly Untimed[])
    | undefined;
  const steps = step?.(event, before) ?? [];
  return [steps].flat().map((one) => ({ ...one, at }) as Step);
}

type Untimed = Step extends infer One ? (One extends Step ? Omit<One, "at"> : never) : never;

const STEPS: { readonly [Type in SessionEvent["type"]]?: (event: Told<Type>, before: Session) => Untimed | Untimed[] } =
  {
    "turn.started": () => ({ type: "prompt" }),
    "turn.woken": ({ by }) => ({ type: "woken", by }),
    "turn.ended": endOfTurn,
    "reply.ended": ({ round = [], batch }) => ({ type: "round", calls: round, isBatch: batch }),
    "person.awaited": () => ({ type: "awaited" }),
    "person.answered": () => ({ type: "answered" }),
    "agent.started": ({ agent }) => ({ type: "agent-started", agent }),
    "agent.heard": ({ agent }) => ({ type: "agent-heard", agent }),
    "agent.ended": ({ agent }) => ({ type: "agent-ended", agent }),
    "session.started": ({ source }) => (source === "compact" ? { type: "compacted" } : { type: "woken", by: source }),
    "session.ended": () => ({ type: "session-ended" }),
    "task.left": (task) => ({ type: "lease-left", task: taskName(task) }),
    // It is noticed when it has run out already.
    "task.lapsed": ({ until, ...task }) => [{ type: "leased", task: taskName(task), until }, { type: "tick" }],
    "list.rewritten": (_, before) => ({ type: "list-written", isForward: false, isSame: true, ...openIn(before) }),
    // Silence was noticed: whoever reads the log again notices it here.
    "alert.raised": ({ calling }) => ({ type: "tick", calling }),
    "alert.muted": ({ detector }) => ({ type: "muted", detector }),
    "alert.unmuted": ({ detector }) => ({ type: "unmuted", detector }),
    "file.shared": ({ file, session }) => ({ type: "same-file", file, session }),
  };

/** A turn that ends again although nobody has spoken since: its goal, or a hook, has sent it on. */
function endOfTurn(event: Told<"turn.ended">, before: Session): Untimed[] {
  const { because, background, wakesAt, words, isAsking, isAgain } = event;
  const goal = before.clientList?.goal;
  const isSentOn = isAgain === true || (before.state === "idle" && goal != null && isOpenGoal(goal));
  const fired: Untimed[] = isSentOn ? [{ type: "goal-fired", goal: goal?.text ? "goal" : "stop" }] : [];
  return [...fired, { type: "turn-ended", because, background, wakesAt, words, isAsking }];
}

/** What is open and in progress: on its list, and of the tasks that its client keeps. */
function openIn({ counts, clientList }: Session): { readonly open: number; readonly active: number } {
  const tasks = clientList?.tasks ?? [];
  return {
    open: counts.open + tasks.filter(isOpen).length,
    active: counts.active + tasks.filter(({ status }) => status === "in_progress").length,
  };
}

/** What detectors know after a change of the list; all events of a write have the same revision. */
export function watchAfterList(
  before: Session,
  next: Session,
  {
    event,
    isByAgent,
    at = 0,
  }: { readonly event?: TodoEvent | TaskChange | undefined; isByAgent: boolean; at?: number | undefined },
): Watch {
  const open = openIn(next);
  // When somebody else did something tells nothing about how long the agent is quiet.
  if (!isByAgent) return watchStep(before.watch, { type: "list-changed", ...open, at: 0 });
  const isForward = isGoingForward(event);
  const isFirst = !(event && "revision" in event) || event.revision !== before.counts.revision;
  const isWrite = isForward || (isFirst && !isLinking(event));
  const step: Step = isWrite
    ? { type: "list-written", isForward, isSame: !isForward && !isMove(event, before), ...open, at }
    : { type: "list-changed", ...open, at };
  return watchStep(before.watch, step);
}

/** A plan takes a call for each task that waits for another one. */
function isLinking(event: TodoEvent | TaskChange | undefined): boolean {
  if (event?.type !== "client-task.updated" || event.status != null) return false;
  return (event.blocks?.length ?? 0) + (event.blockedBy?.length ?? 0) > 0;
}

function isMove(event: TodoEvent | TaskChange | undefined, { clientList }: Session): boolean {
  if (event?.type !== "client-task.updated" || event.status == null) return event?.type === "todo.moved";
  return clientList?.tasks.find(({ id }) => id === event.id)?.status !== event.status;
}

/** Something new to do, or something done. */
function isGoingForward(event: TodoEvent | TaskChange | undefined): boolean {
  switch (event?.type) {
    case "todo.added":
    case "client-task.created":
      return true;
    case "todo.moved":
      return isClosing(event.to) && !isClosing(event.from);
    case "client-task.updated":
      return event.status !== undefined && isClosing(event.status);
    default:
      return false;
  }
}

function isClosing(status: TodoStatus): boolean {
  return !isOpen({ status });
}
