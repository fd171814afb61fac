import type { Projection } from "../../src/store/projection.js";

/** A view small enough to see through: how many events a stream has, and the sum of their numbers. */
export interface Counter {
  readonly count: number;
  readonly sum: number;
}

/** Easy to find in the bytes of a file. */
export const MARK = "a text that nobody else has written";

export const COUNTERS: Projection<Counter> = {
  name: "counter",
  revision: 1,
  initial: { count: 0, sum: 0 },
  covers: (stream) => stream.startsWith("session:") || stream.startsWith("plan:"),
  fold: (state, events) =>
    events.reduce(({ count, sum }, { data }) => ({ count: count + 1, sum: sum + Number(data.number ?? 0) }), state),
  isState: (value) => typeof value === "object" && value !== null && "count" in value,
  isOpen: ({ sum }) => sum < 0,
};
