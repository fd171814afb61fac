import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { chained, says, user } from "../../../test/readers/claude-lines.js";
import { readTranscript } from "./read-file.js";

const folder = mkdtempSync(join(tmpdir(), "milepost-read-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([100_000, 262_144, 300_000, 1_000_000])(
  "lines of %d bytes span the pieces in which a file is read",
  async (size) => {
    const lines = chained(
      Array.from({ length: 6 }, (_, at) => (at % 2 === 0 ? user(`${at}${"x".repeat(size)}`) : says("Done."))),
    );
    const path = join(folder, `${size}.jsonl`);
    writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    const read = await readTranscript(path);
    if (!read.ok) throw new Error(read.error.message);
    const { problems, views, unfinished } = read.value.transcript;
    expect([problems.lines, unfinished, views.get("s1")?.turns, views.get("s1")?.phase]).toEqual([0, 0, 3, "resting"]);
  },
);

test("a list that is kept by SQL is read whatever the file is called", async () => {
  const path = join(folder, "moved away.txt");
  copyFileSync("test/fixtures/transcripts/copilot/1.0.102-todos-resume.events.jsonl", path);
  const read = await readTranscript(path);
  if (!read.ok) throw new Error(read.error.message);
  const [view] = read.value.transcript.views.values();
  const todos = view?.list?.phases.flatMap(({ todos }) => todos);
  expect(todos?.map(({ text }) => text)).toEqual(["Read the code", "Fix it"]);
});
