import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sized } from "../../../../test/sizes.js";
import { type LoopCall, type LoopHost, type LoopRecord, recordAll, recordCall, recordOutcome } from "./loop-records.js";
import { loopRules } from "./loop-rules.js";
import { missingTool, stableText } from "./stable-text.js";
import { loopBefore, type ToolLoopQuestion, toolLoop } from "./tool-loop.js";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const times = (count: number, call: (at: number) => LoopCall) => Array.from({ length: count }, (_, at) => call(at));
const says = (text: string, details: object = {}) => ({ content: [{ type: "text", text }], details });
const read = (text: string): LoopCall => ({ tool: "read", args: { path: "a" }, result: says(text) });
const exec = (command: string, details: object): LoopCall => ({
  tool: "exec",
  args: { command },
  result: { content: [], details: { status: "failed", exitCode: 1, ...details } },
});
const veto = (call: LoopCall): LoopCall => ({
  ...call,
  result: says("no", { status: "blocked", deniedReason: "tool-loop" }),
});

const ask = (history: readonly LoopCall[], rest: Partial<ToolLoopQuestion> = {}) =>
  toolLoop({ history, probe: history.at(-1) ?? { tool: "read" }, config: { enabled: true }, ...rest }, sha256);
const brief = (verdict: ReturnType<typeof ask>) =>
  verdict.stuck ? `${verdict.detector} ${verdict.level} ${verdict.count}` : "fine";

interface Row {
  readonly name: string;
  readonly history: readonly LoopCall[];
  readonly rest?: Partial<ToolLoopQuestion>;
  readonly is: string;
}

const ROWS: readonly Row[] = [
  { name: "nine are not enough", history: times(9, () => read("x")), is: "fine" },
  { name: "ten are", history: times(10, () => read("x")), is: "generic_repeat warning 10" },
  { name: "off", history: times(30, () => read("x")), rest: { config: { enabled: false } }, is: "fine" },
  {
    name: "failures of any command count, if they are the same",
    history: times(20, (at) => exec(`try ${at}`, { aggregated: `boom at 10:00:${10 + at}, pid=${at}` })),
    rest: { probe: { tool: "exec", args: { command: "again" } } },
    is: "generic_repeat critical 20",
  },
  {
    name: "failures that say something else are none of them",
    history: times(20, (at) => exec(`try ${at}`, { aggregated: `boom in line ${at}` })),
    rest: { probe: { tool: "exec", args: { command: "again" } } },
    is: "fine",
  },
  {
    name: "who comes back to a command after others begins anew",
    history: [
      ...times(10, () => exec("a", { aggregated: "boom" })),
      ...times(15, () => exec("b", { aggregated: "boom" })),
    ],
    rest: { probe: { tool: "exec", args: { command: "a" } } },
    is: "generic_repeat warning 10",
  },
  {
    name: "a command that was cut off after its time is no failure of its own",
    history: times(20, (at) => exec(`try ${at}`, { aggregated: "boom", timedOut: true })),
    rest: { probe: { tool: "exec", args: { command: "again" } } },
    is: "fine",
  },
  {
    name: "writes that change nothing are the same, whatever they say, and churn",
    history: times(12, (at) => ({
      tool: "write",
      args: { text: at % 4 < 2 ? "a" : "b" },
      result: says(`${at}`, { changed: false }),
    })),
    rest: { probe: { tool: "write", args: { text: "a" } } },
    is: "argument_churn warning 12",
  },
  {
    name: "refusals go on with the loop",
    history: [...times(20, () => read("x")), ...times(2, () => veto(read("")))],
    is: "generic_repeat critical 22",
  },
  {
    name: "in the edition before, they were nothing",
    history: [...times(20, () => read("x")), ...times(2, () => veto(read("")))],
    rest: { edition: "2026.7.1" },
    is: "generic_repeat critical 20",
  },
  {
    name: "and in the one before that, an answer like others",
    history: [...times(20, () => read("x")), ...times(2, () => veto(read("")))],
    rest: { edition: "2026.5.28" },
    is: "generic_repeat warning 22",
  },
  {
    name: "the oldest edition only warns of repeats",
    history: times(25, () => read("x")),
    rest: { edition: "2026.3.28" },
    is: "generic_repeat warning 25",
  },
  {
    name: "older editions take thresholds",
    history: times(4, () => read("x")),
    rest: { edition: "2026.7.1", config: { enabled: true, warningThreshold: 2, criticalThreshold: 4 } },
    is: "generic_repeat critical 4",
  },
  {
    name: "a critical threshold below the warning is one above it",
    history: times(4, () => read("x")),
    rest: { edition: "2026.7.1", config: { enabled: true, warningThreshold: 4, criticalThreshold: 2 } },
    is: "generic_repeat warning 4",
  },
  {
    name: "the newest has its own",
    history: times(4, () => read("x")),
    rest: { config: { enabled: true, warningThreshold: 2, criticalThreshold: 4 } },
    is: "fine",
  },
  {
    name: "a number that is none is the default",
    history: times(9, () => read("x")),
    rest: { edition: "2026.7.1", config: { enabled: true, warningThreshold: -1 } },
    is: "fine",
  },
  {
    name: "a detector that is switched off, in an older edition",
    history: times(25, () => read("x")),
    rest: { edition: "2026.7.1", config: { enabled: true, detectors: { genericRepeat: false } } },
    is: "fine",
  },
  {
    name: "which the breaker for everything does not heed",
    history: times(30, () => read("x")),
    rest: { edition: "2026.7.1", config: { enabled: true, detectors: { genericRepeat: false } } },
    is: "global_circuit_breaker critical 30",
  },
];

describe("what the vectors do not show", () => {
  test.each(ROWS)("$name", ({ history, rest, is }) => {
    expect(brief(ask(history, rest))).toBe(is);
  });

  test("words of the edition before", () => {
    expect(
      ask(
        times(20, () => read("x")),
        { edition: "2026.7.1" },
      ),
    ).toMatchObject({
      message:
        "CRITICAL: Called read with identical arguments and identical outcomes 20 times. Session execution blocked to prevent runaway loops.",
    });
  });
});

describe("records", () => {
  const host: LoopHost = { rules: loopRules({ enabled: true }), sha256 };
  const call = (callId: string): LoopCall => ({ tool: "read", args: 1, callId });

  test("an outcome goes to the call with its id", () => {
    let records: readonly LoopRecord[] = [];
    for (const id of ["c1", "c2"]) records = recordCall(records, call(id), host);
    records = recordOutcome(records, { ...call("c1"), result: "x" }, host);
    expect(records.map(({ hash }) => hash !== undefined)).toEqual([true, false]);
  });

  test("without an id to the newest that is open; without one it is a call of its own", () => {
    let records = recordCall(recordCall([], call("c1"), host), call("c2"), host);
    for (let at = 0; at < 3; at += 1) records = recordOutcome(records, { tool: "read", args: 1, result: at }, host);
    expect(records.map(({ callId }) => callId)).toEqual(["c1", "c2", undefined]);
    expect(records.at(1)?.hash).toBe(sha256("0"));
  });
});

describe("texts", () => {
  const circle: { self?: unknown } = {};
  circle.self = circle;
  test.each([
    ["words", [null, undefined], "[null,undefined]"],
    ["keys", { b: 1, a: { d: 2, c: "x" } }, '{"a":{"c":"x","d":2},"b":1}'],
    ["numbers", [Number.NaN, Number.POSITIVE_INFINITY, 1n, -0], '["NaN","Infinity","1",0]'],
    ["a circle", circle, '{"self":"[Circular]"}'],
  ])("%s", (_, value, text) => {
    expect(stableText(value)).toBe(text);
  });

  test.each([
    ["Unknown tool: Frob", "frob"],
    ["unknown tool 'a.b-c'", "a.b-c"],
    ['Tool "x_1" not found', "x_1"],
    ["tool x is not available here", "x"],
    ["no such tool x", undefined],
    [{ message: "Unknown tool: x" }, "x"],
    [new Error("unknown tool: x"), "x"],
    ["", undefined],
  ])("%s names %s", (error, name) => {
    expect(missingTool(error)).toBe(name);
  });
});

const anyCall = fc.record(
  {
    tool: fc.constantFrom("exec", "process", "message", "write", "read", "command_status"),
    args: fc.oneof(fc.constantFrom({ action: "poll" }, { action: "send" }, 1), fc.jsonValue()),
    result: fc.oneof(fc.constantFrom(says("x"), says("x", { status: "failed", exitCode: 1 })), fc.jsonValue()),
    error: fc.oneof(fc.constantFrom("Unknown tool: x", "e"), fc.jsonValue()),
    runId: fc.constantFrom("r1", " "),
  },
  { requiredKeys: ["tool"] },
);

test("it never throws, and kept records say what the whole history says", () => {
  const host: LoopHost = { rules: loopRules({ enabled: true }), sha256 };
  const histories = fc.array(anyCall, { maxLength: 40 }).chain((calls) =>
    // Few different calls, many times: only then there is a loop.
    fc.array(fc.constantFrom(...calls.slice(0, 3), { tool: "read", args: 1, result: "x" } as LoopCall), {
      maxLength: 60,
      size: "max",
    }),
  );
  const seen = new Set<string>();
  fc.assert(
    fc.property(histories, anyCall, fc.jsonValue(), (history, other, config) => {
      let kept: readonly LoopRecord[] = [];
      for (const [at, call] of history.entries()) {
        const before = history.slice(0, at) as LoopCall[];
        const verdict = toolLoop({ history: before, probe: call as LoopCall, config: { enabled: true } }, sha256);
        expect(loopBefore(kept, call as LoopCall, host)).toEqual(verdict);
        seen.add(brief(verdict).split(" ")[0] ?? "");
        kept = [...kept, ...recordAll([call as LoopCall], host)].slice(-30);
      }
      toolLoop({ history: history as LoopCall[], probe: other as LoopCall, config: config as never }, sha256);
      expect(kept.length).toBeLessThanOrEqual(30);
    }),
    { numRuns: sized(20, 1000) },
  );
  expect(seen.size).toBeGreaterThan(1);
});

test("values of any depth, and what is no history", () => {
  const deep = JSON.parse(`${"[".repeat(5000)}${"]".repeat(5000)}`);
  expect(brief(ask(times(10, () => ({ tool: "read", args: deep, result: { details: deep } }))))).toBe(
    "generic_repeat warning 10",
  );
  expect(
    toolLoop({ history: [null, 7, {}], probe: { tool: "x" }, config: { enabled: true } } as never, sha256),
  ).toEqual({
    stuck: false,
  });
});
