import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SEED, sized } from "../../../test/sizes.js";
import type { HookFact } from "../hooks/hook-facts.js";
import { decodeSpooled, encodeSpooled, type Spooled } from "./spool-format.js";
import { factName, readFactName, textMark } from "./spool-place.js";

const session = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);
const text = fc.string({ unit: "grapheme", maxLength: 40 });
const facts: fc.Arbitrary<HookFact> = fc.oneof(
  fc.record({
    kind: fc.constant("start" as const),
    start: fc.record({ session, client: fc.constant("codex"), source: text, process: text }),
  }),
  fc.record({
    kind: fc.constant("list" as const),
    call: fc.record({ session, tool: text, input: fc.jsonValue() }),
  }),
  fc.record({
    kind: fc.constant("sighting" as const),
    sighting: fc.record({ session, events: fc.array(fc.record({ type: text, data: fc.dictionary(text, text) })) }),
  }),
);
const spooled: fc.Arbitrary<Spooled> = fc.record({
  store: text,
  at: fc.nat(),
  mark: text,
  first: fc.nat(9),
  facts: fc.array(facts, { maxLength: 3 }),
});

const options = { numRuns: sized(100, 3000), seed: SEED };

describe("a spooled report", () => {
  test("is read back as it was written", () => {
    fc.assert(
      fc.property(spooled, (report) => {
        const read = decodeSpooled(encodeSpooled(report));
        expect(read).toMatchObject({ at: report.at, first: report.first });
        if (typeof read === "object") expect(decodeSpooled(encodeSpooled(read))).toEqual(read);
      }),
      options,
    );
  });

  test("with any byte changed, or cut off anywhere, is not taken for one", () => {
    fc.assert(
      fc.property(spooled, fc.nat(), fc.integer({ min: 1, max: 255 }), (report, place, change) => {
        const bytes = Buffer.from(encodeSpooled(report));
        const at = place % bytes.length;
        expect(decodeSpooled(bytes.subarray(0, at).toString("utf8"))).toBeUndefined();
        bytes.writeUInt8(bytes.readUInt8(at) ^ change, at);
        const read = decodeSpooled(bytes.toString("utf8"));
        // The number of the format may have become that of a later one.
        expect(read === undefined || (read === "newer" && at === "milepost spool ".length)).toBe(true);
      }),
      options,
    );
  });

  test("any text is read without an error", () => {
    fc.assert(
      fc.property(fc.string(), (some) => {
        decodeSpooled(some);
        decodeSpooled(`milepost spool 1 0\n${some}\n`);
      }),
      options,
    );
  });

  test("holds nothing that is only for what is said, nor a prompt", () => {
    const sighting = {
      session: "s1",
      events: [],
      moment: "stop" as const,
      stop: { isAgain: false, isUnattended: false },
      digest: { cause: "c", process: "p" },
      prompt: "read the code",
      way: () => "direct" as const,
    };
    const told = encodeSpooled({ store: "s", at: 1, mark: "m", first: 0, facts: [{ kind: "sighting", sighting }] });
    const read = decodeSpooled(told);
    expect(read).toMatchObject({
      facts: [
        { kind: "sighting", sighting: { session: "s1", events: [], lateAt: 1 }, prompt: textMark("read the code") },
      ],
    });
    expect(told).not.toMatch(/read the code|digest|moment/);
  });
});

test("names sort by time, and say what they are asked for", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          time: fc.nat(2 ** 50),
          size: fc.nat(10 ** 8),
          tried: fc.constantFrom("not" as const, "briefly" as const, "long" as const),
        }),
      ),
      (all) => {
        const names = all.map(factName);
        expect(names.map(readFactName)).toEqual(all);
        const times = [...names].sort().map((name) => readFactName(name).time);
        expect(times).toEqual([...times].sort((one, other) => one - other));
      },
    ),
    options,
  );
});
