import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { append } from "../../src/store/event-store.js";
import { Recall } from "../../src/store/log/recall.js";
import { MIGRATIONS } from "../../src/store/migrations.js";
import { openStore } from "../../src/store/open.js";
import { examineFile } from "../../src/store/sqlite/examine-file.js";
import { createStore } from "../../src/store/store.js";
import { examineStore } from "../../src/store/upkeep/examine.js";
import { COUNTERS } from "./counters.js";
import { placesFor } from "./places.js";
import { reading, readingsContract } from "./readings-contract.js";

for (const [name, place] of Object.entries(placesFor("readings"))) readingsContract(name, place);

const folder = mkdtempSync(join(tmpdir(), "milepost-readings-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// Only here, because a server is always opened for writing: a file that may only be read keeps its old tables.
test.each([
  ["an older version made", MIGRATIONS.slice(0, 1), 0],
  ["this version made", MIGRATIONS, 1],
])("a store that %s, and that may only be read, can be asked for readings", async (_, migrations, kept) => {
  const path = join(mkdtempSync(join(folder, "old-")), "milepost.db");
  const options = { projections: [COUNTERS], migrations };
  const writer = await openStore(path, options);
  await writer.commit(append([{ stream: "session:a", events: [{ type: "number.written", data: { number: 1 } }] }]));
  await writer.keepReadings([reading("/a")]);
  await writer.close();
  expect(await examineStore(path, { ...options, isOwnFolder: false, rebuild: false })).toMatchObject({ findings: [] });
  const { engine } = await examineFile(path);
  if (!engine) throw new Error("It could not be read");
  const { queries } = engine;
  const reader = createStore(engine, { queries, projections: [COUNTERS], schema: 2, recall: new Recall() });
  expect(await reader.readings("here")).toHaveLength(kept);
  for (const refused of [reader.keepReadings([reading("/b")]), reader.dropReadings("here", ["/a"]), reader.forget("a")])
    await expect(refused).rejects.toMatchObject({ code: "store-read-only" });
  await reader.close();
});
