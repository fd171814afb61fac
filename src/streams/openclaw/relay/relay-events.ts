// OpenClaw's agent events as what a relay is told. Streams that are not named here tell nothing.
import { type JsonObject, objectAt, trimmedAt } from "../../../core/json.js";
import type { RelayInput } from "../../../core/relay/relay-state.js";
import { isTagVisible, type OpenclawConfig } from "../tag-visibility.js";

export interface RelayTaste {
  readonly config: OpenclawConfig | undefined;
  /** Whether what a child says about its work is passed on, besides its answer. */
  readonly commentary: boolean;
}

/** `prompt` is the exception: the relay has to remember what it says. */
export type HeardEvent = RelayInput | { readonly type: "prompt"; readonly at: unknown; readonly proxyKeys: string[] };

export function heardEvents(stream: unknown, value: unknown, taste: RelayTaste): readonly HeardEvent[] {
  const data = objectAt(value);
  switch (stream) {
    case "assistant":
      return assistantText(data, taste);
    case "item":
      return preamble(data, taste);
    case "acp":
      return runtime(data, taste);
    case "lifecycle":
      return ending(data);
    default:
      return [];
  }
}

function assistantText({ text, delta, phase, replaceable }: JsonObject, taste: RelayTaste): readonly HeardEvent[] {
  const [whole, more] = [text, delta].map((part) => (typeof part === "string" ? part : undefined));
  if (replaceable === true) return [{ type: "draft", text: whole ?? more ?? "" }];
  const piece = more ?? whole ?? "";
  if (piece.trim() === "") return [];
  if (phase === "commentary" && !taste.commentary) return [{ type: "sign" }];
  const kind = phase === "commentary" || phase === "final_answer" ? phase : "unknown";
  return [{ type: "piece", kind: `assistant:${kind}`, text: piece, isFinal: true }];
}

function preamble(data: JsonObject, taste: RelayTaste): readonly HeardEvent[] {
  const text = trimmedAt(data.progressText);
  if (trimmedAt(data.kind) !== "preamble" || text === undefined) return [];
  const id = trimmedAt(data.itemId);
  const isShown = taste.commentary && id !== undefined;
  return [isShown ? { type: "snapshot", kind: `item:${id}`, text } : { type: "sign" }];
}

function runtime(data: JsonObject, taste: RelayTaste): readonly HeardEvent[] {
  const phase = trimmedAt(data.phase);
  if (phase === "prompt_submitted") return [{ type: "prompt", at: data.at, proxyKeys: texts(data.proxyEnvKeys) }];
  if (phase !== "runtime_event") return [];
  const name = trimmedAt(data.eventType);
  const text = trimmedAt(data.text);
  const isShown = taste.commentary && name === "status" && isTagVisible(taste.config, trimmedAt(data.tag));
  const activity: HeardEvent = { type: "activity", name };
  // The blank line sends it at once.
  return isShown && text !== undefined
    ? [activity, { type: "piece", kind: "acp:status", text: `${text}\n\n` }]
    : [activity];
}

function ending(data: JsonObject): readonly HeardEvent[] {
  switch (trimmedAt(data.phase)) {
    case "end":
      return [{ type: "end", took: duration(data.startedAt, data.endedAt) }];
    case "error":
      return [{ type: "failure", reason: trimmedAt(data.error) }];
    default:
      return [];
  }
}

function duration(from: unknown, to: unknown): number | undefined {
  if (typeof from !== "number" || typeof to !== "number") return undefined;
  return Number.isFinite(from) && Number.isFinite(to) && to >= from ? to - from : undefined;
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string" && item !== "") : [];
}
