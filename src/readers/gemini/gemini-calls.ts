import { isOurServer } from "../../core/call/call-event.js";
import { idAt, isObject, type JsonObject, listAt, objectAt, textAt, timeAt } from "../../core/json.js";
import type { Fact } from "../../core/session/observation.js";
import { type GeminiTodo, readTodos } from "../../dialects/gemini/gemini-todos.js";
import { subjectOf } from "../codex/call-records.js";
import { COMPLETED, failed, type Outcome } from "../codex/outcome.js";
import { factsAtEnd, holdCall } from "../held-call.js";
import { ownListInput } from "../own-list-calls.js";
import { isOwnTaskTool, taskFacts } from "../own-task-answers.js";
import { bareAnswer, geminiTool, partsText, shellExit } from "./gemini-answer.js";

const LIST_TOOL = "write_todos";
/** They wait for a person, and are written down when that is over. */
const ASKING = ["ask_user", "exit_plan_mode"];
const ANSWERING = "complete_task";
const NAME_MAX = 100;

/** `isLast`: with it a sub-agent gives its answer, and says nothing more. */
export interface CallEnding {
  readonly status: Outcome["status"];
  readonly isLast: boolean;
}

/** What one call that is over tells. It is written down with its answer, and not before. */
export interface ToldCall {
  readonly started: Fact;
  readonly ended: Fact;
  readonly ending: CallEnding;
  readonly endedAt: number | undefined;
  /** What it wrote: the whole list in the agent's own tool, or a call of ours. */
  readonly write?: { readonly todos: readonly GeminiTodo[] } | { readonly own: JsonObject };
  readonly facts: readonly Fact[];
}

/** `reply`: the message that it is part of. Undefined for what is no call. */
export function toldCall(entry: unknown, reply: string | undefined): ToldCall | undefined {
  const { id, name: named, args, displayName, timestamp } = objectAt(entry);
  const call = idAt(id);
  const name = textAt(named)?.slice(0, NAME_MAX);
  if (call === undefined || name === undefined) return undefined;
  const { tool, server } = geminiTool(name, serverIn(displayName));
  const input = objectAt(args);
  const held = holdCall({ tool, server, input });
  const isWork = name !== LIST_TOOL && !ASKING.includes(name) && name !== ANSWERING && !isOurServer(server);
  const note = { tool, server, subject: subjectOf(input), isWork, isAsking: false, reply, facts: held.start };
  const { outcome, output, exit } = answerOf(tool, objectAt(entry));
  const facts = factsAtEnd(held, { status: outcome.status, output, exit });
  const endedAt = timeAt(timestamp);
  const isDone = outcome.status === "completed";
  return {
    started: { type: "call.started", call, ...note },
    ended: { type: "call.ended", call, ...outcome, facts },
    ending: { status: outcome.status, isLast: isDone && name === ANSWERING },
    endedAt,
    ...(isDone && writeOf(tool, server, input)),
    facts: isDone && isOwnTaskTool(tool, server) ? taskFacts(output, endedAt) : [],
  };
}

function writeOf(tool: string, server: string | undefined, input: JsonObject): Pick<ToldCall, "write"> | undefined {
  if (server !== undefined) {
    const own = ownListInput(`mcp__${server}__${tool}`, input);
    return own && { write: { own } };
  }
  const read = tool === LIST_TOOL ? readTodos(input) : undefined;
  return read?.ok ? { write: { todos: read.value } } : undefined;
}

/** A tool of a server is shown to the person as "TOOL (SERVER MCP Server)". */
function serverIn(displayName: unknown) {
  const [, tool, server] = (typeof displayName === "string" && SERVER_TOOL.exec(displayName)) || [];
  return tool === undefined || server === undefined ? undefined : { tool, server };
}

const SERVER_TOOL = /^(\S{1,100}) \((.{1,100}) MCP Server\)$/;

interface CallAnswer {
  readonly outcome: Outcome;
  readonly output: string;
  readonly exit: number | undefined;
}

function answerOf(tool: string, { result, status }: JsonObject): CallAnswer {
  const [answer] = (typeof result === "string" ? [{ output: result }] : listAt(result).map(responseIn)).filter(
    isObject,
  );
  const { output: told, error } = objectAt(answer);
  const output = bareAnswer(partsText(error ?? told));
  const exit = shellExit(tool, output);
  if (status === "cancelled") return { outcome: { status: "cancelled" }, output, exit };
  if (status === "error" || error !== undefined) return { outcome: failed(output), output, exit };
  return { outcome: exit ? failed(`exit code ${exit}`) : COMPLETED, output, exit };
}

function responseIn(part: unknown): unknown {
  return objectAt(objectAt(part).functionResponse).response;
}
