import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { StoreTrouble } from "../../store/trouble.js";
import { openMilepost } from "../milepost.js";
import { readSettings } from "../settings.js";
import { hookFactOf } from "./acp-hook-facts.js";
import { FactWriter } from "./fact-writer.js";

const home = mkdtempSync(join(tmpdir(), "milepost-fact-writer-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

async function opened(name: string) {
  const milepost = await openMilepost({ store: "memory:", environment: {} });
  const folder = join(home, name);
  const log: string[] = [];
  let isAway = false;
  const writer = new FactWriter({
    store: async () => {
      if (isAway) throw new StoreTrouble("store-busy", "It is away.");
      return milepost.store;
    },
    settings: () => readSettings({}),
    spool: { folder, store: name, isServer: false },
    log: (line) => log.push(line),
    sleep: async () => undefined,
  });
  let count = 0;
  const write = (isTurn: boolean) => {
    count += 1;
    const mark = `acp/test/${count}`;
    const source = { client: "x", process: "m:1", folder: "/app", mark };
    const told = isTurn
      ? ({ session: "s", type: "turn.started" } as const)
      : ({ session: "s", type: "turn.ended", lastWords: "" } as const);
    return writer.write({ fact: hookFactOf(told, source), at: Date.now() + count, folder: "/app", mark });
  };
  const types = async () => {
    const found: string[] = [];
    const pages = await milepost.store.read({ stream: "session:s" });
    if (pages.ok) for await (const { events } of pages.value) found.push(...events.map(({ type }) => type));
    return found;
  };
  const waiting = () => readdirSync(folder).filter((file) => file.endsWith(".fact") || /^\d/.test(file)).length;
  const away = (now: boolean) => {
    isAway = now;
  };
  return { writer, write, types, waiting, away, log, close: () => milepost.close() };
}

test("a fact that waits is not overtaken: those behind it wait, and come in their order", async () => {
  const { writer, write, types, waiting, away, log, close } = await opened("order");
  away(true);
  await write(true);
  away(false);
  // Too early to ask the store again.
  await write(false);
  await write(true);
  expect(await types()).toEqual([]);
  expect(waiting()).toBe(3);
  await writer.finish();
  expect(await types()).toEqual(["session.started", "turn.started", "turn.ended", "turn.started"]);
  expect(waiting()).toBe(0);
  expect(log).toEqual(["It is away. [store-busy]"]);
  await close();
});

test("a store that is there is written at once", async () => {
  const { write, types, close } = await opened("there");
  await write(true);
  expect(await types()).toEqual(["session.started", "turn.started"]);
  await close();
});
