import { count, fields, flag, maybe, oneOf, text } from "../shape.js";

/** Characters of a text: nobody reads a longer one before they approve it. */
export const PLAN_MAX = 200_000;

/** `draft`: still being written, as a stream shows it; it is in no log. */
export const PLAN_STATUSES = ["draft", "proposed", "approved", "rejected", "superseded"] as const;
export type PlanStatus = (typeof PLAN_STATUSES)[number];

/** How a person decided: with our command, in a form that our server asked for, or in the client's own dialogue. */
export const DECISION_WAYS = ["command", "elicitation", "client"] as const;
export type DecisionWay = (typeof DECISION_WAYS)[number];

/** What a person said to one text of a plan. Of another text it says nothing. */
interface PlanDecision {
  readonly isApproved: boolean;
  /** Of the text that was decided on. */
  readonly hash: string;
  readonly by: string;
  readonly via: DecisionWay;
  readonly at: number;
  readonly reason?: string | undefined;
}

/** What an agent intends, for a person to decide on. It says nothing about work: that is in lists and tasks. */
export interface Plan {
  /** Empty until it is proposed. */
  readonly id: string;
  readonly status: PlanStatus;
  /** Markdown, as the agent wrote it or a person edited it. */
  readonly text: string;
  /** SHA-256 of the text, in hex: made where the text comes in. */
  readonly hash: string;
  /** Of the text that the agent proposed, which a person may have changed since. */
  readonly proposedHash?: string | undefined;
  /** Whose plan it is; absent for one that a person proposed outside of any session. */
  readonly session?: string | undefined;
  /** The client that the session belongs to. */
  readonly client: string;
  readonly folder: string;
  readonly proposedAt: number;
  /** The earlier plan that this one replaces, and the later one that replaces this. */
  readonly supersedes?: string | undefined;
  readonly supersededBy?: string | undefined;
  readonly decision?: PlanDecision | undefined;
  /** A person has changed the text since it was proposed. */
  readonly isEdited: boolean;
}

export const NO_PLAN: Plan = {
  id: "",
  status: "draft",
  text: "",
  hash: "",
  client: "",
  folder: "",
  proposedAt: 0,
  isEdited: false,
};

const DECISION = fields({
  isApproved: flag,
  hash: text,
  by: text,
  via: oneOf(DECISION_WAYS),
  at: count,
  reason: maybe(text),
});

const PLAN = fields({
  id: text,
  status: oneOf(PLAN_STATUSES),
  text,
  hash: text,
  proposedHash: maybe(text),
  session: maybe(text),
  client: text,
  folder: text,
  proposedAt: count,
  supersedes: maybe(text),
  supersededBy: maybe(text),
  decision: maybe(DECISION),
  isEdited: flag,
});

export function isPlan(value: unknown): value is Plan {
  return PLAN(value);
}

/** Nobody has decided, or it is what the session works by. */
export function isOpenPlan({ status }: Plan): boolean {
  return status === "proposed" || status === "approved";
}
