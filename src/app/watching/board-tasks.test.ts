import { afterAll, beforeAll, expect, test } from "vitest";
import { type DemoStage, openDemoStage } from "../demo/demo-stage.js";
import { boardTasks } from "./board-tasks.js";
import { runVerb } from "./run-verb.js";

let stage: DemoStage;
beforeAll(async () => {
  stage = await openDemoStage();
});
afterAll(() => stage.close());

const place = { asked: undefined, environment: {}, folder: "/src/shop" };
const board = async (asked?: string) => {
  const { list, lists, tasks } = await boardTasks(stage.milepost.store, { ...place, asked });
  return { list, lists, tasks: tasks.map(({ task }) => `${task.number} ${task.status}`) };
};
const add = async (list: string) => {
  const added = await runVerb(stage.context(), "task add", { subject: ["a"], list });
  expect(added.ok).toBe(true);
};

test("the list of the folder; where that has no task, the first there is; else the one that is asked for", async () => {
  const { list: own, ...empty } = await board();
  expect(own).toMatch(/^shop/);
  expect(empty).toEqual({ lists: [own], tasks: [] });
  await add("release");
  await add("release");
  expect(await board()).toEqual({ list: "release", lists: ["release"], tasks: ["1 pending", "2 pending"] });
  expect(await board("another")).toEqual({ list: "another", lists: ["another", "release"], tasks: [] });
  await add(own);
  expect((await board()).list).toBe(own);
});

test("closed tasks stand behind the open ones", async () => {
  const done = await runVerb(stage.context(), "task cancel", { task: "1", list: "release", yes: false });
  expect(done.ok).toBe(true);
  expect((await board("release")).tasks).toEqual(["2 pending", "1 cancelled"]);
});
