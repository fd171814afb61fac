/** Milliseconds. What is left out, or is no number, has its default. */
export interface RelayTimes {
  /** How long the first unsent text waits for more; 0: until something else sends it. */
  readonly flushDelay?: number | undefined;
  /** Without a sign of life for so long, a stall is told; 0: never. */
  readonly stallAfter?: number | undefined;
  /** How often that is looked at, counted from the opening. */
  readonly stallCheck?: number | undefined;
  /** After that time the relay gives up. */
  readonly lifetime?: number | undefined;
}

export type RelayTiming = { readonly [Name in keyof RelayTimes]-?: number };

const DEFAULTS: RelayTiming = { flushDelay: 2500, stallAfter: 60_000, stallCheck: 15_000, lifetime: 6 * 3_600_000 };

/** Shorter ones would only keep a host busy. */
const FLOORS: RelayTiming = { flushDelay: 0, stallAfter: 0, stallCheck: 250, lifetime: 1000 };

export function relayTiming(times: RelayTimes): RelayTiming {
  const at = (name: keyof RelayTimes) => {
    const value = times[name];
    const isUsable = typeof value === "number" && Number.isFinite(value);
    return isUsable ? Math.max(FLOORS[name], Math.floor(value)) : DEFAULTS[name];
  };
  return {
    flushDelay: at("flushDelay"),
    stallAfter: at("stallAfter"),
    stallCheck: at("stallCheck"),
    lifetime: at("lifetime"),
  };
}
