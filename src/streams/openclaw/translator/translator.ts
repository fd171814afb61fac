// OpenClaw as an ACP agent: its gateway's `tool` events as session updates of the Agent Client Protocol, to the letter.
import { defined, objectAt } from "../../../core/json.js";
import { type ToolContent, toolContent } from "./tool-content.js";
import { LOCATIONS_SEEN_AGAIN, type ToolLocation, toolLocations } from "./tool-locations.js";
import { type OpenclawToolKind, openclawToolKind, toolTitle } from "./tool-title.js";

/** The prompt that is being answered: events of others are left alone. */
export interface OpenclawPrompt {
  readonly sessionKey: string;
  readonly runId?: string | undefined;
}

/** Ids and titles are texts wherever OpenClaw's own are; anything else is passed on as it came. */
export type AcpToolUpdate =
  | {
      readonly sessionUpdate: "tool_call";
      readonly toolCallId: unknown;
      readonly title: unknown;
      readonly status: "in_progress";
      readonly rawInput?: unknown;
      readonly kind: OpenclawToolKind;
      readonly locations?: readonly ToolLocation[];
    }
  | {
      readonly sessionUpdate: "tool_call_update";
      readonly toolCallId: unknown;
      readonly status: "in_progress" | "completed" | "failed";
      readonly rawOutput?: unknown;
      readonly content?: readonly ToolContent[];
      readonly locations?: readonly ToolLocation[];
    };

export interface OpenclawTranslator {
  /** The payload of a gateway event: `{ stream, sessionKey, runId, data }`. Undefined: it tells an editor nothing. */
  translate(payload: unknown): AcpToolUpdate | undefined;
}

/** One for each prompt. It keeps what open calls are about, and forgets the oldest of them past its limits. */
export function createOpenclawTranslator(prompt: OpenclawPrompt): OpenclawTranslator {
  let sessionKey: unknown = prompt.sessionKey;
  const calls = new OpenCalls();
  const isOurs = (key: unknown, runId: unknown): boolean => {
    const isRun = prompt.runId !== undefined && runId === prompt.runId;
    if (key === sessionKey) return !runId || isRun || prompt.runId === undefined;
    // The session got another key while its run went on.
    if (isRun) sessionKey = key;
    return isRun;
  };
  return {
    translate(payload) {
      const { stream, data, sessionKey: key, runId } = objectAt(payload);
      const { toolCallId, phase, ...call } = objectAt(data);
      if (stream !== "tool" || !toolCallId || !key || !isOurs(key, runId)) return undefined;
      switch (phase) {
        case "start":
          return started(calls, toolCallId, call);
        case "update":
          return changed(toolCallId, "in_progress", call.partialResult, calls.about(toolCallId));
        case "result":
          return changed(toolCallId, call.isError ? "failed" : "completed", call.result, calls.end(toolCallId));
        default:
          return undefined;
      }
    },
  };
}

/** A start that is told again is no second call. */
function started(
  calls: OpenCalls,
  toolCallId: unknown,
  { name, args }: { readonly name?: unknown; readonly args?: unknown },
): AcpToolUpdate | undefined {
  if (calls.has(toolCallId)) return undefined;
  const locations = toolLocations(args);
  calls.begin(toolCallId, locations ?? []);
  return defined({
    sessionUpdate: "tool_call",
    toolCallId,
    title: toolTitle(name, args),
    status: "in_progress",
    rawInput: args,
    kind: openclawToolKind(name),
    locations,
  }) as AcpToolUpdate;
}

function changed(
  toolCallId: unknown,
  status: "in_progress" | "completed" | "failed",
  rawOutput: unknown,
  about: readonly ToolLocation[] | undefined,
): AcpToolUpdate {
  return defined({
    sessionUpdate: "tool_call_update",
    toolCallId,
    status,
    rawOutput,
    content: toolContent(rawOutput),
    locations: toolLocations(about, rawOutput),
  }) as AcpToolUpdate;
}

const CALLS_MAX = 1000;
/** Characters of paths and ids, of all calls together. */
const SIZE_MAX = 8_000_000;

/** What calls are about that have begun. Some never end. */
class OpenCalls {
  readonly #calls = new Map<unknown, { readonly about: readonly ToolLocation[]; readonly size: number }>();
  #size = 0;

  has(id: unknown): boolean {
    return this.#calls.has(id);
  }

  about(id: unknown): readonly ToolLocation[] | undefined {
    return this.#calls.get(id)?.about;
  }

  begin(id: unknown, locations: readonly ToolLocation[]): void {
    const about = locations.slice(0, LOCATIONS_SEEN_AGAIN);
    const size = about.reduce((sum, { path }) => sum + path.length, typeof id === "string" ? id.length : 0);
    this.#calls.set(id, { about, size });
    this.#size += size;
    for (const oldest of this.#calls.keys()) {
      if (this.#calls.size <= CALLS_MAX && this.#size <= SIZE_MAX) return;
      this.end(oldest);
    }
  }

  end(id: unknown): readonly ToolLocation[] | undefined {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    this.#size -= call?.size ?? 0;
    return call?.about;
  }
}
