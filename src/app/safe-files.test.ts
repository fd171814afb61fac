import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { openPlainFile } from "./safe-files.js";

const folder = mkdtempSync(join(tmpdir(), "milepost-safe-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a file that is left in the middle is closed once, and the next one that is opened stays open", async () => {
  const path = join(folder, "lines");
  writeFileSync(path, "x".repeat(1_000_000));
  const opened = openPlainFile(path);
  if (!opened.ok) throw new Error(opened.error.message);
  for await (const part of opened.value.read()) {
    expect(part.length).toBeGreaterThan(0);
    break;
  }
  opened.value.close();
  // It gets the number of the one that was closed.
  const next = openSync(path, "r");
  await sleep(20);
  expect(() => closeSync(next)).not.toThrow();
});
