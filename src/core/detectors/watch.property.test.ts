import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sized } from "../../../test/sizes.js";
import { CALL_KINDS, type RoundCall, TROUBLES } from "../call/call-facts.js";
import { DETECTORS } from "./detector-table.js";
import { isWatch, NO_WATCH, type Watch, watchStep, watchThoroughly } from "./session-watch.js";
import type { Step } from "./step.js";

const MINUTE = 60_000;
const T = 1_790_000_000_000;

// Few different words, so that things repeat; now and then one that is made to hurt.
const word = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom("a", "b", "c") },
  { weight: 1, arbitrary: fc.constantFrom("", "__proto__", "\u{1f600}".repeat(2500), `<b>${"\u0000".repeat(10_000)}`) },
  { weight: 1, arbitrary: fc.string() },
);
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const number = fc.oneof(fc.nat(20), fc.constantFrom(0, Number.MAX_SAFE_INTEGER));

const call: fc.Arbitrary<RoundCall> = fc
  .record({
    tool: word,
    status: fc.constantFrom("completed", "completed", "failed", "cancelled"),
    kind: maybe(fc.constantFrom(...CALL_KINDS)),
    signature: maybe(word),
    outcome: maybe(word),
    files: maybe(fc.array(word, { maxLength: 3 })),
    trouble: fc.option(fc.constantFrom(...TROUBLES), { nil: undefined, freq: 6 }),
    exit: maybe(fc.constantFrom(0, 1)),
    size: maybe(number),
    milliseconds: maybe(number),
    isPoll: fc.option(fc.constant(true), { nil: undefined, freq: 6 }),
    isUnchanged: fc.option(fc.constant(true), { nil: undefined, freq: 6 }),
    isList: fc.option(fc.constant(true), { nil: undefined, freq: 9 }),
  })
  .map(
    (fields) =>
      Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as unknown as RoundCall,
  );

// Usual calls, so that streaks grow.
const USUAL: readonly RoundCall[] = [
  { tool: "ls", status: "completed", kind: "execute", signature: "ls", outcome: "a", size: 1 },
  { tool: "x", status: "failed", kind: "execute", signature: "x", outcome: "e", size: 1 },
  { tool: "sql", status: "failed", signature: "sql", outcome: "none", trouble: "no-tool" },
  { tool: "wait", status: "completed", signature: "wait", outcome: "1%", isPoll: true },
];
const variants = fc.nat(9).map((at): RoundCall => {
  return { tool: "y", status: "failed", kind: "execute", signature: `y ${at}`, outcome: "e", size: 1 };
});
const edits = fc.nat(9).map((at): RoundCall => {
  return { tool: "Edit", status: "failed", kind: "edit", files: ["f"], signature: `Edit ${at}`, outcome: `${at}` };
});
const anyCall = fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...USUAL) }, variants, edits, call);
const round = fc.record({
  type: fc.constant("round"),
  calls: fc.oneof(
    { weight: 4, arbitrary: anyCall.map((one) => [one]) },
    { weight: 1, arbitrary: fc.array(anyCall, { maxLength: 3 }) },
  ),
  isBatch: fc.boolean(),
});
const others = [
  { type: fc.constant("list-written"), isForward: fc.boolean(), isSame: fc.boolean(), open: number, active: number },
  { type: fc.constant("list-changed"), open: number, active: number },
  { type: fc.constantFrom("prompt", "awaited", "answered", "compacted", "session-ended", "tick") },
  { type: fc.constant("woken"), by: word },
  { type: fc.constant("said"), words: word },
  {
    type: fc.constant("turn-ended"),
    words: maybe(word),
    background: maybe(number),
    wakesAt: maybe(number),
    isAsking: fc.boolean(),
  },
  { type: fc.constant("goal-fired"), goal: word },
  { type: fc.constantFrom("agent-started", "agent-heard", "agent-ended"), agent: word },
  { type: fc.constant("leased"), task: word, until: fc.nat(100).map((minutes) => T + minutes * MINUTE) },
  { type: fc.constant("lease-left"), task: word },
  { type: fc.constant("same-file"), file: word, session: word },
  { type: fc.constant("muted"), detector: fc.oneof(word, fc.constantFrom(...DETECTORS.map(({ name }) => name))) },
].map((shape) => fc.record(shape as Record<string, fc.Arbitrary<unknown>>));

const anyStep = fc.oneof({ weight: 12, arbitrary: round }, ...others.map((arbitrary) => ({ weight: 1, arbitrary })));
/** What chance brings about too rarely. */
const RARE: readonly (readonly object[])[] = [
  Array.from({ length: 6 }, (_, at) => {
    const churn = { tool: "y", status: "failed", kind: "execute", signature: `y ${at}`, outcome: "e", size: 1 };
    return { type: "round", isBatch: true, calls: [churn] };
  }),
  [
    { type: "list-written", isForward: false, isSame: false, open: 2, active: 1 },
    { type: "turn-ended" },
    { type: "tick" },
  ],
];
/** A step, or some in turn, a few times. */
const burst = fc.oneof(
  fc.constantFrom(...RARE),
  fc.array(anyStep, { minLength: 1, maxLength: 5 }),
  fc
    .tuple(fc.array(anyStep, { minLength: 1, maxLength: 2 }), fc.nat(6))
    .map(([turn, times]) => Array.from({ length: times }, () => turn).flat()),
);
const pause = fc.oneof({ weight: 9, arbitrary: fc.nat(5) }, { weight: 1, arbitrary: fc.nat(90) });

/** Steps in the order of their time, now and then with none. */
const steps: fc.Arbitrary<readonly Step[]> = fc
  .tuple(fc.array(burst, { maxLength: 8 }), fc.array(fc.tuple(pause, fc.nat(20)), { minLength: 1, maxLength: 9 }))
  .map(([bursts, pauses]) => {
    let at = T;
    return bursts.flat().map((step, place) => {
      const [minutes, luck] = pauses[place % pauses.length] ?? [0, 1];
      at += minutes * MINUTE;
      return { ...step, at: luck === 0 ? 0 : at } as unknown as Step;
    });
  });

const fold = (list: readonly Step[], from: Watch = NO_WATCH) => list.reduce(watchStep, from);
const copy = (watch: Watch): Watch => JSON.parse(JSON.stringify(watch));

describe("whatever happens", () => {
  test("a watch that was kept as JSON between any two steps finds the same", () => {
    fc.assert(
      fc.property(steps, (list) => {
        const kept = list.reduce((watch, step) => copy(watchStep(watch, step)), NO_WATCH);
        expect(kept).toEqual(copy(fold(list)));
        expect(isWatch(kept)).toBe(true);
      }),
    );
  });

  test("random steps are worth their name: every detector has found something", () => {
    const found = new Set<string>();
    for (const list of fc.sample(steps, { numRuns: 600, seed: 1 }))
      for (const { detector } of fold(list).alerts) found.add(detector);
    expect([...found].sort()).toEqual(DETECTORS.map(({ name }) => name).sort());
  });

  test("its size is bounded, also where names are long, strange or always others", () => {
    fc.assert(
      fc.property(fc.array(steps, { maxLength: 8 }), (lists) => {
        expect(JSON.stringify(fold(lists.flat())).length).toBeLessThan(12_000);
      }),
      { numRuns: sized(20, 200) },
    );
    let watch = NO_WATCH;
    const odd = (at: number) => `\u{1f600}${at}"\\`.repeat(1000);
    for (let at = 1; at < 300; at += 1) {
      const name = odd(at % 7 === 0 ? at : at % 40);
      const calls = Array.from({ length: 30 }, (_, one) => {
        return {
          tool: name,
          status: "failed",
          kind: "edit",
          files: [name],
          signature: `${at % 3} ${one}`,
          outcome: "x",
        } as const;
      });
      watch = watchStep(watch, { type: "round", at: T + at * MINUTE, calls, isBatch: at % 2 === 0 });
      watch = watchStep(watch, { type: "same-file", at: T + at * MINUTE, file: name, session: name });
      watch = watchStep(watch, { type: "agent-started", at: T + at * MINUTE, agent: name });
      watch = watchStep(watch, { type: "leased", at: T + at * MINUTE, task: name, until: T + at * MINUTE + 1 });
    }
    expect(watch.alerts).toHaveLength(20);
    expect(Buffer.byteLength(JSON.stringify(watch))).toBeLessThan(12_000);
  });

  test("a tick in between changes nothing but what it finds itself", () => {
    const isSilence = (name: string) => DETECTORS.some((one) => one.name === name && one.silence !== undefined);
    fc.assert(
      fc.property(steps, fc.nat(60), fc.nat(4 * MINUTE), (list, place, later) => {
        const before = list.slice(0, place);
        const at = Math.max(0, ...before.map((step) => step.at)) + later;
        const next = list[place]?.at ?? 0;
        // A tick that is told late is none in between.
        fc.pre(at > T && at <= next);
        const [{ alerts, abouts: _, ...plain }, ticked] = [
          fold(list),
          fold([...before, { type: "tick", at }, ...list.slice(place)]),
        ];
        const { alerts: tickedAlerts, abouts: __, ...rest } = ticked;
        expect(rest).toEqual(plain);
        const loud = (all: typeof alerts) => all.filter(({ detector }) => !isSilence(detector));
        if (tickedAlerts.length < 20) expect(loud(tickedAlerts)).toEqual(loud(alerts));
        const quiet = alerts.filter(({ detector }) => isSilence(detector));
        const isThere = ({ detector, at: reached, level }: (typeof alerts)[number]) =>
          tickedAlerts.some((one) => one.detector === detector && one.at === reached && one.level === level);
        if (tickedAlerts.length < 20) expect(quiet.filter((one) => !isThere(one))).toEqual([]);
      }),
    );
  });

  test("what is left out makes no difference", () => {
    fc.assert(
      fc.property(steps, (list) => {
        let [quick, thorough] = [NO_WATCH, NO_WATCH];
        for (const step of list) {
          quick = watchStep(quick, step);
          thorough = watchThoroughly(thorough, step);
          expect(quick).toEqual(thorough);
        }
      }),
    );
  });

  test("there are never more alerts than fit, and none has an id twice", () => {
    fc.assert(
      fc.property(steps, (list) => {
        let watch = NO_WATCH;
        for (const step of list) {
          const after = watchStep(watch, step);
          expect(after.alerts.length).toBeLessThanOrEqual(20);
          expect(new Set(after.alerts.map(({ id }) => id)).size).toBe(after.alerts.length);
          watch = after;
        }
      }),
    );
  });

  test.each([
    ["nothing", undefined],
    ["a watch of the first days", { alerts: [] }],
    ["more alerts than marks", { ...NO_WATCH, abouts: [1] }],
    ["a memory that is none", { ...NO_WATCH, memory: { ...NO_WATCH.memory, pairs: [[1, 2]] } }],
    ["a state that is none", { ...NO_WATCH, states: { polling: [[1]] } }],
  ])("no watch: %s", (_, value) => {
    expect(isWatch(value)).toBe(false);
  });
});
