import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { runShort, type ShortProgram } from "./short-program.js";

const run = (words: readonly string[], fields: Partial<ShortProgram> = {}) =>
  runShort({
    program: "/bin/sh",
    words: ["-c", ...words],
    environment: { PATH: "/usr/bin:/bin", A: "b" },
    folder: tmpdir(),
    limitMs: 5000,
    mostBytes: 100,
    ...fields,
  });

test.each([
  [
    "what it prints, and its exit code",
    ['echo "$A"; echo x >&2; exit 3'],
    {},
    { how: "ended", code: 3, said: "b\n", isCut: false },
  ],
  ["it has no input", ["cat; exit 4"], {}, { how: "ended", code: 4, said: "", isCut: false }],
  ["it hangs", ["sleep 20"], { limitMs: 100 }, { how: "late" }],
  ["it has left something behind that holds the pipe", ["sleep 20 & exit 0"], { limitMs: 100 }, { how: "late" }],
  [
    "the same, where nobody listens",
    ["sleep 20 & yes | head -c 99999"],
    { mostBytes: 0 },
    { how: "ended", code: 0, said: "", isCut: false },
  ],
  ["it prints without end", ["yes"], {}, { how: "ended", code: null, said: "y\n".repeat(50), isCut: true }],
  ["it is not there", [], { program: "/no/such/program" }, { how: "missing" }],
  ["its folder is not there", ["exit 0"], { folder: "/no/such/folder" }, { how: "missing" }],
] as const)("%s", async (_name, words, fields, then) => {
  expect(await run(words, fields)).toEqual(then);
});
