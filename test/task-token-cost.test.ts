import { expect, test } from "vitest";
import { eightWordSteps, tokens } from "../bench/token-cost.js";
import { milepostPlan } from "../src/dialects/milepost/plan/plan-tool.js";
import { milepostTask } from "../src/dialects/milepost/task/task-tool.js";
import { openTaskCalls } from "./task-calls.js";

/** Framing that a protocol puts around each call and each result, in tokens. */
const FRAMING = 10;

/** The whole life of a list of tasks: added in one call, then taken and finished one by one. */
async function lifeCost(subjects: readonly string[]): Promise<{ written: number; read: number; calls: number }> {
  const cost = { written: 0, read: 0, calls: 0 };
  const open = await openTaskCalls();
  const call = async (input: object) => {
    const { text, isError } = await open.call(input);
    if (isError) throw new Error(text);
    cost.written += FRAMING + tokens(`task${JSON.stringify(input)}`);
    cost.read += FRAMING + tokens(text);
    cost.calls += 1;
  };
  await call({ add: subjects, claim: -1 });
  for (let done = 1; done < subjects.length; done += 1) await call({ done, claim: -1 });
  await call({ done: subjects.length });
  expect((await open.tasks()).every(({ task }) => task.status === "completed")).toBe(true);
  await open.close();
  return cost;
}

test("the definition of the task tool stays small", () => {
  const offered = milepostTask.tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  expect(tokens(JSON.stringify(offered))).toBeLessThanOrEqual(220);
});

test("the definition of the plan tool stays smaller", () => {
  const { name, description, inputSchema } = milepostPlan;
  expect(tokens(JSON.stringify([{ name, description, inputSchema }]))).toBeLessThanOrEqual(120);
});

test("20 tasks of eight words stay within their token budget", async () => {
  const { written, read, calls } = await lifeCost(eightWordSteps(20));
  expect(calls).toBe(21);
  expect(written).toBeLessThanOrEqual(700);
  expect(read).toBeLessThanOrEqual(600);
});

test("cost grows with the number of tasks, not with its square", async () => {
  const small = await lifeCost(eightWordSteps(10));
  const large = await lifeCost(eightWordSteps(50));
  const growth = (of: "written" | "read") => Math.log(large[of] / small[of]) / Math.log(5);
  expect(growth("written")).toBeLessThanOrEqual(1.05);
  expect(growth("read")).toBeLessThanOrEqual(1.05);
});
