import { addOutput, addSnapshot, flush, flushAll, holdDraft } from "./relay-output.js";
import type { Relay, Relayed, RelayInput, RelayNotice } from "./relay-state.js";
import { type RelayTimes, relayTiming } from "./relay-timing.js";

export interface RelayOptions extends RelayTimes {
  /** Tells the start at once; else whoever opened it does, with the input `start`. */
  readonly announce?: boolean | undefined;
}

export function openRelay({ announce = true, ...times }: RelayOptions, now: number): Relayed {
  const relay: Relay = {
    timing: relayTiming(times),
    openedAt: now,
    now,
    lastSign: now,
    isStalled: false,
    isEnded: false,
    seen: { submission: false, activity: false, output: false },
    lastActivity: undefined,
    unsent: undefined,
    draft: undefined,
    snapshots: [],
  };
  return { relay, notices: announce ? [{ kind: "start", at: now }] : [] };
}

/** What was due until `now` comes first. A relay that has ended says nothing any more. */
export function tellRelay(relay: Relay, input: RelayInput, now: number): Relayed {
  const due = advanceRelay(relay, now);
  if (due.relay.isEnded) return due;
  const told = applyInput(due.relay, input);
  return { relay: told.relay, notices: [...due.notices, ...told.notices] };
}

function applyInput(relay: Relay, input: RelayInput): Relayed {
  const { now, seen } = relay;
  const alive = { ...relay, lastSign: now };
  switch (input.type) {
    case "start":
      return { relay, notices: [{ kind: "start", at: now }] };
    case "submitted":
      return silent({ ...alive, seen: { ...seen, submission: true } });
    case "activity":
      return silent({ ...alive, seen: { ...seen, activity: true }, lastActivity: input.name });
    case "sign":
      return silent(alive);
    case "piece":
      return isBlank(input.text) ? silent(relay) : addPiece(relay, input);
    case "snapshot":
      return isBlank(input.text) ? silent(relay) : addSnapshot(alive, input.text, input.kind);
    case "draft":
      return silent(isBlank(input.text) ? relay : holdDraft(relay, input.text));
    case "end":
      return finish(relay, { kind: "done", at: now, took: input.took });
    case "failure":
      return finish(relay, { kind: "error", at: now, reason: input.reason });
  }
}

function addPiece(relay: Relay, { text, kind, isFinal }: Extract<RelayInput, { type: "piece" }>): Relayed {
  return addOutput(isFinal ? { ...relay, draft: undefined } : relay, text, kind);
}

/** Gives what has come due, each with the time at which it was. The same in one step or in many. */
export function advanceRelay(relay: Relay, now: number): Relayed {
  const notices: RelayNotice[] = [];
  let current = relay;
  for (let next = nextDue(current); next !== undefined && next.at <= now; next = nextDue(current)) {
    const fired = fire({ ...current, now: next.at }, next.timer);
    notices.push(...fired.notices);
    current = fired.relay;
  }
  // A clock that was set back stands still here.
  return { relay: now > current.now ? { ...current, now } : current, notices };
}

/** When `advanceRelay` has something to do, if nothing is told before; undefined: never. */
export function nextRelayTime(relay: Relay): number | undefined {
  return nextDue(relay)?.at;
}

/** Ends it without a word: what waits is dropped. */
export function closeRelay(relay: Relay): Relay {
  return { ...relay, isEnded: true, unsent: undefined, draft: undefined, snapshots: [] };
}

type Timer = "stall" | "lifetime" | "flush";

interface Due {
  readonly timer: Timer;
  readonly at: number;
}

/** At the same time a stall is told before the end of the lifetime, which drops what a flush would send. */
function nextDue(relay: Relay): Due | undefined {
  const { openedAt, timing, unsent } = relay;
  if (relay.isEnded) return undefined;
  const dues: Due[] = [{ timer: "lifetime", at: openedAt + timing.lifetime }];
  const stallAt = nextStall(relay);
  if (stallAt !== undefined) dues.unshift({ timer: "stall", at: stallAt });
  if (unsent?.flushAt !== undefined) dues.push({ timer: "flush", at: unsent.flushAt });
  return dues.reduce((first, due) => (due.at < first.at ? due : first));
}

/** The first check at which the silence is long enough. */
function nextStall({ isStalled, lastSign, openedAt, timing }: Relay): number | undefined {
  if (isStalled || timing.stallAfter === 0) return undefined;
  const checks = Math.ceil((lastSign + timing.stallAfter - openedAt) / timing.stallCheck);
  return openedAt + checks * timing.stallCheck;
}

function fire(relay: Relay, timer: Timer): Relayed {
  const { now, timing, seen, lastActivity } = relay;
  switch (timer) {
    case "flush":
      return flush(relay);
    case "lifetime":
      return { relay: closeRelay(relay), notices: [{ kind: "timeout", at: now, after: timing.lifetime }] };
    case "stall": {
      const missing = (["submission", "activity", "output"] as const).find((sight) => !seen[sight]);
      const notice = { kind: "stall", at: now, after: timing.stallAfter, missing, lastActivity } as const;
      return { relay: { ...relay, isStalled: true }, notices: [notice] };
    }
  }
}

function finish(relay: Relay, notice: RelayNotice): Relayed {
  const rest = flushAll(relay);
  return { relay: closeRelay(rest.relay), notices: [...rest.notices, notice] };
}

function silent(relay: Relay): Relayed {
  return { relay, notices: [] };
}

function isBlank(text: string): boolean {
  return text.trim() === "";
}
