import { isObject, objectAt } from "../../core/json.js";
import type { SessionEvent } from "../../core/session/events.js";
import { askedAt, TASK_TOOLS, taskChange } from "../../readers/claude/task-results.js";
import { GOAL_TOOLS, goalAt } from "../../readers/codex/goal-answer.js";
import type { NewEvent } from "../../store/event-store.js";
import { sessionEvent } from "./session-view.js";

/** One call of a client's own tool, as a hook reports it. */
export interface ClientCall {
  readonly tool: string;
  readonly input: unknown;
  readonly output: unknown;
  /** The sub-agent that called. */
  readonly agent: string | undefined;
}

export function isTaskTool(tool: string): boolean {
  return TASK_TOOLS.includes(tool);
}

/** Those that change tasks; the others only look. */
export function isTaskWrite(tool: string): boolean {
  return tool === "TaskCreate" || tool === "TaskUpdate";
}

/** What the answer tells of the tasks or the goal that the client keeps for the session. `id`: of the fact. */
export function clientFacts(call: ClientCall, id: string | undefined): readonly NewEvent[] {
  const event = clientEvent(call);
  return event ? [sessionEvent(event, id)] : [];
}

function clientEvent({ tool, input, output, agent }: ClientCall): SessionEvent | undefined {
  if (isTaskTool(tool)) {
    const text = typeof output === "string" ? output : "";
    return taskChange(tool, askedAt(objectAt(input)), text, isObject(output) ? output : undefined);
  }
  // A sub-agent may have a goal of its own; that of the session is above the list.
  const goal = GOAL_TOOLS.includes(tool) && agent === undefined ? goalAt(output) : undefined;
  return goal === undefined ? undefined : { type: "goal.changed", goal };
}
