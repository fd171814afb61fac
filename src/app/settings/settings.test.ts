import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DEFAULT_SETTINGS, readSettings } from "../settings.js";
import { SETTINGS } from "./setting-entries.js";

const ODD: readonly unknown[] = [
  { toString: 0 },
  [{ toString: 0 }],
  { toString: 0, valueOf: 0 },
  ["on"],
  [7],
  {},
  null,
];

test.each(ODD)("a setting that is no plain value is passed over: %j", (value) => {
  const home = mkdtempSync(join(tmpdir(), "milepost-settings-"));
  const file = Object.fromEntries(SETTINGS.map(({ name }) => [name, value]));
  writeFileSync(join(home, "config.json"), JSON.stringify(file));
  expect(readSettings({ MILEPOST_HOME: home })).toEqual(DEFAULT_SETTINGS);
});
