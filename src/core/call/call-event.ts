import { isId } from "../id.js";

export const OUTCOMES = ["completed", "failed", "cancelled"] as const;
export type CallOutcome = (typeof OUTCOMES)[number];

/** What one event of a `calls:` stream tells. `agent`: the sub-agent that called; undefined for the session itself. */
export type CallEvent =
  | { readonly type: "call.started"; readonly call: string; readonly tool: string; readonly agent?: string | undefined }
  | {
      readonly type: "call.ended";
      readonly call?: string | undefined;
      readonly tool: string;
      readonly agent?: string | undefined;
      readonly outcome: CallOutcome;
      /** Keeping a list is not the work itself. */
      readonly isWork: boolean;
    };

/** Clients' own tools that write a list. */
const LIST_TOOLS: readonly string[] = ["TodoWrite", "update_plan"];

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
  const { call: id, tool: name, server, agent: caller, status } = data as { readonly [field: string]: unknown };
  const agent = caller ?? undefined;
  if (agent !== undefined && !isId(agent)) return undefined;
  const call = typeof id === "string" && id.length <= CALL_MAX ? id : undefined;
  const tool = typeof name === "string" ? name.slice(0, TOOL_MAX) : "";
  if (type === "call.started") return call === undefined ? undefined : { type, call, tool, agent };
  if (type !== "call.ended") return undefined;
  // An outcome that a newer version wrote is not called a failure.
  const outcome = OUTCOMES.find((known) => known === status) ?? "completed";
  return { type, call, tool, agent, outcome, isWork: !isOurServer(server) && !LIST_TOOLS.includes(tool) };
}
