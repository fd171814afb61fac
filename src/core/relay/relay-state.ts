// The contract of a relay: what a child says and does is told to its parent in a few notices. Whoever has a relay
// brings the time with every call, words the notices, and sets one timer (`nextRelayTime`); nothing here has a clock.
import type { RelayTiming } from "./relay-timing.js";

export type RelayNotice =
  | { readonly kind: "start" | "resumed"; readonly at: number }
  /** One line of at most 220 UTF-16 units. */
  | { readonly kind: "progress"; readonly at: number; readonly text: string }
  /** No sign of life for `after` ms. The next comes only after output has resumed. */
  | {
      readonly kind: "stall";
      readonly at: number;
      readonly after: number;
      /** The first that was never seen; undefined: the child has written before, and then fell silent. */
      readonly missing: "submission" | "activity" | "output" | undefined;
      readonly lastActivity: string | undefined;
    }
  /** `took`: milliseconds, where they are known. */
  | { readonly kind: "done"; readonly at: number; readonly took: number | undefined }
  | { readonly kind: "error"; readonly at: number; readonly reason: string | undefined }
  | { readonly kind: "timeout"; readonly at: number; readonly after: number };

/** What a child tells. Each but `start` is a sign of life; a blank text is nothing at all. */
export type RelayInput =
  /** The start is told later than the opening, because it was not sure then. */
  | { readonly type: "start" }
  /** The child has got its work. */
  | { readonly type: "submitted" }
  /** It does something that is not shown: `name` says what. */
  | { readonly type: "activity"; readonly name: string | undefined }
  | { readonly type: "sign" }
  /** More text. Unsent text of another kind is sent first: the two must not run together. `isFinal` voids a draft. */
  | { readonly type: "piece"; readonly kind: string; readonly text: string; readonly isFinal?: boolean }
  /** All of the text of that kind: only what is new is passed on; a rewritten one takes the place of what is unsent. */
  | { readonly type: "snapshot"; readonly kind: string; readonly text: string }
  /** All of a text that may still be taken back: only the last one is sent, at the end. */
  | { readonly type: "draft"; readonly text: string }
  | { readonly type: "end"; readonly took?: number | undefined }
  | { readonly type: "failure"; readonly reason?: string | undefined };

/** Plain data, never larger than its limits and the last input: it can be kept as JSON. */
export interface Relay {
  readonly timing: RelayTiming;
  readonly openedAt: number;
  /** Until when notices were given. */
  readonly now: number;
  readonly lastSign: number;
  readonly isStalled: boolean;
  readonly isEnded: boolean;
  readonly seen: { readonly submission: boolean; readonly activity: boolean; readonly output: boolean };
  readonly lastActivity: string | undefined;
  readonly unsent: Unsent | undefined;
  readonly draft: string | undefined;
  readonly snapshots: readonly Snapshot[];
}

export interface Unsent {
  readonly kind: string;
  readonly text: string;
  /** Undefined where no timer sends it. */
  readonly flushAt: number | undefined;
}

/** Enough to know whether a later text begins with it. `key` and `mark` are marks of kind and text. */
interface Snapshot {
  readonly key: string;
  readonly length: number;
  readonly mark: string;
}

export interface Relayed {
  readonly relay: Relay;
  /** In the order of their times. */
  readonly notices: readonly RelayNotice[];
}
