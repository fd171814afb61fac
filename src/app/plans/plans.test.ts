import { expect, test } from "vitest";
import { openMilepost } from "../milepost.js";
import { editPlan, judgePlan, proposePlan, sessionPlan } from "./plans.js";

test("an agent that proposes the same text again asks nobody twice, also after a person's edit", async () => {
  const { store, close } = await openMilepost({ store: "memory:" });
  const proposed = (key: string, text = "# Plan A") =>
    proposePlan(store, { session: "s1", client: "x", text, key, isCall: true });
  const first = await proposed("1");
  if (!first.ok) throw new Error(first.error.message);
  const { id } = first.value;
  await editPlan(store, { id, text: "# Plan A, better", by: "ann" });
  await judgePlan(store, { id, type: "approve", by: "ann", via: "command" });
  expect(await proposed("2")).toMatchObject({ ok: true, value: { id, status: "approved", text: "# Plan A, better" } });
  expect(await proposed("3", "# Plan A, better")).toMatchObject({ ok: true, value: { id } });
  const other = await proposed("4", "# Plan B");
  expect(other).toMatchObject({ ok: true, value: { status: "proposed", supersedes: id } });
  expect((await sessionPlan(store, "s1"))?.text).toBe("# Plan B");
  await close();
});
