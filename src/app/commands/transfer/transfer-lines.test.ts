import { expect, test } from "vitest";
import { printedEvent, readImportLine } from "./transfer-lines.js";

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

const EVENT = { stream: "session:s1", version: 1, type: "turn.began", at: 1_794_853_085_843, data: {} };

test.each([
  ["an ISO time, as an export has it", printedEvent(EVENT).at, EVENT.at],
  ["milliseconds, as in exports of the first format", EVENT.at, EVENT.at],
  ["the last moment there is", "+275760-09-13T00:00:00.000Z", 8.64e15],
  ["a day alone", "2026-11-16", undefined],
  ["a time of no zone", "2026-11-16T18:18:05.843", undefined],
  ["another zone", "2026-11-16T19:18:05.843+01:00", undefined],
  ["a day that is none", "2026-02-30T00:00:00.000Z", undefined],
  ["before 1970", "1969-12-31T23:59:59.999Z", undefined],
  ["words", "yesterday", undefined],
])("when it happened: %s", (_, at, then) => {
  const read = readImportLine({ number: 1, text: JSON.stringify({ ...EVENT, at }) });
  expect(read.ok && read.value).toEqual(then !== undefined && { type: "record", record: { ...EVENT, at: then } });
});

test.each(cases)("nothing is believed: $name", ({ line, then }) => {
  const read = readImportLine({ number: 1, text: JSON.stringify(line) });
  if (read.ok) expect(read).toMatchObject(then as object);
  else expect(read.error.message).toMatch((then as { error: { message: RegExp } }).error.message);
});
