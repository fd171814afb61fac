import { afterEach, expect, test } from "vitest";
import { type DemoStage, openDemoStage } from "../demo/demo-stage.js";
import { LiveBoard } from "./live-board.js";

// All sessions of a store in memory, looked at again and again.

let stage: DemoStage | undefined;
const leave = new AbortController();
afterEach(async () => {
  leave.abort();
  await stage?.close();
});

test("what is written is seen, told as an event, and counted; the signal ends it", async () => {
  stage = await openDemoStage();
  const { milepost } = stage;
  let looked = () => {};
  const live = new LiveBoard(await stage.board(), milepost.store, () => looked());
  const until = (isThere: () => boolean) =>
    new Promise<void>((resolve) => {
      looked = () => isThere() && resolve();
      looked();
    });
  const running = live.run(leave.signal);
  await until(() => !live.isReading);
  expect(live.reports).toEqual([]);
  const call = (input: object) => milepost.call({ tool: "todo", input, session: "s1" });
  await call({ add: ["Read the code", "Fix it"] });
  await until(() => live.totals.sessions === 1);
  expect(live.reports.map(({ id }) => id)).toEqual(["s1"]);
  await call({ done: 1 });
  await until(() => live.events.some(({ text }) => text.includes("Read the code")));
  expect(live.events[0]).toMatchObject({ session: "s1", id: String(live.events.length) });
  expect(live.before.get("s1")).not.toBe(live.reports[0]);
  expect(live.trouble).toBeUndefined();
  leave.abort();
  await running;
});
