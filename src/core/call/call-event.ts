import { isId } from "../id.js";
import { CALL_FACTS, type CallFacts } from "./call-facts.js";

export const OUTCOMES = ["completed", "failed", "cancelled"] as const;
export type CallOutcome = (typeof OUTCOMES)[number];

/** What one event of a `calls:` stream tells. `agent`: the sub-agent that called; undefined for the session itself. */
export type CallEvent =
  | {
      readonly type: "call.started";
      readonly call: string;
      readonly tool: string;
      readonly agent?: string | undefined;
      /** What it is about, in one line. */
      readonly subject?: string | undefined;
      readonly facts?: CallFacts | undefined;
    }
  /** How far a long call is; the newest counts. */
  | {
      readonly type: "call.updated";
      readonly call: string;
      readonly tool: string;
      readonly agent?: string | undefined;
      readonly subject?: string | undefined;
      /** From 0 to 1. */
      readonly progress?: number | undefined;
    }
  | {
      readonly type: "call.ended";
      readonly call?: string | undefined;
      readonly tool: string;
      readonly agent?: string | undefined;
      readonly outcome: CallOutcome;
      /** Keeping a list is not the work itself. */
      readonly isWork: boolean;
      /** Absent where an older version, or somebody who knew no more, told of the call. */
      readonly facts?: CallFacts | undefined;
      /** How long it took, where that was told. */
      readonly milliseconds?: number | undefined;
      /** What it was about, in one line. */
      readonly subject?: string | undefined;
    };

/** Clients' own tools that write a list, or tasks. */
const LIST_TOOLS: readonly string[] = ["TodoWrite", "update_plan", "TaskCreate", "TaskUpdate", "TaskList", "TaskGet"];

/** Our server in names of tools: as setup wires it, and as Claude Code calls that of our plugin. */
const SERVER = "milepost";
export const PLUGIN_SERVER = "plugin_milepost_milepost";

export function isOurServer(server: unknown): boolean {
  return server === SERVER || server === PLUGIN_SERVER;
}

const TOOL_MAX = 100;
const CALL_MAX = 200;

/** Undefined for other types, an impossible caller, and a start without an id. An end always counts: something ran. */
export function readCallEvent(type: string, data: object): CallEvent | undefined {
  const { call: id, tool: name, server, agent: caller, status, facts: told } = data as Told;
  const agent = caller ?? undefined;
  if (agent !== undefined && !isId(agent)) return undefined;
  const call = typeof id === "string" && id.length <= CALL_MAX ? id : undefined;
  const tool = typeof name === "string" ? name.slice(0, TOOL_MAX) : "";
  const facts = factsIn(told);
  if (type === "call.started")
    return call === undefined ? undefined : { type, call, tool, agent, facts, ...subjectIn(data) };
  if (type === "call.updated") return call === undefined ? undefined : { type, call, tool, agent, ...updateIn(data) };
  if (type !== "call.ended") return undefined;
  // An outcome that a newer version wrote is not called a failure.
  const outcome = OUTCOMES.find((known) => known === status) ?? "completed";
  const isWork = !isOurServer(server) && !LIST_TOOLS.includes(tool) && facts?.isList !== true;
  return { type, call, tool, agent, outcome, isWork, facts, ...detailsIn(data) };
}

function detailsIn(data: object) {
  const { milliseconds, subject } = data as Told;
  return {
    ...(typeof milliseconds === "number" && milliseconds >= 0 && { milliseconds }),
    ...(typeof subject === "string" && { subject }),
  };
}

const SUBJECT_MAX = 200;

function subjectIn(data: object): { readonly subject?: string } {
  const { subject } = data as Told;
  return typeof subject === "string" ? { subject: subject.slice(0, SUBJECT_MAX) } : {};
}

function updateIn(data: object): Pick<Extract<CallEvent, { type: "call.updated" }>, "subject" | "progress"> {
  const { progress } = data as Told;
  return {
    ...subjectIn(data),
    ...(typeof progress === "number" && progress >= 0 && progress <= 1 && { progress }),
  };
}

type Told = { readonly [field: string]: unknown };

/** Field by field: what a newer version says in words of its own must not take the others with it. */
function factsIn(told: unknown): CallFacts | undefined {
  if (typeof told !== "object" || told === null) return undefined;
  const facts: { [field: string]: unknown } = {};
  for (const field in CALL_FACTS) {
    const value = (told as Told)[field];
    if (value !== undefined && value !== null && CALL_FACTS[field]?.(value)) facts[field] = value;
  }
  return facts;
}
