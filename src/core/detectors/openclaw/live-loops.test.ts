import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sized } from "../../../../test/sizes.js";
import type { RoundCall } from "../../call/call-facts.js";
import { type GuardedCall, guardCall, guardCompaction } from "./compaction-guard.js";
import { isOpenclawRecords, NO_OPENCLAW_RECORDS, openclawStep } from "./live-loops.js";

const call = (fields: Partial<RoundCall> = {}): RoundCall => ({
  tool: "Read",
  kind: "read",
  signature: "s",
  outcome: "o",
  status: "completed",
  ...fields,
});

/** At which call which alert came. */
function alertsOf(calls: readonly RoundCall[]) {
  let records = NO_OPENCLAW_RECORDS;
  return calls.flatMap((one, at) => {
    const step = openclawStep(records, one);
    records = JSON.parse(JSON.stringify(step.records));
    return step.alert ? [`${at + 1} ${step.alert.detector} ${step.alert.level} ${step.alert.count}`] : [];
  });
}

const times = (count: number, make: (at: number) => Partial<RoundCall>) =>
  Array.from({ length: count }, (_, at) => call(make(at)));

describe("a session that is watched", () => {
  const rows: readonly {
    readonly name: string;
    readonly calls: readonly RoundCall[];
    readonly are: readonly string[];
  }[] = [
    { name: "ten calls bring nothing", calls: times(10, () => ({})), are: [] },
    {
      name: "each ten calls are told of once",
      calls: times(35, () => ({})),
      are: [
        "11 openclaw/generic_repeat warn 10",
        "21 openclaw/generic_repeat block 20",
        "31 openclaw/global_circuit_breaker block 30",
      ],
    },
    {
      name: "new outcomes are only warned of",
      calls: times(25, (at) => ({ outcome: `${at}` })),
      are: ["11 openclaw/generic_repeat warn 10", "21 openclaw/generic_repeat warn 20"],
    },
    {
      name: "polling",
      calls: times(25, () => ({ isPoll: true })),
      are: ["11 openclaw/known_poll_no_progress warn 10", "21 openclaw/known_poll_no_progress block 20"],
    },
    {
      name: "taking turns",
      calls: times(22, (at) => ({ signature: `${at % 2}` })),
      are: ["10 openclaw/ping_pong warn 10", "20 openclaw/ping_pong block 20"],
    },
    {
      name: "a tool that is not there",
      calls: times(12, (at) => ({ signature: `${at}`, status: "failed", trouble: "no-tool" })),
      are: ["11 openclaw/unknown_tool_repeat block 10"],
    },
    {
      name: "commands that fail in one way",
      calls: times(21, (at) => ({ kind: "execute", signature: `${at}`, status: "failed", exit: 1, size: 4 })),
      are: ["21 openclaw/generic_repeat block 20"],
    },
    {
      name: "argument churn",
      calls: times(13, (at) => ({ signature: `${Math.floor(at / 2) % 2}`, status: "failed" })),
      are: ["11 openclaw/argument_churn warn 10"],
    },
    { name: "work", calls: times(60, (at) => ({ signature: `${at}`, outcome: `${at}` })), are: [] },
    { name: "nothing is known of the arguments", calls: times(60, () => ({ signature: "" })), are: [] },
  ];
  test.each(rows)("$name", ({ calls, are }) => {
    expect(alertsOf(calls)).toEqual(are);
  });

  test("a tool with an odd name is named safely", () => {
    const tool = `\u001b[31m${"x".repeat(80)}`;
    let records = NO_OPENCLAW_RECORDS;
    const said: string[] = [];
    for (const one of times(11, () => ({ tool }))) {
      const step = openclawStep(records, one);
      records = step.records;
      if (step.alert) said.push(step.alert.message);
    }
    expect(said).toHaveLength(1);
    expect(said[0]).toContain("xxx");
    expect(said[0]).not.toContain("\u001b");
  });
});

test("what is kept is small, whatever is called", () => {
  const any = fc.record({
    tool: fc.oneof(fc.string({ maxLength: 200 }), fc.constantFrom("t".repeat(40), "u".repeat(40))),
    signature: fc.oneof(fc.string({ maxLength: 200 }), fc.constant("s")),
    outcome: fc.oneof(fc.string({ maxLength: 200 }), fc.constant("o")),
    status: fc.constantFrom("completed" as const, "failed" as const, "cancelled" as const),
  });
  fc.assert(
    fc.property(fc.array(any, { minLength: 20, maxLength: 60 }), (calls) => {
      let records = NO_OPENCLAW_RECORDS;
      for (const one of calls) ({ records } = openclawStep(records, one));
      expect(JSON.stringify(records).length).toBeLessThan(3000);
      expect(isOpenclawRecords(JSON.parse(JSON.stringify(records)))).toBe(true);
    }),
    { numRuns: sized(30, 1000) },
  );
});

describe("after a compaction", () => {
  const same: GuardedCall = { tool: "read", signature: "s", outcome: "o" };
  const loopAt = (calls: readonly GuardedCall[], config: unknown = undefined, edition?: string) => {
    let guard = guardCompaction(config, edition);
    for (const [at, one] of calls.entries()) {
      if (!guard) return undefined;
      const step = guardCall(guard, one);
      if (step.loop) return `${at + 1} ${step.loop.code}`;
      guard = step.guard;
    }
    return undefined;
  };
  test.each([
    ["three of the same", [same, same, same], undefined, undefined, "3 compaction_loop_persisted"],
    ["two are not enough", [same, same], undefined, undefined, undefined],
    ["another outcome", [same, same, { ...same, outcome: "p" }], undefined, undefined, undefined],
    ["other arguments", [{ ...same, signature: "t" }, same, same, same], undefined, undefined, undefined],
    ["no outcome", [1, 2, 3].map(() => ({ tool: "read", signature: "s" })), undefined, undefined, undefined],
    ["enabled is no condition", [same, same, same], {}, undefined, "3 compaction_loop_persisted"],
    ["switched off", [same, same, same], { enabled: false }, undefined, undefined],
    [
      "a window of an older edition",
      [same, same],
      { postCompactionGuard: { windowSize: 2 } },
      "2026.7.1",
      "2 compaction_loop_persisted",
    ],
    ["which the newest does not take", [same, same], { postCompactionGuard: { windowSize: 2 } }, undefined, undefined],
  ])("%s", (_, calls, config, edition, is) => {
    expect(loopAt(calls, config, edition)).toBe(is);
  });
});
