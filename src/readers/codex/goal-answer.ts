import { cutText, isObject, listAt, objectAt, oneLine, parseJson, textAt } from "../../core/json.js";
import { markOf } from "../../core/session/digest-text.js";
import type { Goal } from "../../core/session/observation.js";

/** Codex's own goal tools; all of them answer with the goal as it is then. */
export const GOAL_TOOLS: readonly string[] = ["get_goal", "create_goal", "update_goal"];

const TEXT_MAX = 4000;
const STATUS_MAX = 40;

/** The goal in an answer; null where there is none, undefined for an answer that does not say. */
export function goalAt(answer: unknown): Goal | null | undefined {
  if (!isObject(answer) || answer.goal === undefined) return undefined;
  if (answer.goal === null) return null;
  const goal = isObject(answer.goal) ? answer.goal : {};
  const text = cutText(goal.objective, TEXT_MAX);
  return text === undefined ? undefined : { text, status: oneLine(goal.status, STATUS_MAX) ?? "active" };
}

/** In a rollout: the answer is the output of a goal tool, or one of the texts that a script of `thread` has printed. */
export function goalInOutput(tool: string, output: unknown, thread: string): Goal | null | undefined {
  if (GOAL_TOOLS.includes(tool)) return goalAt(parseJson(textAt(output) ?? ""));
  if (tool !== "exec") return undefined;
  const printed = listAt(output).flatMap((item) => {
    const text = textAt(objectAt(item).text) ?? "";
    const answer = text.startsWith('{"goal":{') ? parseJson(text) : undefined;
    return isObject(answer) && objectAt(answer.goal).threadId === thread ? [goalAt(answer)] : [];
  });
  return printed.at(-1);
}

const GOAL_CONTEXT = /^\s*<(?:goal_context|codex_internal_context)\b/;
const GOES_ON = "Continue working toward the active";
const OBJECTIVE = /<(?:untrusted_)?objective>\s*(.*?)\s*<\/(?:untrusted_)?objective>/s;
const LOOKED_AT = 20_000;

/** A mark of the goal that the client sends the agent on with, when a turn has ended without reaching it. */
export function goalFiredIn(text: string): string | undefined {
  if (!GOAL_CONTEXT.test(text)) return undefined;
  const begin = text.slice(0, LOOKED_AT);
  return begin.includes(GOES_ON) ? markOf(OBJECTIVE.exec(begin)?.[1]?.slice(0, TEXT_MAX) ?? "") : undefined;
}
