import { expect, test } from "vitest";
import { readImportLine } from "./transfer-lines.js";

const cases: { name: string; line: unknown; then: unknown }[] = [
  { name: "a format", line: { milepost: "export", format: 99 }, then: { error: { message: /has the format 99,/ } } },
  {
    name: "a format that is no plain value",
    line: { milepost: "export", format: [{ toString: 0 }] },
    then: { error: { message: /has the format \?,/ } },
  },
  { name: "a count", line: { milepost: "end", events: 7 }, then: { value: { type: "end", events: 7 } } },
  {
    name: "a count that is no plain value",
    line: { milepost: "end", events: { toString: 0, valueOf: 0 } },
    then: { value: { type: "end", events: Number.NaN } },
  },
];

test.each(cases)("nothing is believed: $name", ({ line, then }) => {
  const read = readImportLine({ number: 1, text: JSON.stringify(line) });
  if (read.ok) expect(read).toMatchObject(then as object);
  else expect(read.error.message).toMatch((then as { error: { message: RegExp } }).error.message);
});
