import { isOurServer } from "../../core/call/call-event.js";
import { idAt, type JsonObject, objectAt, oneLine, textAt } from "../../core/json.js";
import type { Fact } from "../../core/session/observation.js";
import { askOf, permissionFor } from "../../core/session/state/asked-text.js";
import { subjectOf } from "../codex/call-records.js";
import { COMPLETED, failed, type Outcome } from "../codex/outcome.js";
import { factsAtEnd, type HeldCall, holdCall, pullRequestAfter } from "../held-call.js";
import { addBounded } from "../memory.js";
import { ownListInput } from "../own-list-calls.js";
import { isOwnTaskTool, taskFacts } from "../own-task-answers.js";
import { bareAnswer } from "./copilot-answer.js";
import { changingQuery, LIST_TOOL, ranBefore } from "./copilot-list.js";

/** They wait for a person. By what other agents call them: what is asked is read by these names. */
const ASKING: Readonly<Record<string, string>> = { ask_user: "AskUserQuestion", exit_plan_mode: "ExitPlanMode" };
const NOT_WORK = [LIST_TOOL, ...Object.keys(ASKING)];
const NAME_MAX = 100;
const MOST_OPEN = 200;

interface OpenCall {
  readonly held: HeldCall;
  /** Of the agent's own list tool: the query that may write. */
  readonly query?: string;
  /** Of our own list tool: what was asked for. */
  readonly own?: JsonObject;
}

/** Calls without an answer. */
export type SavedCopilotCalls = readonly (readonly [string, OpenCall])[];

/** What an answer tells: facts, and what it does to the list. */
export interface CopilotAnswer {
  readonly facts: readonly Fact[];
  /** What of it has run. */
  readonly query?: string;
  readonly own?: JsonObject | undefined;
}

const NOTHING: CopilotAnswer = { facts: [] };

export class CopilotCalls {
  readonly #open: Map<string, OpenCall>;

  constructor(saved: SavedCopilotCalls = []) {
    this.#open = new Map(saved);
  }

  save(): SavedCopilotCalls {
    return [...this.#open];
  }

  /** Nothing for what is no call, or is open already. `reply`: the model's answer that it is part of. */
  start(data: JsonObject, reply: string | undefined): readonly Fact[] {
    const call = idAt(data.toolCallId);
    const name = textAt(data.toolName);
    if (call === undefined || name === undefined || this.#open.has(call)) return [];
    const { tool, server } = namesOf(name, data);
    const input = objectAt(data.arguments);
    const held = holdCall({ tool, server, input });
    const isOwn = server === undefined;
    const query = isOwn && tool === LIST_TOOL ? changingQuery(input.query) : undefined;
    const own = isOwn ? undefined : ownListInput(`mcp__${server}__${tool}`, input);
    addBounded(this.#open, call, { held, ...(query !== undefined && { query }), ...(own && { own }) }, MOST_OPEN);
    const asked = isOwn && Object.hasOwn(ASKING, tool) ? ASKING[tool] : undefined;
    return [
      {
        ...{ type: "call.started", call, tool, server, subject: subjectOf(input) },
        isWork: isOwn ? !NOT_WORK.includes(tool) : !isOurServer(server),
        isAsking: asked !== undefined,
        ...(asked !== undefined && { ask: askOf(asked, { ...input, plan: input.summary }) }),
        ...{ reply, facts: held.start },
      },
    ];
  }

  /** A permission is asked for, or given or refused. One that a hook has given asks nobody. */
  ask({ permissionRequest, resolvedByHook }: JsonObject): readonly Fact[] {
    const { toolCallId, fullCommandText: command, path, fileName, url, intention } = objectAt(permissionRequest);
    const call = idAt(toolCallId);
    const open = call === undefined ? undefined : this.#open.get(call);
    if (call === undefined || !open || resolvedByHook === true) return [];
    const about = { command, path: path ?? fileName, url, description: intention };
    return [{ type: "call.asked", call, ask: permissionFor(open.held.tool, about) }];
  }

  answer({ toolCallId }: JsonObject): readonly Fact[] {
    const call = idAt(toolCallId);
    return call !== undefined && this.#open.has(call) ? [{ type: "call.asked", call, ask: null }] : [];
  }

  end(data: JsonObject, at: number | undefined): CopilotAnswer {
    const call = idAt(data.toolCallId);
    const open = call === undefined ? undefined : this.#open.get(call);
    if (call === undefined || !open) return NOTHING;
    this.#open.delete(call);
    const { held, query, own } = open;
    const { text, exit, outcome } = answerOf(data);
    const facts: Fact[] = [
      { type: "call.ended", call, ...outcome, facts: factsAtEnd(held, { status: outcome.status, output: text, exit }) },
    ];
    if (data.success !== true) return { facts, ...(query !== undefined && { query: ranBefore(query, text) }) };
    if (isOwnTaskTool(held.tool, held.server)) facts.push(...taskFacts(text, at));
    const opened = pullRequestAfter(held, text);
    if (opened) facts.push(opened);
    return { facts, own, ...(query !== undefined && { query }) };
  }
}

/** A tool of a server is called SERVER-TOOL, and has both names beside it. */
function namesOf(name: string, { mcpServerName, mcpToolName }: JsonObject) {
  const server = textAt(mcpServerName)?.slice(0, NAME_MAX);
  const told = server === undefined ? undefined : textAt(mcpToolName);
  return { tool: (told ?? name).slice(0, NAME_MAX), server };
}

interface CallAnswer {
  readonly text: string;
  readonly exit: number | undefined;
  readonly outcome: Outcome;
}

function answerOf({ success, result, error, shellExecution }: JsonObject): CallAnswer {
  const { message, code } = objectAt(error);
  const text = bareAnswer(textAt(objectAt(result).content) ?? textAt(message) ?? "");
  const { exitCode } = objectAt(shellExecution);
  const exit = Number.isSafeInteger(exitCode) ? Number(exitCode) : undefined;
  if (code === "rejected") return { text, exit, outcome: { status: "cancelled", problem: oneLine(text) } };
  if (success !== true) return { text, exit, outcome: failed(text) };
  return { text, exit, outcome: exit ? failed(`exit code ${exit}`) : COMPLETED };
}
