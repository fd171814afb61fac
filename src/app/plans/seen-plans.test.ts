import { describe, expect, test } from "vitest";
import { seenPlans } from "./seen-plans.js";

const VIEW = { id: "s", agent: "claude-code", folder: "/home/dev/app", at: 90 } as const;

describe("plans of a transcript", () => {
  test("each has the times of its own lines, and not that of the last one", () => {
    const plans = [
      { key: "a", text: "# One", status: "rejected", reason: "Too short.", at: 10, decidedAt: 20 },
      { key: "b", text: "# Two", status: "approved", at: 30, decidedAt: 40 },
      { key: "c", text: "# Three", status: "proposed", at: 50 },
    ] as const;
    const seen = seenPlans({ ...VIEW, plans }, "dev@desk").map(({ plan }) => plan);
    expect(seen.map(({ proposedAt, decision }) => [proposedAt, decision?.at])).toEqual([
      [10, 20],
      [30, 40],
      [50, undefined],
    ]);
  });

  test("one whose lines have no time has that of the transcript", () => {
    const plans = [{ key: "a", text: "# One", status: "approved", at: 0 }] as const;
    const [seen] = seenPlans({ ...VIEW, plans }, "dev@desk");
    expect(seen?.plan).toMatchObject({ proposedAt: 90, decision: { at: 90 } });
  });
});
