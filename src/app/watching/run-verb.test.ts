import { afterAll, beforeAll, expect, test } from "vitest";
import { type DemoStage, openDemoStage } from "../demo/demo-stage.js";
import { runVerb, saidOf } from "./run-verb.js";

// Commands by their names, on a store in memory.

let stage: DemoStage;
beforeAll(async () => {
  stage = await openDemoStage();
});
afterAll(() => stage.close());

const run = (name: string, input: Readonly<Record<string, unknown>>) => runVerb(stage.context(), name, input);

test("a command runs on input that is read already, and says what it did in one line", async () => {
  const added = await run("task add", { subject: ["Write", "the docs"], list: "l" });
  expect(added.ok && saidOf(added.value)).toMatch(/^#1 Write the docs/);
  const claimed = await run("task claim", { task: "1", list: "l", yes: false });
  expect(claimed.ok).toBe(true);
  const shown = await run("task show", { task: "1", list: "l" });
  expect(shown.ok && shown.value.text).toContain("Write the docs");
});

test("a refusal is a value with its code", async () => {
  expect(await run("task done", { task: "99", list: "l", yes: false })).toMatchObject({
    ok: false,
    error: { code: "no-task" },
  });
});

test.each(["no such", "task nothing", "nothing"])("there is no command %j", async (name) => {
  expect(await run(name, {})).toMatchObject({ ok: false, error: { code: "bad-usage" } });
});

test.each<[unknown, string, string]>([
  [{ said: "Told." }, "other", "Told."],
  [{}, "\n  First line\nsecond", "First line"],
  [undefined, "", "Done."],
])("what is said of %j", (value, text, said) => expect(saidOf({ value, text })).toBe(said));
