import { PLAN_STATUSES, type PlanStatus } from "../plan/plan.js";
import { fields, flag, oneOf, text } from "../shape.js";
import { isOpen, type TodoList, todosOf } from "../todo/list.js";
import type { Session } from "./session.js";

/** `plan`: the client lets its agent look and plan, and change nothing. */
export const MODES = ["plan", "default"] as const;
export type AgentMode = (typeof MODES)[number];

/** What a session knows of the plan it proposed last. The plan itself has a stream of its own. */
export interface SessionPlan {
  readonly plan: string;
  readonly title: string;
  readonly status: PlanStatus;
  /** The agent has written its list since the plan was approved. */
  readonly isBegun: boolean;
  /** And that list came to its end. */
  readonly isFinished: boolean;
}

const SHAPE = fields({ plan: text, title: text, status: oneOf(PLAN_STATUSES), isBegun: flag, isFinished: flag });

export function isSessionPlan(value: unknown): value is SessionPlan {
  return SHAPE(value);
}

/** An earlier plan that is replaced, or rejected after all, does not take the place of a later one. */
export function planChanged(session: Session, { plan, title, status }: Omit<SessionPlan, "isBegun" | "isFinished">) {
  const isOther = session.plan?.plan !== plan;
  if (isOther && (status === "superseded" || (status === "rejected" && session.plan))) return session;
  return { ...session, plan: { plan, title, status, isBegun: false, isFinished: false } };
}

export function planFinished(session: Session, { plan }: Pick<SessionPlan, "plan">): Session {
  return session.plan?.plan === plan ? { ...session, plan: { ...session.plan, isFinished: true } } : session;
}

/** The agent works on its list: on the plan, where one was approved. */
export function planAfterList({ plan }: Session): Pick<Session, "plan"> {
  return plan?.status === "approved" && !plan.isBegun ? { plan: { ...plan, isBegun: true } } : {};
}

/** The approved plan whose work has just come to its end: everything on the list is closed, and nobody has said so. */
export function endedPlan({ plan }: Session, list: TodoList): SessionPlan | undefined {
  const isEnded = plan?.status === "approved" && plan.isBegun && !plan.isFinished && !todosOf(list).some(isOpen);
  return isEnded ? plan : undefined;
}

/** What a model whose context was cut should go on with. */
export function unfinishedPlan({ plan }: Session): SessionPlan | undefined {
  return plan?.status === "approved" && !plan.isFinished ? plan : undefined;
}
