import { describe, expect, test } from "vitest";
import { DETECTORS } from "../../src/core/detectors/detector-table.js";
import { NO_WATCH, watchStep, watchThoroughly } from "../../src/core/detectors/session-watch.js";
import type { Step } from "../../src/core/detectors/step.js";
import { SEED, sized } from "../sizes.js";
import { corpus } from "./corpus.js";
import { LOOPS } from "./loops.js";
import { stepsOf, type Trace } from "./trace.js";

const TRACES = corpus(SEED, sized(5, 100));
const FACTS = ["told", "worked out"] as const;

const fold = (steps: readonly Step[]) => steps.reduce(watchStep, NO_WATCH);

interface Verdict {
  readonly found: readonly string[];
  /** By the end of the fifth useless repeat. */
  readonly inTime: readonly string[];
}

function verdictOf({ items, deadline }: Trace, facts: (typeof FACTS)[number]): Verdict {
  const names = (steps: readonly Step[]) => fold(steps).alerts.map(({ detector }) => detector);
  return { found: names(stepsOf(items, facts)), inTime: names(stepsOf(items.slice(0, deadline), facts)) };
}

test("the corpus is worth its name: 200 traces at least, loops for every detector, and as much honest work", () => {
  expect(TRACES.length).toBeGreaterThanOrEqual(200);
  expect(Object.keys(LOOPS).sort()).toEqual(DETECTORS.map(({ name }) => name).sort());
  expect(TRACES.filter(({ detector }) => detector === undefined).length).toBeGreaterThanOrEqual(100);
});

test("what a step leaves out makes no difference in any of them", () => {
  for (const { items } of TRACES) {
    const steps = stepsOf(items, "told");
    expect(fold(steps)).toEqual(steps.reduce(watchThoroughly, NO_WATCH));
  }
});

describe.each(FACTS)("facts of calls as they are %s", (facts) => {
  const verdicts = TRACES.map((trace) => ({ trace, verdict: verdictOf(trace, facts) }));
  const loops = verdicts.filter(({ trace }) => trace.detector !== undefined);
  const honest = verdicts.filter(({ trace }) => trace.detector === undefined);
  const isFound = ({ trace, verdict }: (typeof verdicts)[number]) => verdict.inTime.includes(trace.detector ?? "");

  test("loops are found by the fifth useless repeat, by the detector that is for them", () => {
    const missed = loops.filter((one) => !isFound(one)).map(({ trace }) => trace.name);
    expect(1 - missed.length / loops.length, missed.join("\n")).toBeGreaterThanOrEqual(0.95);
  });

  test("honest work raises no alarm", () => {
    const alarms = honest.filter(({ verdict }) => verdict.found.length > 0);
    const names = alarms.map(({ trace, verdict }) => `${trace.name}: ${verdict.found.join(", ")}`);
    const right = loops.filter(isFound).length;
    expect(right / (right + alarms.length), names.join("\n")).toBeGreaterThanOrEqual(0.98);
  });
});
