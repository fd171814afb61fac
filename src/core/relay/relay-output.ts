import { markOf } from "../text/mark.js";
import { cutUnits, lastUnits } from "../text/utf16.js";
import type { Relay, Relayed, RelayNotice, Unsent } from "./relay-state.js";

const UNSENT_MAX = 4000;
/** As much as one notice shows: more unsent text need not wait. */
const NOTICE_MAX = 220;
/** Whoever tells of more texts at once, and goes back to the oldest, hears it whole once more. */
const SNAPSHOTS_MAX = 256;

/** Sends what waits. Blank text is dropped. */
export function flush(relay: Relay): Relayed {
  if (relay.unsent === undefined) return { relay, notices: [] };
  const text = cutUnits(relay.unsent.text.replace(/\s+/g, " ").trim(), NOTICE_MAX);
  const notices: RelayNotice[] = text === "" ? [] : [{ kind: "progress", at: relay.now, text }];
  return { relay: { ...relay, unsent: undefined }, notices };
}

/** Output that is seen: ends a stall, and is sent now or when the timer says so. */
export function addOutput(relay: Relay, text: string, kind: string): Relayed {
  const { now, timing } = relay;
  const resumed: RelayNotice[] = relay.isStalled ? [{ kind: "resumed", at: now }] : [];
  const awake = { ...relay, isStalled: false, lastSign: now, seen: { ...relay.seen, output: true } };
  const isOther = awake.unsent !== undefined && awake.unsent.kind !== kind;
  const before = isOther ? flush(awake) : { relay: awake, notices: [] };
  const waiting = before.relay.unsent;
  const unsent: Unsent = {
    kind,
    text: lastUnits(`${waiting?.text ?? ""}${text}`, UNSENT_MAX),
    flushAt: waiting?.flushAt ?? (timing.flushDelay > 0 ? now + timing.flushDelay : undefined),
  };
  const added = { ...before.relay, unsent };
  const isUrgent = unsent.text.length >= NOTICE_MAX || text.includes("\n\n");
  const after = isUrgent ? flush(added) : { relay: added, notices: [] };
  return { relay: after.relay, notices: [...resumed, ...before.notices, ...after.notices] };
}

/** The whole text of one kind, as it stands now. */
export function addSnapshot(relay: Relay, text: string, kind: string): Relayed {
  const key = markOf(kind);
  const known = relay.snapshots.find((snapshot) => snapshot.key === key);
  const isGrown = known !== undefined && markOf(text.slice(0, known.length)) === known.mark;
  if (isGrown && text.length === known.length) return { relay, notices: [] };
  const others = relay.snapshots.filter((snapshot) => snapshot !== known);
  const latest = { key, length: text.length, mark: markOf(text) };
  const kept = { ...relay, snapshots: [...others, latest].slice(-SNAPSHOTS_MAX) };
  if (isGrown) return addOutput(kept, text.slice(known.length), kind);
  const isRewritten = known !== undefined && relay.unsent?.kind === kind;
  return addOutput(isRewritten ? withoutText(kept) : kept, text, kind);
}

/** The timer goes on: what was rewritten does not wait longer for that. */
function withoutText(relay: Relay): Relay {
  return relay.unsent ? { ...relay, unsent: { ...relay.unsent, text: "" } } : relay;
}

/** Only its end could ever be sent. */
export function holdDraft(relay: Relay, text: string): Relay {
  return { ...relay, lastSign: relay.now, draft: lastUnits(text, UNSENT_MAX) };
}

/** All that is left, at the end: a draft is final now. */
export function flushAll(relay: Relay): Relayed {
  const { draft } = relay;
  const drafted =
    draft === undefined ? { relay, notices: [] } : addOutput({ ...relay, draft: undefined }, draft, DRAFT);
  const rest = flush(drafted.relay);
  return { relay: rest.relay, notices: [...drafted.notices, ...rest.notices] };
}

const DRAFT = "draft";
