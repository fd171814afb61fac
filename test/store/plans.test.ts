import { expect, test } from "vitest";
import { planStream } from "../../src/app/plans/plan-views.js";
import { proposePlan } from "../../src/app/plans/plans.js";
import { PROJECTIONS } from "../../src/app/views.js";
import { append, type NewEvent } from "../../src/store/event-store.js";
import { openStore } from "../../src/store/open.js";
import { readDamaged } from "../../src/store/salvage/read-damaged.js";
import { loadSqlite } from "../../src/store/sqlite/library.js";
import { placesFor } from "./places.js";
import { planContract } from "./plan-contract.js";

const places = placesFor("plans");
for (const [name, place] of Object.entries(places)) planContract(name, place);

test("what was being forgotten does not come back by a salvage, though its record is lost", async () => {
  const path = (await placesFor("plans-salvage").sqlite?.fresh()) ?? "";
  let begun = Number.NEGATIVE_INFINITY;
  const store = await openStore(path, {
    projections: PROJECTIONS,
    trace: (step) => {
      if (step.startsWith("BEGIN") && ++begun > 2) throw new Error("killed");
    },
  });
  const calls: NewEvent[] = Array.from({ length: 1100 }, () => ({ type: "a.b", data: {} }));
  await store.commit(append([{ stream: "calls:s1", events: calls }]));
  const ids: string[] = [];
  for (const session of ["s1", "s2"]) {
    const plan = await proposePlan(store, { session, key: "k", text: "# P" });
    if (plan.ok) ids.push(planStream(plan.value.id));
  }
  begun = 1;
  await expect(store.forget("s1")).rejects.toThrow("killed");
  begun = Number.NEGATIVE_INFINITY;
  await store.close();
  const database = (await loadSqlite())(path, {});
  database.exec("PRAGMA secure_delete = ON; DELETE FROM milepost_streams WHERE stream LIKE 'plan:%'; VACUUM");
  database.close();
  const salvage = await readDamaged(path, { projections: PROJECTIONS, progress: () => undefined });
  const streams = new Set([...salvage.records()].map((record) => record.stream));
  expect([...streams]).toEqual(ids.slice(1));
});
