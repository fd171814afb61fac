import { isOurServer } from "../../core/call/call-event.js";
import { idAt, isObject, type JsonObject, listAt, objectAt, oneLine, textAt } from "../../core/json.js";
import type { Fact } from "../../core/session/observation.js";
import { askOf } from "../../core/session/state/asked-text.js";
import { subjectOf, toolOf } from "../codex/call-records.js";
import { COMPLETED, failed, type Outcome } from "../codex/outcome.js";
import { factsAtEnd, type HeldCall, holdCall, pullRequestAfter } from "../held-call.js";
import { addBounded } from "../memory.js";
import { ownListInput } from "../own-list-calls.js";
import { isOwnTaskTool, taskFacts } from "../own-task-answers.js";

/** The tool that keeps the list. */
const LIST_TOOL = "todo_write";
/** They wait for a person. */
const ASKING = ["ask_user_question", "exit_plan_mode"];
const NOT_WORK = [LIST_TOOL, "tool_search", "enter_plan_mode", ...ASKING];
/** Calls another one by its name: tools that the model is not shown at first are called so. */
const BRIDGE = "tool_call";
const MOST_OPEN = 200;

interface OpenCall {
  readonly held: HeldCall;
  readonly isList?: true;
  /** Of our own list tool: what was asked for. */
  readonly own?: JsonObject;
}

/** Calls without an answer. */
export type SavedQwenCalls = readonly (readonly [string, OpenCall])[];

/** What an answer tells: facts, and what it does to the list. */
export interface QwenAnswer {
  readonly facts: readonly Fact[];
  readonly todos?: unknown;
  readonly own?: JsonObject | undefined;
}

const NOTHING: QwenAnswer = { facts: [] };

export class QwenCalls {
  readonly #open: Map<string, OpenCall>;

  constructor(saved: SavedQwenCalls = []) {
    this.#open = new Map(saved);
  }

  save(): SavedQwenCalls {
    return [...this.#open];
  }

  /** Nothing for a part that is no call, or is open already. `reply`: the record that it is part of. */
  start(functionCall: JsonObject, reply: string | undefined): readonly Fact[] {
    const call = idAt(functionCall.id);
    const called = textAt(functionCall.name);
    if (call === undefined || called === undefined || this.#open.has(call)) return [];
    const { name, input } = realCall(called, objectAt(functionCall.args));
    const { tool, server } = toolOf(name);
    const isOwn = server === undefined;
    const isAsking = isOwn && ASKING.includes(tool);
    const held = holdCall({ tool, server, input });
    const own = ownListInput(name, input);
    const isList = isOwn && tool === LIST_TOOL;
    addBounded(this.#open, call, { held, ...(isList && { isList }), ...(own && { own }) }, MOST_OPEN);
    const subject = subjectOf(input);
    const isWork = isOwn ? !NOT_WORK.includes(tool) : !isOurServer(server);
    const ask = isAsking ? { ask: askOf(ASKED[tool] ?? tool, input) } : undefined;
    return [{ type: "call.started", call, tool, server, subject, isWork, isAsking, ...ask, reply, facts: held.start }];
  }

  /** `result`: what is written beside the answer that the model reads. */
  end({ id, response }: JsonObject, result: JsonObject, at: number | undefined): QwenAnswer {
    const call = idAt(id) ?? idAt(result.callId);
    const open = call === undefined ? undefined : this.#open.get(call);
    if (call === undefined || !open) return NOTHING;
    this.#open.delete(call);
    const { held, isList, own } = open;
    const { output, error } = objectAt(response);
    const text = textOf(output ?? error);
    const outcome = outcomeOf(result, error, text);
    const ended = { status: outcome.status, output: text, exit: exitIn(held, text) };
    const facts: Fact[] = [{ type: "call.ended", call, ...outcome, facts: factsAtEnd(held, ended) }];
    if (outcome.status !== "completed") return { facts };
    if (isOwnTaskTool(held.tool, held.server)) facts.push(...taskFacts(text, at));
    const opened = pullRequestAfter(held, text);
    if (opened) facts.push(opened);
    return { facts, own, ...(isList && { todos: objectAt(result.resultDisplay).todos }) };
  }
}

/** As other agents call them: what a person is asked is read by these names. */
const ASKED: Readonly<Record<string, string>> = {
  ask_user_question: "AskUserQuestion",
  exit_plan_mode: "ExitPlanMode",
};

/** The call itself, where it was made through the bridge. */
export function realCall(called: string, input: JsonObject): { readonly name: string; readonly input: JsonObject } {
  const name = called === BRIDGE ? textAt(input.name) : undefined;
  return name === undefined ? { name: called, input } : { name, input: objectAt(input.arguments) };
}

function outcomeOf({ status }: JsonObject, error: unknown, text: string): Outcome {
  if (status === "cancelled") return { status: "cancelled", problem: oneLine(text) };
  const isFailed = status === "error" || (status === undefined && error !== undefined);
  return isFailed ? failed(text) : COMPLETED;
}

/** An answer is a text, or parts of one. */
function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  const parts = Array.isArray(value) ? value : isObject(value) ? [value] : [];
  return listAt(parts)
    .map((part) => textAt(objectAt(part).text) ?? "")
    .join("\n");
}

/** The last lines of what a command is answered with. */
function exitIn({ start }: HeldCall, text: string): number | undefined {
  if (start.kind !== "execute") return undefined;
  const [, code] = /^Exit Code: (-?\d{1,9})$/m.exec(text.slice(-EXIT_LOOK)) ?? [];
  return code === undefined ? undefined : Number(code);
}

const EXIT_LOOK = 300;
