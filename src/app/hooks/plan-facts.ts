import { objectAt, textAt } from "../../core/json.js";
import type { SeenPlan } from "../../core/session/observation.js";
import type { Session } from "../../core/session/session.js";
import { permissionFor } from "../../core/session/state/asked-text.js";
import type { NewEvent } from "../../store/event-store.js";
import { sessionStream } from "../../store/stream.js";
import type { PlanFact } from "../plans/hook-plans.js";
import type { HookStore } from "../session/hook-store.js";
import type { Sighting } from "../session/record-sighting.js";
import { SESSIONS, sessionEvent } from "../session/session-view.js";
import { modeOf } from "./agent-mode.js";
import { TURN_ENDS } from "./catch-up.js";
import { type HookInput, isFirstClient, stringOf } from "./hook-input.js";
import { callOf } from "./seen-call.js";

/** What a hook tells of plans. `asked`: its turn ended with one, and the person is asked what to do. */
export interface ToldPlans {
  readonly facts: readonly PlanFact[];
  readonly asked?: NewEvent | undefined;
}

/** The client's own dialogue about a plan. Codex has none that hooks tell of. */
function isDialogue({ client, agent, fields }: HookInput): boolean {
  return client === "claude-code" && agent === undefined && stringOf(fields, "tool_name") === "ExitPlanMode";
}

/** What this hook itself tells. A rejection has no hook. */
export function plansTold(input: HookInput): readonly PlanFact[] {
  const { event, session, client, folder, fields } = input;
  const key = isDialogue(input) ? callOf(fields) : undefined;
  if (key === undefined || (event !== "PreToolUse" && event !== "PostToolUse")) return [];
  const { plan, awaitingLeaderApproval: isAskedElsewhere } = objectAt(fields.tool_response);
  // After an edit, the input has the person's text; what was proposed is known by then.
  const text = wordsIn(plan) ?? wordsIn(objectAt(fields.tool_input).plan);
  const fact = { session, client, folder, key, text };
  const proposed: readonly PlanFact[] = text === undefined ? [] : [{ ...fact, type: "propose" }];
  return event === "PreToolUse" || isAskedElsewhere === true ? proposed : [...proposed, { ...fact, type: "approve" }];
}

function wordsIn(value: unknown): string | undefined {
  const text = textAt(value);
  return text === undefined || text.trim() === "" ? undefined : text;
}

/** What became of a plan without a hook: asked at the end of a turn, and before the next plan of the client. */
export async function plansLeft(input: HookInput, store: HookStore): Promise<ToldPlans> {
  const { event, agent, client, transcript, session: id, fields } = input;
  const isNext = isDialogue(input) && (event === "PreToolUse" || event === "PermissionRequest");
  if (
    agent !== undefined ||
    transcript === undefined ||
    !isFirstClient(client) ||
    !(isNext || TURN_ENDS.includes(event))
  )
    return NOTHING;
  const session = await store.view(SESSIONS, sessionStream(id));
  const prompt = event === "UserPromptSubmit" ? (stringOf(fields, "prompt") ?? "") : "";
  const isAnew = ANEW.test(prompt);
  if (!isAnew && !isInPlay(input, session)) return NOTHING;
  // The readers, and what makes ids, are a file of their own: few hooks need them.
  const { approvedAnew, plansIn, saidTo } = await import("../plans/hook-plans.js");
  if (isAnew) return { facts: await approvedAnew(store, input, prompt) };
  const place = { ...input, client, transcript, known: session.plan };
  const plans = plansIn(place);
  const facts = saidTo(place, plans, modeOf(input) === "plan" ? "" : prompt);
  return { facts, ...askedBy(input, plans.at(-1)) };
}

const NOTHING: ToldPlans = { facts: [] };

/** How a client begins a session that is to carry out a plan of another one. The plan's text follows. */
const ANEW = /^(?:A previous agent produced the plan below|Implement the following plan:)/;

/** Codex tells of a plan only in its transcript. Claude Code does not tell here which of its plans it asks about. */
function isInPlay({ client, event }: HookInput, { plan, mode, state, why }: Session): boolean {
  if (event === "PermissionRequest" || plan?.status === "proposed" || (client === "codex" && mode === "plan"))
    return true;
  return state === "waiting" && why.reason === "plan";
}

/** A turn of Codex ends with its plan, and the person decides by what is said next. */
function askedBy({ client, event, fields }: HookInput, plan: SeenPlan | undefined): Pick<ToldPlans, "asked"> {
  const isOfTurn = plan?.status === "proposed" && plan.key === stringOf(fields, "turn_id");
  if (client !== "codex" || event !== "Stop" || !plan || !isOfTurn) return {};
  const { kind, text } = permissionFor("ExitPlanMode", { plan: plan.text });
  return { asked: sessionEvent({ type: "person.awaited", for: kind, ...(text && { text }) }) };
}

/** The turn is over, and nothing is asked of the agent: the person is asked. */
export function withAsked(sighting: Sighting, { asked }: ToldPlans): Sighting {
  if (!asked) return sighting;
  const { ifSilent = [], moment: _, stop: __, ...seen } = sighting;
  return { ...seen, events: [...(seen.events ?? []), ...ifSilent, asked] };
}
