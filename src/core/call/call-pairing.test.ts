import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CallPairing } from "./call-pairing.js";

function pairing(most?: number): CallPairing {
  let made = 0;
  return new CallPairing({ newId: () => `made-${++made}`, most });
}

/**
 * `+read` starts a call, `+read#7` one with an id, `-read` and `-#7` end one, `<made-1 read` puts one back, `!` ends
 * all. Told back: the id of each step, `none` for an end of nothing.
 */
function play(steps: string, calls: CallPairing = pairing()): string {
  return steps
    .split("; ")
    .map((step) => {
      const [, sign, tool = "", id] = /^([-+!<])([^#]*)(?:#(.+))?$/.exec(step) ?? [];
      if (sign === "+") return calls.start({ id, tool });
      if (sign === "-") return calls.end({ id, tool: tool === "" ? undefined : tool }) ?? "none";
      if (sign === "<") return calls.putBack({ id: id ?? "", tool });
      return calls
        .endAll()
        .map((call) => call.id)
        .join("+");
    })
    .filter((told) => told !== undefined)
    .join(" ");
}

describe("which call an end belongs to", () => {
  test.each([
    ["the oldest of its tool", "+read; +read; -read; -read", "made-1 made-2 made-1 made-2"],
    ["never one of another tool", "+read; +edit; -edit; -read", "made-1 made-2 made-2 made-1"],
    ["nothing where none is open", "-read; +read; -edit; -read; -read", "none made-1 none made-1 none"],
    ["the one with its id, in any order", "+read#a; +read#b; -read#b; -read#a", "a b b a"],
    ["an id needs no tool", "+read#a; -#a; -read", "a a none"],
    ["an id wins over the tool's name", "+read#a; +edit; -edit#a; -edit", "a made-1 a made-1"],
    ["an id that is not open ends nothing", "+read; +read#a; -read#b; -read#a; -read#a", "made-1 a none a none"],
    [
      "by id it leaves its tool's queue, too",
      "+read; +read; -#made-1; -read; -read",
      "made-1 made-2 made-1 made-2 none",
    ],
    ["without id: first one that began without", "+read#a; +read; -read; -read#a", "a made-1 made-1 a"],
    ["without id: else one that began with", "+read#a; +read#b; -read; -read; -read", "a b a b none"],
    ["a repeated start is the same call", "+read#a; +read#a; -read#a; -read#a", "a a a none"],
    ["an empty name is a name", "+; +; -read", "made-1 made-2 none"],
  ])("%s", (_, steps, told) => {
    expect(play(steps)).toBe(told);
  });

  test("put back, it is the next of its tool", () => {
    expect(play("+read; +read; -read; <read#made-1; -read; -read")).toBe("made-1 made-2 made-1 made-1 made-2");
    expect(play("+read#a; +read; -#a; <read#a; -read; -read")).toBe("a made-1 a a made-1");
    expect(play("+read; <read#made-1; -read; -read")).toBe("made-1 made-1 none");
  });

  test("all that is open ends with the turn, the oldest first", () => {
    expect(play("+read; +edit#a; +read; -edit; !; !; -read")).toBe("made-1 a made-2 a made-1+made-2  none");
  });

  test("open calls are told with their tools", () => {
    const calls = pairing();
    play("+read; +edit#a", calls);
    expect(calls.openCalls()).toEqual([
      { id: "made-1", tool: "read", isNamed: false },
      { id: "a", tool: "edit", isNamed: true },
    ]);
  });
});

describe("whatever an agent says", () => {
  test("an id that is made twice is still another call", () => {
    const calls = new CallPairing({ newId: () => "same" });
    expect(play("+read#same; +read; +read; -read; -read; -read", calls)).toBe("same same-2 same-3 same-2 same-3 same");
  });

  test("the oldest is forgotten when too many are open", () => {
    expect(play("+read; +read; +edit; -read; -read; -edit", pairing(2))).toBe(
      "made-1 made-2 made-3 made-2 none made-3",
    );
    const calls = pairing();
    for (let call = 0; call < 20_000; call += 1) calls.start({ tool: `tool ${call}` });
    expect(calls.openCalls()).toHaveLength(1000);
  });

  test("an id that is too long is none; a long name is cut", () => {
    const calls = pairing();
    const long = "x".repeat(100_000);
    expect(calls.start({ id: long, tool: long })).toBe("made-1");
    expect(JSON.stringify(calls.openCalls()).length).toBeLessThan(300);
    expect(calls.end({ id: long, tool: long })).toBe("made-1");
  });

  const tool = fc.constantFrom("read", "edit", "__proto__", "");
  const id = fc.option(fc.constantFrom("a", "b", "made-1", "constructor"), { nil: undefined });
  const step = fc.record({ does: fc.constantFrom("start", "start", "end", "end", "back", "all"), id, tool });

  test("an end is of an open call; by id, or the oldest of its tool", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 6 }), (steps, most) => {
        const calls = pairing(most);
        for (const { does, id, tool } of steps) {
          const before = calls.openCalls();
          if (does === "start") calls.start({ id, tool });
          else if (does === "back") calls.putBack({ id: id ?? "z", tool });
          else if (does === "all") expect(calls.endAll()).toEqual(before);
          else {
            const ofTool = before.filter((call) => call.tool === tool);
            const byName = ofTool.find(({ isNamed }) => !isNamed) ?? ofTool[0];
            const wanted = id === undefined ? byName : before.find((call) => call.id === id);
            expect(calls.end({ id, tool })).toBe(wanted?.id);
            expect(calls.openCalls()).toEqual(before.filter((call) => call !== wanted));
          }
          expect(calls.openCalls().length).toBeLessThanOrEqual(most);
          if (does === "all") expect(calls.openCalls()).toEqual([]);
        }
      }),
    );
  });
});
