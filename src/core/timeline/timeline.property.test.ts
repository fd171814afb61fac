import fc from "fast-check";
import { expect, test } from "vitest";
import { bothWays } from "../../../test/grounding/made-up-session.js";
import { joinTimelines } from "./join-timelines.js";
import type { Timeline } from "./timeline.js";
import { TimelineFold } from "./timeline-fold.js";

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(fc.integer({ min: 1, max: 4 }), fc.constantFrom(">", ".", "-", "x")).map((two) => two.join("")),
  },
  { weight: 6, arbitrary: fc.constantFrom("e", "c", "f", "g", "r", "u", "p", "n", "l", "L", "ae", "ag", "ar", "ac") },
  { weight: 1, arbitrary: fc.constant("clear") },
);

function recorded({ own, calls }: ReturnType<typeof bothWays>): Timeline {
  const fold = new TimelineFold();
  for (const event of own) fold.addSessionEvent(event);
  for (const event of calls) fold.addCallEvent(event, (agent) => agent ?? null);
  return fold.timeline();
}

function seen({ seen: facts }: ReturnType<typeof bothWays>): Timeline {
  const fold = new TimelineFold();
  for (const fact of facts) fold.observe(fact, fact.session === "s" ? null : fact.session.slice("s/".length));
  return fold.timeline();
}

test("the log and the transcript tell the same timeline, and joined it is that one", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const both = bothWays(steps);
      const [told, read] = [recorded(both), seen(both)];
      expect(read).toEqual(told);
      expect(joinTimelines(told, [read])).toEqual(told);
      for (const { spans } of told.todos)
        for (const [at, span] of spans.entries()) {
          expect(span.end ?? Number.POSITIVE_INFINITY).toBeGreaterThan(span.at);
          expect(span.at).toBeGreaterThanOrEqual(spans[at - 1]?.end ?? 0);
        }
    }),
    { numRuns: 150 },
  );
});
