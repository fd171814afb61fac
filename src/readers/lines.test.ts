import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LineSplitter } from "./lines.js";

interface Seen {
  readonly splitter: LineSplitter;
  /** `offset text`, and `offset !` for a line that was too long. */
  readonly lines: string[];
}

interface Start {
  readonly start?: number;
  readonly skippedTo?: number;
  readonly max?: number;
}

function split({ start = 0, skippedTo, max }: Start = {}): Seen {
  const lines: string[] = [];
  const events = {
    line: (bytes: Uint8Array, offset: number) => void lines.push(`${offset} ${Buffer.from(bytes).toString()}`),
    tooLong: (offset: number) => void lines.push(`${offset} !`),
  };
  return { splitter: new LineSplitter(events, start, skippedTo, max), lines };
}

/** Pushes the bytes in pieces of these sizes, the last one again and again, from one buffer that is used again. */
function push(splitter: LineSplitter, text: string | Uint8Array, sizes: readonly number[] = [1_000_000]): void {
  const bytes = Buffer.from(text);
  const buffer = Buffer.alloc(Math.max(...sizes));
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[Math.min(turn, sizes.length - 1)] ?? 1;
    const length = bytes.copy(buffer, 0, at, at + size);
    splitter.push(buffer.subarray(0, length));
    buffer.fill(0);
    at += length;
  }
}

describe("lines and the place of their first byte", () => {
  const cases: { name: string; text: string; lines: string[]; rest?: string }[] = [
    { name: "nothing", text: "", lines: [] },
    { name: "one", text: "a\n", lines: ["0 a"] },
    { name: "empty ones", text: "\n\na\n\n", lines: ["0 ", "1 ", "2 a", "4 "] },
    { name: "the last has no end yet", text: "a\nbc", lines: ["0 a"], rest: "bc" },
    { name: "a carriage return belongs to the line", text: "a\r\nb\r\n", lines: ["0 a\r", "3 b\r"] },
    { name: "a carriage return alone ends nothing", text: "a\rb\n", lines: ["0 a\rb"] },
    {
      name: "other ends of lines are text",
      text: "x\u2028y\u2029z\u0085\n2\n",
      lines: ["0 x\u2028y\u2029z\u0085", "12 2"],
    },
    { name: "offsets count bytes", text: "é\n😀\nz\n", lines: ["0 é", "3 😀", "8 z"] },
  ];

  for (const { name, text, lines: expected, rest = "" } of cases)
    for (const size of [1, 2, 3, 1000])
      test(`${name}, ${size} at a time`, () => {
        const { splitter, lines } = split();
        push(splitter, text, [size]);
        const length = Buffer.byteLength(text);
        expect(lines).toEqual(expected);
        expect(Buffer.from(splitter.rest).toString()).toBe(rest);
        expect([splitter.end, splitter.lineStart]).toEqual([length, length - Buffer.byteLength(rest)]);
      });

  test("a character of four bytes that comes in four pieces is one character", () => {
    const { splitter, lines } = split();
    push(splitter, "a😀b\n", [2, 1, 1, 1]);
    expect(lines).toEqual(["0 a😀b"]);
  });
});

describe("lines that are too long", () => {
  const LONG = "x".repeat(9);
  const cases: { name: string; text: string; lines: string[]; isTooLong?: boolean }[] = [
    { name: "as long as may be", text: "12345678\n", lines: ["0 12345678"] },
    { name: "one byte more", text: `${LONG}\na\n`, lines: ["0 !", "10 a"] },
    { name: "in the middle", text: `a\n${LONG}${LONG}\nb\n`, lines: ["0 a", "2 !", "21 b"] },
    { name: "twice", text: `${LONG}\n${LONG}\nb\n`, lines: ["0 !", "10 !", "20 b"] },
    { name: "no end yet", text: `a\n${LONG}${LONG}`, lines: ["0 a"], isTooLong: true },
  ];

  for (const { name, text, lines: expected, isTooLong = false } of cases)
    for (const size of [1, 3, 8, 9, 1000])
      test(`${name}, ${size} at a time`, () => {
        const { splitter, lines } = split({ max: 8 });
        push(splitter, text, [size]);
        expect(lines).toEqual(expected);
        expect(splitter.isTooLong).toBe(isTooLong);
        if (isTooLong) expect([splitter.rest.length, splitter.end]).toEqual([0, Buffer.byteLength(text)]);
      });
});

describe("going on later", () => {
  test("from the beginning of a line", () => {
    const { splitter, lines } = split({ start: 100 });
    push(splitter, "a\nbc\nd");
    expect([lines, splitter.lineStart, splitter.end]).toEqual([["100 a", "102 bc"], 105, 106]);
  });

  test("inside a line that is too long: it counts once, at its beginning", () => {
    const { splitter, lines } = split({ start: 10, skippedTo: 50, max: 8 });
    expect([splitter.end, splitter.lineStart, splitter.isTooLong]).toEqual([50, 10, true]);
    push(splitter, "xx\na\n", [1]);
    expect(lines).toEqual(["10 !", "53 a"]);
  });

  test("also when it ends at once", () => {
    const { splitter, lines } = split({ start: 10, skippedTo: 50, max: 8 });
    push(splitter, "\na\n");
    expect(lines).toEqual(["10 !", "51 a"]);
  });
});

describe("whatever the bytes and the pieces", () => {
  const bytes = fc.array(fc.constantFrom(10, 13, 0, 0x61, 0xf0, 0x9f, 0x98, 0x80, 0xff), { maxLength: 60 });
  const sizes = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 8 });
  const MAX = 6;

  /** The rule, in the plainest words. */
  function expected(all: readonly number[]): string[] {
    const lines: string[] = [];
    let start = 0;
    all.forEach((byte, at) => {
      if (byte !== 10) return;
      lines.push(at - start > MAX ? `${start} !` : `${start} ${Buffer.from(all.slice(start, at)).toString()}`);
      start = at + 1;
    });
    return lines;
  }

  test("the same lines come out", () => {
    fc.assert(
      fc.property(bytes, sizes, (all, pieces) => {
        const { splitter, lines } = split({ max: MAX });
        push(splitter, Buffer.from(all), pieces);
        expect(lines).toEqual(expected(all));
        expect(splitter.end).toBe(all.length);
      }),
    );
  });

  test("also when another goes on at any byte", () => {
    fc.assert(
      fc.property(bytes, sizes, fc.nat({ max: 60 }), (all, pieces, cut) => {
        const first = split({ max: MAX });
        push(first.splitter, Buffer.from(all.slice(0, cut)), pieces);
        const { lineStart, isTooLong, end } = first.splitter;
        const second = split({ start: lineStart, max: MAX, ...(isTooLong ? { skippedTo: end } : undefined) });
        push(second.splitter, Buffer.from(all.slice(second.splitter.end)), pieces);
        expect([...first.lines, ...second.lines]).toEqual(expected(all));
      }),
    );
  });
});
