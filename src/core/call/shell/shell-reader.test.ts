import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readShell } from "./shell-reader.js";

/** A line that goes on behind it, with nothing there: it says the same, and is read sign by sign. */
const signBySign = (line: string) => readShell(`${line} \\\n`);

describe("a line of plain words is read as any other", () => {
  const word = fc.oneof(
    fc.constantFrom("for", "if", "case", "while", "until", "done", "time", "A=1", "npm", "-x", "a/b.c", "=", "%1", "."),
    fc.stringMatching(/^[\w@%+=:,./-]{1,6}$/),
  );

  test("whatever the words", () => {
    const line = fc.tuple(fc.array(word, { maxLength: 6 }), fc.constantFrom(" ", "  "));
    fc.assert(
      fc.property(line, ([words, gap]) => {
        expect(readShell(words.join(gap))).toEqual(signBySign(words.join(gap)));
      }),
      { seed: 22, numRuns: 500 },
    );
  });

  test.each(["", " ", " ls", "ls ", "for x in a b", "if", "A=1 B=2 npm test"])("%j", (line) => {
    expect(readShell(line)).toEqual(signBySign(line));
  });
});
