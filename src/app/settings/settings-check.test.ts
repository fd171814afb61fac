import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readSettings } from "../settings.js";
import { checkSettings } from "./settings-check.js";

const folder = mkdtempSync(join(tmpdir(), "milepost-settings-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, "config.json");

test.each<[string, string | undefined, Record<string, string>, readonly string[], readonly string[]]>([
  ["no file", undefined, {}, [], []],
  [
    "a setting of the file and one of the environment",
    '{"reminders":false}',
    { MILEPOST_REMIND_STALE: "9" },
    ["reminders", "reminders.stale"],
    [],
  ],
  ["an empty variable is none", "{}", { MILEPOST_REMIND_STALE: "" }, [], []],
  ["a byte order mark", '\ufeff{"reminders":"off"}', {}, ["reminders"], []],
  [
    "a comment",
    '{"reminders":"off"} // mine',
    {},
    [],
    [`bad-config ${file} is not a JSON object: all settings in it are ignored. Fix it, or delete it.`],
  ],
  ["a list", "[]", {}, [], [expect.stringMatching(/^bad-config /)]],
  [
    "a name that is none",
    '{"remindrs":1}',
    {},
    [],
    [`unknown-setting There is no setting remindrs: it is ignored in ${file}.`],
  ],
  [
    "a value that cannot be",
    '{"reminders.stale":"x"}',
    {},
    [],
    [
      'bad-setting reminders.stale cannot be "x": use a whole number from 1 to 10000. ' +
        "To reset it: milepost config reminders.stale default",
    ],
  ],
  [
    "a variable that cannot be",
    "{}",
    { MILEPOST_REMINDERS: "maybe" },
    [],
    ["bad-setting MILEPOST_REMINDERS cannot be maybe: use on or off. It is ignored."],
  ],
])("%s", (_name, text, variables, set, findings) => {
  rmSync(file, { force: true });
  if (text !== undefined) writeFileSync(file, text);
  const environment = { MILEPOST_HOME: folder, ...variables };
  const found = checkSettings(environment);
  expect(found).toMatchObject({ file, set });
  expect(found.findings.map(({ code, message }) => `${code} ${message}`)).toEqual(findings);
});

test("a byte order mark does not hide the settings behind it", () => {
  writeFileSync(file, '\ufeff{"reminders":"off"}');
  expect(readSettings({ MILEPOST_HOME: folder }).reminders.isOn).toBe(false);
});
