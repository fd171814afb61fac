import { cutText, isObject, listAt, objectAt, oneLine, parseJson, textAt } from "../../core/json.js";
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
