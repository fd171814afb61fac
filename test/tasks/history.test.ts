import { expect, test } from "vitest";
import { type Asked, checkHistory, type Outcome, type Recorded } from "./history.js";

const TTL = 100;
let made = 0;

/** `owner` asks between two times; the clocks agree. */
function asked(owner: string, operation: Asked, [start, end]: readonly [number, number], outcome?: Outcome): Recorded {
  const times = { start, end, startWall: start, endWall: end };
  return { id: `${++made}`, task: 1, owner, ttl: TTL, ...operation, ...times, ...(outcome ? { outcome } : undefined) };
}

const ok = (fence: number, until = 0): Outcome => ({ type: "ok", fence, until });
const no = (code: string): Outcome => ({ type: "refused", code });
const claim: Asked = { type: "claim" };
const renew = (fence: number): Asked => ({ type: "renew", fence });
const release = (fence: number): Asked => ({ type: "release", fence });
const complete = (fence: number): Asked => ({ type: "complete", fence });

const first = asked("a", claim, [0, 10], ok(1, 105));

const POSSIBLE: Readonly<Record<string, readonly Recorded[]>> = {
  "nothing at all": [],
  "one claims and completes": [first, asked("a", complete(1), [20, 30], ok(1))],
  "the second is refused": [first, asked("b", claim, [20, 30], no("task-held"))],
  "two at once, told in either order": [asked("b", claim, [0, 9], no("task-held")), first],
  "claimed when the lease is over": [
    first,
    asked("b", claim, [100, 110], ok(2, 209)),
    asked("a", complete(1), [120, 130], no("stale-fence")),
  ],
  "released and claimed": [first, asked("a", release(1), [20, 30], ok(1)), asked("b", claim, [25, 40], ok(2, 130))],
  "a renewal holds longer": [
    first,
    asked("a", renew(1), [90, 95], ok(1, 192)),
    asked("b", claim, [150, 160], no("task-held")),
  ],
  "over, but nobody came: still the holder's": [first, asked("a", complete(1), [500, 510], ok(1))],
  "an unanswered claim may have happened": [asked("a", claim, [0, 10]), asked("b", claim, [20, 30], no("task-held"))],
  "an unanswered claim need not have happened": [asked("a", claim, [0, 10]), asked("b", claim, [20, 30], ok(1, 125))],
  "an unanswered completion may have happened late": [
    first,
    asked("a", complete(1), [20, 30]),
    asked("b", claim, [40, 50], no("task-held")),
    asked("b", claim, [60, 70], no("task-closed")),
  ],
  "an unanswered release lets another in": [
    first,
    asked("a", release(1), [20, 30]),
    asked("b", claim, [40, 50], ok(2, 145)),
  ],
};

test.each(Object.entries(POSSIBLE))("possible: %s", (_, history) => {
  expect(checkHistory(history)).toMatchObject({ isLinearizable: true });
});

const IMPOSSIBLE: Readonly<Record<string, readonly Recorded[]>> = {
  "two winners": [first, asked("b", claim, [5, 15], ok(1, 110))],
  "two winners, with different fences": [first, asked("b", claim, [20, 30], ok(2, 125))],
  "a write with a stale fence": [
    first,
    asked("b", claim, [110, 120], ok(2, 215)),
    asked("a", complete(1), [130, 140], ok(1)),
  ],
  "a renewal with a stale fence": [
    first,
    asked("b", claim, [110, 120], ok(2, 215)),
    asked("a", renew(1), [130, 140], ok(1, 240)),
  ],
  "a fence that goes back": [
    first,
    asked("a", release(1), [20, 30], ok(1)),
    asked("b", claim, [40, 50], ok(2, 145)),
    asked("b", release(2), [60, 70], ok(2)),
    asked("a", claim, [80, 90], ok(1, 185)),
  ],
  "a fence that is given twice": [
    first,
    asked("a", release(1), [20, 30], ok(1)),
    asked("b", claim, [40, 50], ok(1, 145)),
  ],
  "a fence that is left out": [asked("a", claim, [0, 10], ok(2, 105))],
  "a completed task is claimed": [
    first,
    asked("a", complete(1), [20, 30], ok(1)),
    asked("b", claim, [200, 210], ok(2, 305)),
  ],
  "refused as held when nobody holds it": [asked("a", claim, [0, 10], no("task-held"))],
  "refused as held when the lease was over": [first, asked("b", claim, [110, 120], no("task-held"))],
  "refused as closed before it was": [
    first,
    asked("b", claim, [20, 30], no("task-closed")),
    asked("a", complete(1), [40, 50], ok(1)),
  ],
  "the holder is refused": [first, asked("a", complete(1), [20, 30], no("stale-fence"))],
  "an answer from before the question": [
    asked("b", claim, [0, 10], no("task-held")),
    asked("a", claim, [20, 30], ok(1, 125)),
  ],
  "an unanswered claim cannot happen before it was asked": [
    asked("b", claim, [0, 10], no("task-held")),
    asked("a", claim, [20, 30]),
  ],
  "a lost claim takes a fence of its own": [
    first,
    asked("b", claim, [20, 30]),
    asked("a", complete(1), [200, 210], ok(1)),
    asked("c", claim, [220, 230], ok(3, 325)),
  ],
};

test.each(Object.entries(IMPOSSIBLE))("impossible: %s", (_, history) => {
  expect(checkHistory(history).isLinearizable).toBe(false);
});

test("who looks into it is told how far it went", () => {
  const late = asked("a", complete(1), [130, 140], ok(1));
  const { explained, stuckAt } = checkHistory([first, asked("b", claim, [110, 120], ok(2, 215)), late]);
  expect([explained, stuckAt]).toEqual([2, [late]]);
});

test("a long history of many at once is checked in a moment", () => {
  const history: Recorded[] = [];
  for (let round = 0; round < 300; round += 1) {
    const at = round * 1000;
    history.push(asked("a", claim, [at, at + 50], ok(round + 1, at + 120)));
    for (const owner of ["b", "c", "d", "e", "f", "g"])
      history.push(asked(owner, claim, [at + 1, at + 60], no("task-held")));
    if (round % 20 === 0) history.push(asked("h", renew(0), [at, at + 1]));
    history.push(asked("a", release(round + 1), [at + 70, at + 80], ok(round + 1)));
  }
  expect(checkHistory(history)).toMatchObject({ isLinearizable: true, explained: 2400 });
});
