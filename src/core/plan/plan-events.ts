import { fields, maybe, oneOf, type Shape, text } from "../shape.js";
import { DECISION_WAYS, type DecisionWay, type Plan } from "./plan.js";

/** All of them are in the stream of their plan. */
export type PlanEvent =
  | ({ readonly type: "plan.proposed" } & Proposed)
  | { readonly type: "plan.edited"; readonly text: string; readonly hash: string }
  | ({ readonly type: "plan.approved" } & Decided)
  | ({ readonly type: "plan.rejected" } & Decided)
  | { readonly type: "plan.superseded"; readonly by: string };

type Proposed = Pick<Plan, "id" | "text" | "hash" | "session" | "client" | "folder" | "supersedes">;

interface Decided {
  readonly hash: string;
  readonly by: string;
  readonly via: DecisionWay;
  readonly reason?: string | undefined;
}

const decided = fields({ hash: text, by: text, via: oneOf(DECISION_WAYS), reason: maybe(text) });

const SHAPES: Readonly<Record<PlanEvent["type"], Shape>> = {
  "plan.proposed": fields({
    id: text,
    text,
    hash: text,
    session: maybe(text),
    client: text,
    folder: text,
    supersedes: maybe(text),
  }),
  "plan.edited": fields({ text, hash: text }),
  "plan.approved": decided,
  "plan.rejected": decided,
  "plan.superseded": fields({ by: text }),
};

/** Undefined for what a newer version wrote, and for what no fold could read. */
export function readPlanEvent(type: string, data: object): PlanEvent | undefined {
  const shape = Object.hasOwn(SHAPES, type) ? SHAPES[type as PlanEvent["type"]] : undefined;
  return shape?.(data) ? ({ ...data, type } as PlanEvent) : undefined;
}

/** `at`: when it was written down. */
export function evolvePlan(plan: Plan, event: PlanEvent, at: number): Plan {
  switch (event.type) {
    case "plan.proposed": {
      const { id, text, hash, session, client, folder, supersedes } = event;
      const told = { id, text, hash, proposedHash: hash, session, client, folder, supersedes };
      return { ...plan, ...told, status: "proposed", proposedAt: at };
    }
    case "plan.edited":
      // What was decided on the text before says nothing about this one.
      return { ...plan, text: event.text, hash: event.hash, isEdited: true, status: "proposed", decision: undefined };
    case "plan.superseded":
      return { ...plan, status: "superseded", supersededBy: event.by };
    case "plan.approved":
    case "plan.rejected": {
      const { type, hash, by, via, reason } = event;
      const isApproved = type === "plan.approved";
      // An approval of another text is none, whoever wrote it down.
      if (isApproved && hash !== plan.hash) return plan;
      const decision = { isApproved, hash, by, via, at, reason };
      return { ...plan, status: isApproved ? "approved" : "rejected", decision };
    }
  }
}
