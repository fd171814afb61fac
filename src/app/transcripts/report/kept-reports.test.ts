import { describe, expect, test } from "vitest";
import { reportWith } from "../../../../test/readers/session-reports.js";
import type { SessionReport } from "../session-report.js";
import { KeptReports } from "./kept-reports.js";

const NOW = 1_000_000;

/** How many reports were made for looks with these inputs at these times. */
async function made(looks: readonly (readonly [readonly unknown[], number])[], fields: Partial<SessionReport> = {}) {
  const kept = new KeptReports();
  let count = 0;
  const make = async () => {
    count += 1;
    return reportWith({}, fields);
  };
  for (const [inputs, now] of looks) await kept.reportOf("s1", { inputs, now }, make);
  return count;
}

describe("a report is made anew", () => {
  const part = {};
  const limited = { limited: { resetsAt: null } };
  const rows: readonly (readonly [string, Parameters<typeof made>[0], Partial<SessionReport>, number])[] = [
    [
      "not where nothing has changed",
      [
        [[part, 1], NOW],
        [[part, 1], NOW + 10],
      ],
      {},
      1,
    ],
    [
      "where a part is another object",
      [
        [[part], NOW],
        [[{}], NOW],
      ],
      {},
      2,
    ],
    [
      "where a value is another",
      [
        [[1], NOW],
        [[2], NOW],
      ],
      {},
      2,
    ],
    [
      "where something is added",
      [
        [[1], NOW],
        [[1, undefined], NOW],
      ],
      {},
      2,
    ],
    [
      "in time, because silence tells something",
      [
        [[1], NOW],
        [[1], NOW + 60_000],
      ],
      {},
      2,
    ],
    [
      "never for one that is over",
      [
        [[1], NOW],
        [[1], NOW + 60_000],
      ],
      { state: "ended" },
      1,
    ],
    [
      "never for one that waits",
      [
        [[1], NOW],
        [[1], NOW + 60_000],
      ],
      { state: "waiting" },
      1,
    ],
    [
      "each time while a limit may end",
      [
        [[1], NOW],
        [[1], NOW + 1],
      ],
      limited,
      2,
    ],
    [
      "when the clock was set back",
      [
        [[1], NOW],
        [[1], NOW - 1],
      ],
      {},
      2,
    ],
  ];
  test.each(rows)("%s", async (_, looks, fields, then) => expect(await made(looks, fields)).toBe(then));
});

test("the same report is the same object, and who is gone is forgotten", async () => {
  const kept = new KeptReports();
  const look = () => kept.reportOf("s1", { inputs: [], now: NOW }, async () => reportWith());
  const first = await look();
  expect(await look()).toBe(first);
  kept.keepOnly(new Set());
  expect(await look()).not.toBe(first);
});
