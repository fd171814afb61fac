import { isObject, type JsonObject, objectAt, oneLine } from "../../core/json.js";
import type { Fact, SeenPlan } from "../../core/session/observation.js";
import type { NewTodo } from "../../core/todo/command.js";
import { factsAtEnd, type HeldCall } from "../held-call.js";
import { ownListInput } from "../own-list-calls.js";
import { isOwnTaskTool, taskFacts } from "../own-task-answers.js";
import { askedAt, TASK_TOOLS } from "./task-results.js";
import { answerText } from "./tool-results.js";

/** What has to be known of a call until its answer comes. */
export interface OpenCall {
  /** With the name of its server. */
  readonly tool: string;
  readonly held: HeldCall;
  readonly todos?: readonly NewTodo[];
  /** Of our own list tool: what was asked for. */
  readonly own?: JsonObject;
  /** Of the task tools: what was asked for. */
  readonly input?: JsonObject;
  /** Of one that lets the agent go on by itself later. */
  readonly schedule?: string | undefined;
  /** Of ExitPlanMode: its plan, and the plan before it. */
  readonly proposed?: SeenPlan | undefined;
  readonly plan?: SeenPlan | null;
}

/** What its answer will be read with; a whole list is read by who knows the last one. */
export function askedOf(tool: string, input: JsonObject): Omit<OpenCall, "tool" | "held"> {
  if (TASK_TOOLS.includes(tool)) return { input: askedAt(input) };
  if (tool === "CronCreate") return { schedule: oneLine(input.cron) };
  const own = ownListInput(tool, input);
  return own ? { own } : {};
}

type Ended = Extract<Fact, { type: "call.ended" }>;

/** How a call ended. `data`: what the tool returned beside its text. */
export function endOfCall(call: string, { held }: OpenCall, answer: JsonObject, data: unknown): Ended {
  const isFailed = answer.is_error === true;
  const wasStopped = !isFailed && objectAt(data).interrupted === true;
  const status = isFailed ? "failed" : wasStopped ? "cancelled" : "completed";
  const error = isFailed ? answerText(answer.content) : undefined;
  const output = isFailed ? undefined : outputOf(held, answer, data);
  const facts = factsAtEnd(held, { status, error, output, exit: exitIn(error) });
  return { type: "call.ended", call, status, problem: oneLine(error), facts };
}

/** Kinds whose result says more than the text that the model reads. */
const TELLING: readonly string[] = ["edit", "execute"];

function outputOf({ start }: HeldCall, answer: JsonObject, data: unknown): unknown {
  return isObject(data) && TELLING.includes(start.kind) ? data : answer.content;
}

/** The first line of what a failed command is answered with. */
function exitIn(error: string | undefined): number | undefined {
  const [, code] = /^(?:Error: )?Exit code (-?\d{1,9})$/m.exec(error?.slice(0, EXIT_LOOK) ?? "") ?? [];
  return code === undefined ? undefined : Number(code);
}

const EXIT_LOOK = 100;

/** Of our own task tool: which tasks are held from now on, or no longer. */
export function leasesOf({ held }: OpenCall, answer: JsonObject, at: number): readonly Fact[] {
  return isOwnTaskTool(held.tool, held.server) ? taskFacts(answerText(answer.content), at) : [];
}
