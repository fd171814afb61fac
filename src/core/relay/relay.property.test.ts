import fc from "fast-check";
import { expect, test } from "vitest";
import { sized } from "../../../test/sizes.js";
import { advanceRelay, openRelay, tellRelay } from "./relay.js";
import type { Relay, RelayInput, RelayNotice } from "./relay-state.js";

const words = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.constantFrom("", " ", "\n\n", "x".repeat(230), "é😀".repeat(2500)),
);
const kind = fc.constantFrom("answer", "commentary", "item:1");
const input: fc.Arbitrary<RelayInput> = fc.oneof(
  fc.constantFrom<RelayInput>({ type: "start" }, { type: "submitted" }, { type: "sign" }, { type: "end" }),
  fc.record({ type: fc.constant("activity" as const), name: fc.option(words, { nil: undefined }) }),
  fc.record({ type: fc.constant("piece" as const), kind, text: words, isFinal: fc.boolean() }),
  fc.record({ type: fc.constant("snapshot" as const), kind, text: words }),
  fc.record({ type: fc.constant("draft" as const), text: words }),
  fc.record({ type: fc.constant("failure" as const), reason: fc.option(words, { nil: undefined }) }),
);
/** How long after the one before, in milliseconds. */
const told = fc.record({ after: fc.constantFrom(0, 100, 2600, 14_000, 61_000, 7 * 3_600_000), input });
const times = fc.record(
  {
    flushDelay: fc.constantFrom(0, 2500),
    stallAfter: fc.constantFrom(0, 60_000),
    stallCheck: fc.constantFrom(250, 15_000),
  },
  { requiredKeys: [] },
);

interface Played {
  readonly relay: Relay;
  readonly notices: readonly RelayNotice[];
}

/** `step`: it is also asked every so many milliseconds what has come due, as by a timer, and kept as JSON in between. */
function play(options: object, history: readonly { after: number; input: RelayInput }[], step?: number): Played {
  const opened = openRelay(options, 0);
  let { relay } = opened;
  const notices = [...opened.notices];
  const add = (more: Played) => {
    // It can be kept as JSON at any time.
    relay = step === undefined ? more.relay : (JSON.parse(JSON.stringify(more.relay)) as Relay);
    notices.push(...more.notices);
  };
  let now = 0;
  for (const { after, input: one } of history) {
    if (step !== undefined) for (let at = now + step; at < now + after; at += step) add(advanceRelay(relay, at));
    now += after;
    add(tellRelay(relay, one, now));
    expect(JSON.stringify(relay).length).toBeLessThan(40_000);
  }
  add(advanceRelay(relay, now + 7 * 3_600_000));
  return { relay, notices };
}

test("looked at often or seldom, a relay tells the same; in order, stalls once, and nothing after its end", () => {
  fc.assert(
    fc.property(
      times,
      fc.array(told, { maxLength: 12 }),
      fc.constantFrom(400, 9000, 60_000),
      (options, history, step) => {
        const seldom = play(options, history);
        // Many small steps over hours take long and show no more.
        const isShort = history.every(({ after }) => after < 100_000);
        if (isShort) expect(play(options, history, step).notices).toEqual(seldom.notices);
        const { notices, relay } = seldom;
        const at = notices.map((notice) => notice.at);
        expect([...at].sort((a, b) => a - b)).toEqual(at);
        expect(relay.isEnded).toBe(true);
        const last = notices.findIndex(({ kind: told }) => told === "done" || told === "error" || told === "timeout");
        expect(last).toBe(notices.length - 1);
        const stalls = notices.flatMap(({ kind: told }) => (told === "stall" || told === "resumed" ? [told] : []));
        stalls.forEach((told, place) => {
          expect(told).toBe(place % 2 === 0 ? "stall" : "resumed");
        });
        for (const notice of notices)
          if (notice.kind === "progress") {
            expect(notice.text.length).toBeLessThanOrEqual(220);
            expect(notice.text).not.toMatch(/^\s*$|\n/);
          }
      },
    ),
    { numRuns: sized(150, 10_000) },
  );
});
