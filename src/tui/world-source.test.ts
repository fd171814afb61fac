import { afterEach, expect, test } from "vitest";
import { type DemoStage, openDemoStage } from "../app/demo/demo-stage.js";
import { openMarks } from "../app/watching/person-marks.js";
import { NOTHING_OPEN } from "./view-state.js";
import { WorldSource } from "./world-source.js";

let stage: DemoStage | undefined;
const leave = new AbortController();
afterEach(async () => {
  leave.abort();
  await stage?.close();
});

test("calls that were read of one session are never shown as those of another", async () => {
  stage = await openDemoStage();
  const { milepost } = stage;
  let changed = () => {};
  const source = new WorldSource({
    context: stage.context(),
    board: await stage.board(),
    milepost,
    marks: openMarks("", { isKept: false }),
    changed: () => changed(),
    looked: () => undefined,
  });
  const beside = { caption: undefined, hasNotices: false };
  const worldOf = (opened: string) => source.world(Date.now(), opened, beside);
  const until = (isThere: () => boolean) =>
    new Promise<void>((resolve) => {
      changed = () => isThere() && resolve();
      changed();
    });
  for (const session of ["s1", "s2"]) await milepost.call({ tool: "todo", input: { add: ["a"] }, session });
  const running = source.live.run(leave.signal);
  await until(() => source.live.reports.length === 2);
  source.refresh({ ...NOTHING_OPEN, opened: "s1" }, []);
  await until(() => worldOf("s1").timeline !== undefined);
  expect(worldOf("s2").timeline).toBeUndefined();
  leave.abort();
  await running;
});
