import type { RelayNotice } from "../../../core/relay/relay-state.js";
import { cutUnits } from "../../../core/text/utf16.js";

const LABEL_MAX = 40;

/** Who is spoken of: the agent's id on one line. */
export function relayLabel(agentId: unknown): string {
  const id = typeof agentId === "string" ? agentId.replace(/\s+/g, " ").trim() : "";
  return cutUnits(id, LABEL_MAX) || "ACP child";
}

export interface Child {
  readonly label: string;
  readonly sessionKey: string;
  /** Names of variables that led it through a proxy when it got its prompt. */
  readonly proxyKeys: readonly string[];
}

export function noticeText(notice: RelayNotice, child: Child): string {
  const { label } = child;
  switch (notice.kind) {
    case "start":
      return `Started ${label} session ${child.sessionKey}. Streaming progress updates to parent session.`;
    case "progress":
      return `${label}: ${notice.text}`;
    case "stall":
      return stallText(notice, child);
    case "resumed":
      return `${label} resumed output.`;
    case "done":
      return `${label} run completed${notice.took === undefined ? "" : ` in ${atLeastOne(notice.took)}s`}.`;
    case "error":
      return notice.reason === undefined ? `${label} run failed.` : `${label} run failed: ${notice.reason}`;
    case "timeout":
      return `${label} stream relay timed out after ${atLeastOne(notice.after)}s without completion.`;
  }
}

function stallText(stall: Extract<RelayNotice, { kind: "stall" }>, { label, proxyKeys }: Child): string {
  const time = `${seconds(stall.after)}s`;
  switch (stall.missing) {
    case "submission":
      return `${label} session started but no prompt submission was observed for ${time}.`;
    case "activity": {
      const proxy = `proxy env: ${proxyKeys.join(", ") || "none"}`;
      const advice = "Check upstream connectivity, auth, or proxy/network access in the gateway child environment.";
      return `${label} prompt was submitted but no ACP runtime event arrived for ${time} (${proxy}). ${advice}`;
    }
    case "output": {
      const last = stall.lastActivity === undefined ? "" : ` Last ACP event: ${stall.lastActivity}.`;
      const guess = "It may be working, blocked on a tool, or failing before visible output.";
      return `${label} has ACP runtime activity but no visible assistant output for ${time}.${last} ${guess}`;
    }
    case undefined:
      return `${label} has produced no visible output for ${time}. It may be waiting for interactive input.`;
  }
}

function seconds(ms: number): number {
  return Math.round(ms / 1000);
}

function atLeastOne(ms: number): number {
  return Math.max(1, seconds(ms));
}
