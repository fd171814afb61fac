import { cutText, type JsonObject, objectAt } from "../../core/json.js";
import { seenPlanText } from "../../core/plan/seen-plan-text.js";
import type { SeenPlan } from "../../core/session/observation.js";
import { answerText } from "./tool-results.js";

/** What is known of a call of ExitPlanMode when its answer comes. */
interface Proposal {
  readonly call: string;
  /** Undefined for a call without a text: no plan was written. */
  readonly proposed?: SeenPlan | undefined;
}

/** The tool is not there, was called wrongly, or a rule or a hook kept it from the person: nobody has seen a plan. */
const UNSEEN = /^(?:<tool_use_error>|PreToolUse:|Permission to use )/;
const UNSEEN_KINDS: readonly unknown[] = [
  "permission-rule",
  "automode-blocked",
  "automode-unavailable",
  "automode-parsing-error",
];
/** The turn was stopped while the plan was before the person. */
const UNDECIDED_KINDS: readonly unknown[] = ["interrupted", "cancelled"];

const WORDS = /^(?:The user doesn't want to proceed|Permission for this tool use was denied)[^\n]* the user said:\n/i;
const APPROVED = /^User has approved your plan.*?\n## Approved Plan( \(edited by user\))?:\n(.*)$/s;
const REASON_MAX = 4000;

/**
 * The plan as it is after the answer to its call; null where there is none. `line`: the fields beside the answer, where
 * it is the only one of its line.
 */
export function planAfter(proposal: Proposal, answer: JsonObject, line: JsonObject): SeenPlan | null {
  return answer.is_error === true
    ? refusedPlan(proposal, answerText(answer.content), line)
    : approvedPlan(proposal, answer, objectAt(line.toolUseResult ?? line.tool_use_result));
}

function refusedPlan({ proposed }: Proposal, text: string, line: JsonObject): SeenPlan | null {
  const { toolDenialKind: kind, userFeedback: feedback, holdsPersonsWords: isQuoted } = line;
  // A program that runs the client answers for the person; the client counts that as a rule.
  const isPersons = objectAt(line.permissionDecision).source === "user_reject";
  if (!proposed || UNSEEN.test(text) || (UNSEEN_KINDS.includes(kind) && !isPersons)) return null;
  if (UNDECIDED_KINDS.includes(kind)) return proposed;
  const quoted = isPersons && isQuoted === true ? text : undefined;
  const words = feedback ?? (WORDS.test(text) ? text.replace(WORDS, "") : quoted);
  const reason = cutText(words, REASON_MAX)?.trim();
  return { ...proposed, status: "rejected", ...(reason && { reason }) };
}

/** The text in the answer is what the person approved, whatever was proposed. */
function approvedPlan({ call, proposed }: Proposal, answer: JsonObject, data: JsonObject): SeenPlan | null {
  const [, edited, echoed] = data.plan == null ? (APPROVED.exec(answerText(answer.content)) ?? []) : [];
  const text = seenPlanText(data.plan ?? echoed) ?? proposed?.text;
  if (text === undefined) return null;
  // A team's leader decides on the plans of its teammates, and nothing tells of it here.
  if (data.awaitingLeaderApproval === true) return { key: call, text, status: "proposed" };
  const isChanged = proposed !== undefined && proposed.text.trim() !== text.trim();
  const isEdited = isChanged || data.planWasEdited === true || edited !== undefined;
  return { key: call, text, status: "approved", ...(isEdited && { isEdited }) };
}
