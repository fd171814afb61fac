// OpenClaw's relay from a child session to its parent (`sessions_spawn` with `streamTo: "parent"`), to the letter. The
// rules are core/relay's; here are OpenClaw's events, words and keys.
import { objectAt, trimmedAt } from "../../../core/json.js";
import { advanceRelay, closeRelay, nextRelayTime, openRelay, tellRelay } from "../../../core/relay/relay.js";
import type { Relay, Relayed, RelayInput, RelayNotice } from "../../../core/relay/relay-state.js";
import type { OpenclawConfig } from "../tag-visibility.js";
import { type HeardEvent, heardEvents, type RelayTaste } from "./relay-events.js";
import { type Child, noticeText, relayLabel } from "./relay-words.js";

/** By OpenClaw's names. Times are milliseconds. */
export interface OpenclawRelayOptions {
  /** Only events of this run are heard. Without it, or without a parent, the relay has ended before it began. */
  readonly runId: string;
  readonly parentSessionKey: string;
  readonly childSessionKey: string;
  readonly agentId: string;
  readonly emitStartNotice?: boolean | undefined;
  /** False: everything is heard and nothing told. */
  readonly surfaceUpdates?: boolean | undefined;
  readonly streamFlushMs?: number | undefined;
  readonly noOutputNoticeMs?: number | undefined;
  readonly noOutputPollMs?: number | undefined;
  readonly maxRelayLifetimeMs?: number | undefined;
  readonly cfg?: OpenclawConfig | undefined;
  /** Commentary, preambles and status lines of the child; on unless false. There the parent's channel decides it. */
  readonly commentary?: boolean | undefined;
}

export interface OpenclawNotice {
  readonly at: number;
  readonly kind: RelayNotice["kind"];
  readonly text: string;
  readonly contextKey: string;
}

/** Times come from whoever calls, and never go back. */
export interface OpenclawRelay {
  /** What was told when it was opened. */
  readonly opening: readonly OpenclawNotice[];
  /** An agent event `{ runId, stream, data }`; what was due before it is told first. */
  tell(event: unknown, now: number): readonly OpenclawNotice[];
  /** The start, for who opened it with `emitStartNotice: false`. */
  start(now: number): readonly OpenclawNotice[];
  advance(now: number): readonly OpenclawNotice[];
  /** When to call `advance` next. */
  next(): number | undefined;
  isEnded(): boolean;
  /** Ends it without a word. */
  close(): void;
}

export function createOpenclawRelay(options: OpenclawRelayOptions, now: number): OpenclawRelay {
  const runId = trimmedAt(options.runId);
  const isHeard = runId !== undefined && trimmedAt(options.parentSessionKey) !== undefined;
  const taste: RelayTaste = { config: options.cfg, commentary: options.commentary !== false };
  const hearPrompt = promptMemory();
  let child: Child = { label: relayLabel(options.agentId), sessionKey: options.childSessionKey, proxyKeys: [] };
  const opened = openRelay(relayOptions(options), now);
  let relay: Relay = isHeard ? opened.relay : closeRelay(opened.relay);

  const word = (notices: readonly RelayNotice[]): readonly OpenclawNotice[] =>
    options.surfaceUpdates === false ? [] : notices.map((notice) => wordNotice(notice, child, runId));
  const take = (relayed: Relayed) => {
    relay = relayed.relay;
    return word(relayed.notices);
  };
  const hear = (heard: HeardEvent, at: number) => {
    if (heard.type !== "prompt") return take(tellRelay(relay, heard, at));
    const due = take(advanceRelay(relay, at));
    child = { ...child, proxyKeys: heard.proxyKeys };
    return [...due, ...take(tellRelay(relay, hearPrompt(heard.at), at))];
  };
  return {
    opening: isHeard ? word(opened.notices) : [],
    tell(event, at) {
      const { runId: run, stream, data } = objectAt(event);
      if (run !== runId) return take(advanceRelay(relay, at));
      const due = take(advanceRelay(relay, at));
      return [...due, ...heardEvents(stream, data, taste).flatMap((heard) => hear(heard, at))];
    },
    start: (at) => take(tellRelay(relay, { type: "start" }, at)),
    advance: (at) => take(advanceRelay(relay, at)),
    next: () => nextRelayTime(relay),
    isEnded: () => relay.isEnded,
    close() {
      relay = closeRelay(relay);
    },
  };
}

function relayOptions(options: OpenclawRelayOptions) {
  return {
    flushDelay: options.streamFlushMs,
    stallAfter: options.noOutputNoticeMs,
    stallCheck: options.noOutputPollMs,
    lifetime: options.maxRelayLifetimeMs,
    announce: options.emitStartNotice !== false,
  };
}

function wordNotice(notice: RelayNotice, child: Child, runId: string | undefined): OpenclawNotice {
  const { at, kind } = notice;
  return { at, kind, text: noticeText(notice, child), contextKey: `acp-spawn:${runId}:${kind}` };
}

/** The time of the first prompt counts for good, and a prompt at 0 is taken for none, as in the original. */
function promptMemory(): (at: unknown) => RelayInput {
  let isFirst = true;
  let isZero = false;
  return (at) => {
    if (isFirst) isZero = at === 0;
    isFirst = false;
    return { type: isZero ? "sign" : "submitted" };
  };
}
