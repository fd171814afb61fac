import { describe, expect, test } from "vitest";
import { steadyText } from "./steady-text.js";

describe("what differs at each run is left out, wherever it stands", () => {
  test.each([
    ["a UUID", "0b8f0c1e-6b1f-4c55-9d0e-3f1a2b4c5d6e", "#"],
    ["a UUID in capitals", "0B8F0C1E-6B1F-4C55-9D0E-3F1A2B4C5D6E", "#"],
    ["a day", "2026-01-02", "#"],
    ["a day and a time", "2026-01-02T03:04:05.678Z", "#"],
    ["a day in words", "Mon, 12 Jan 2026 ", "#"],
    ["a commit", "3f1a2b4c", "#"],
    ["a long id", "0x3f1a2b4c5d6e7f80", "#"],
    ["milliseconds since 1970", "1794736223369", "#"],
    ["a duration", "12.5 ms", "#"],
    ["an attempt", "attempt 3", "attempt #"],
    ["a process in capitals", "PID: 12", "PID: #"],
    ["retries", "retries=3", "retries=#"],
    ["a duration without a gap", "12ms", "#"],
    ["microseconds", "5 µs", "#"],
    ["a time of day", "03:04:05", "#"],
    ["a temporary file", "/tmp/a1b2", "/tmp/#"],
    ["a job of a shell", "[1]+ 4711", "[#] #"],
    ["a figure that may be progress", "3 of 20 files", "3 of 20 files"],
    ["a word of hexadecimal letters", "defaced 1", "defaced 1"],
  ])("%s", (_, text, expected) => {
    for (let before = 0; before < 17; before += 1) {
      const lead = ".".repeat(before);
      expect(steadyText(`${lead} ${text}`)).toBe(`${lead} ${expected}`.trim());
    }
  });
});
