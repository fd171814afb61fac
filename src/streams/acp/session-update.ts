/** What an ACP agent tells its client of a session (protocol version 1), as far as we tell it. */
export type AcpUpdate = AcpToolCall | AcpToolCallUpdate | AcpPlan | AcpMode | AcpNotice | AcpCompaction;

export type AcpToolKind =
  | "read"
  | "edit"
  | "delete"
  | "move"
  | "search"
  | "execute"
  | "think"
  | "fetch"
  | "switch_mode"
  | "other";

type AcpCallStatus = "pending" | "in_progress" | "completed" | "failed";

export interface AcpLocation {
  readonly path: string;
  /** From 1 on, as editors count. */
  readonly line?: number;
}

/** Of the kinds of content only text; all that we have to say is text. */
export interface AcpContent {
  readonly type: "content";
  readonly content: { readonly type: "text"; readonly text: string };
}

interface AcpCallDetails {
  readonly kind?: AcpToolKind;
  readonly status?: AcpCallStatus;
  readonly content?: readonly AcpContent[];
  readonly locations?: readonly AcpLocation[];
  readonly rawInput?: unknown;
  readonly rawOutput?: unknown;
}

export interface AcpToolCall extends AcpCallDetails {
  readonly sessionUpdate: "tool_call";
  readonly toolCallId: string;
  readonly title: string;
  /** Of the tool, as programs know it. */
  readonly name?: string;
}

/** Fields that are absent stay as they were told before. */
export interface AcpToolCallUpdate extends AcpCallDetails {
  readonly sessionUpdate: "tool_call_update";
  readonly toolCallId: string;
  readonly title?: string;
}

/** There is no word for a cancelled entry. */
type AcpPlanStatus = "pending" | "in_progress" | "completed";

export interface AcpPlanEntry {
  readonly content: string;
  readonly priority: "high" | "medium" | "low";
  readonly status: AcpPlanStatus;
}

/** Always the whole list: the client puts it in place of the one before. */
export interface AcpPlan {
  readonly sessionUpdate: "plan";
  readonly entries: readonly AcpPlanEntry[];
}

interface AcpMode {
  readonly sessionUpdate: "current_mode_update";
  readonly currentModeId: string;
}

export interface AcpNotice {
  readonly sessionUpdate: "notice";
  readonly severity: "info" | "warning" | "error";
  readonly title: string;
  readonly description?: string;
}

interface AcpCompaction {
  readonly sessionUpdate: "compaction_update";
  readonly compactionId: string;
  readonly status: "in_progress" | "completed" | "failed" | "cancelled";
}

/** Half a surrogate pair becomes U+FFFD: strict readers refuse a line that has one. */
export function textContent(text: string): readonly AcpContent[] {
  return [{ type: "content", content: { type: "text", text: text.toWellFormed() } }];
}
