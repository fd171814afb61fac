import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { createMilepost } from "../../src/app/milepost.js";
import { judgePlan, proposePlan } from "../../src/app/plans/plans.js";
import { LISTS, PROJECTIONS } from "../../src/app/views.js";
import { openStore } from "../../src/store/open.js";
import type { Store } from "../../src/store/store.js";
import { addTasks } from "../tasks/boards.js";
import { readAll } from "./contract.js";

/** Easy to find in the bytes of a file, and in no other event. */
export const LOST_WORD = "a word that only one event says";

/** Sessions with lists and calls, tasks with edges, answers, readings, long texts, a plan: everything a store can hold. */
export async function fillStore(path: string): Promise<void> {
  const store = await openStore(path, { projections: PROJECTIONS });
  const milepost = createMilepost(store);
  for (const session of ["one", "two", "three"]) {
    const call = (input: object, key?: string) =>
      milepost.call({ tool: "todo", input, session, ...(key === undefined ? undefined : { key }) });
    await call({ add: Array.from({ length: 12 }, (_, index) => `${session} todo ${index}`) });
    await call({ add: [`${LOST_WORD} ${session}`] }, `key-${session}`);
    for (let done = 1; done <= 6; done += 1) await call({ done });
    await call({ add: [`${session} ${"long ".repeat(300)}`] });
    const calls = Array.from({ length: 40 }, (_, index) => ({
      type: "call.ended",
      id: `${session}/call-${index}`,
      data: { tool: "Bash", status: "completed", output: "x".repeat(index === 20 ? 9000 : 200) },
    }));
    await store.observe(`calls:${session}`, calls);
  }
  const plan = await proposePlan(store, { session: "one", key: "k", text: `# Plan\n\n${"step ".repeat(100)}` });
  if (plan.ok) await judgePlan(store, { type: "approve", id: plan.value.id, by: "ann", via: "command" });
  await addTasks(store, 20, (number) => (number > 1 ? [number - 1] : []));
  await store.keepReadings([{ machine: "here", path: "/a.jsonl", session: "one", at: Date.now(), data: '{"seen":1}' }]);
  await milepost.close();
}

export interface Contents {
  readonly events: readonly { readonly stream: string; readonly version: number; readonly type: string }[];
  readonly lists: Readonly<Record<string, unknown>>;
}

/** All events in their order, and the lists of the sessions. */
export async function contentsOf(path: string): Promise<Contents> {
  const store = await openStore(path, { projections: PROJECTIONS });
  try {
    const events = (await readAll(store)).map(({ cursor: _, ...event }) => event);
    return { events, lists: await listsOf(store, events) };
  } finally {
    await store.close();
  }
}

async function listsOf(store: Store, events: Contents["events"]) {
  const lists: Record<string, unknown> = {};
  for (const stream of new Set(events.map((event) => event.stream)))
    if (LISTS.covers(stream)) lists[stream] = await store.view(LISTS, stream);
  return lists;
}

/** A copy to damage, with everything that lies beside it. */
export function copyStore(path: string, folder: string): string {
  const to = mkdtempSync(join(folder, "copy-"));
  for (const name of readdirSync(join(path, ".."))) copyFileSync(join(path, "..", name), join(to, name));
  return join(to, basename(path));
}

export function change(path: string, edit: (bytes: Buffer) => void): void {
  const bytes = readFileSync(path);
  edit(bytes);
  writeFileSync(path, bytes);
}

export function flip(bytes: Buffer, at: number): void {
  bytes[at] = (bytes[at] ?? 0) ^ 0x04;
}

/** Pages that were split leave old copies behind: only one of them is the real one. */
export function flipEach(bytes: Buffer, text: string): void {
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) flip(bytes, at);
}

export const PAGE = 4096;

/** Where the page begins that a byte is in. */
export function pageAt(at: number): number {
  return Math.floor(at / PAGE) * PAGE;
}

/** Every byte of the store: the file, its journal, what SQLite shares, and the head. */
export function allBytes(path: string): string {
  const files = [path, `${path}-wal`, `${path}-shm`, `${path}-journal`, path.replace(/\.db$/, ".head")];
  return files
    .map((file) => (existsSync(file) ? createHash("sha256").update(readFileSync(file)).digest("hex") : "none"))
    .join(" ");
}
