// Which updates of a child OpenClaw shows (`acp.stream.tagVisibility`): by default its answers, not its tools.
import { objectAt, own } from "../../core/json.js";

const TAG_DEFAULTS: Readonly<Record<string, boolean>> = {
  agent_message_chunk: true,
  tool_call: false,
  tool_call_update: false,
  usage_update: false,
  available_commands_update: false,
  current_mode_update: false,
  config_option_update: false,
  session_info_update: false,
  plan: false,
  agent_thought_chunk: false,
};

/** The part of OpenClaw's configuration that streams read. It comes from a file: each value may be anything. */
export interface OpenclawConfig {
  readonly acp?: {
    readonly stream?: {
      readonly deliveryMode?: "live" | "final_only" | undefined;
      readonly repeatSuppression?: boolean | undefined;
      readonly tagVisibility?: Readonly<Record<string, boolean>> | undefined;
      readonly maxOutputChars?: number | undefined;
      readonly maxSessionUpdateChars?: number | undefined;
    };
  };
}

export function streamConfig(config: OpenclawConfig | undefined) {
  return objectAt(objectAt(objectAt(config).acp).stream);
}

/** Tags that nobody knows are shown, and cannot be hidden. */
export function isTagVisible(config: OpenclawConfig | undefined, tag: unknown): boolean {
  if (typeof tag !== "string" || !Object.hasOwn(TAG_DEFAULTS, tag)) return true;
  const chosen = own(objectAt(streamConfig(config).tagVisibility), tag);
  return typeof chosen === "boolean" ? chosen : TAG_DEFAULTS[tag] === true;
}
