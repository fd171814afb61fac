import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { describe, expect, test } from "vitest";
import type { Observation, SeenPlan } from "../../core/session/observation.js";
import { append, type EventStore } from "../../store/event-store.js";
import { openStore } from "../../store/open.js";
import { recordPlan } from "../plans/hook-plans.js";
import { planId } from "../plans/plan-id.js";
import { PLANS } from "../plans/plan-views.js";
import { judgePlan } from "../plans/plans.js";
import { sessionEvent } from "../session/session-view.js";
import { PROJECTIONS } from "../views.js";
import { FactRecorder } from "./record-facts.js";

const MINUTE = 60_000;
const started = (session: string, at: number): Observation => ({
  ...{ type: "call.started", session, at, call: "c1", tool: "Bash", isWork: true, isAsking: false },
});
const ended = (session: string, at: number): Observation => ({
  ...{ type: "call.ended", session, at, call: "c1", status: "completed" },
});

async function withStore(
  use: (facts: FactRecorder, calls: () => Promise<number>, store: EventStore) => Promise<void>,
  url = "memory:",
): Promise<void> {
  const store = await openStore(url, { projections: PROJECTIONS });
  const event = sessionEvent({ type: "session.started", source: "startup", client: "claude-code" });
  await store.commit(append([{ stream: "session:wired", events: [event] }]));
  await use(new FactRecorder(store), async () => (await store.totals()).events - 1, store);
  await store.close();
}

test("a file waits while a call of a wired session has not ended, and while its fact is young", () =>
  withStore(async (facts, calls) => {
    const now = Date.now();
    facts.add([started("wired", now)]);
    await facts.flush();
    expect(facts.isWaiting("wired")).toBe(true);
    facts.add([ended("wired", now)]);
    await facts.flush();
    expect([facts.isWaiting("wired"), facts.isWaiting("wired/agent"), await calls()]).toEqual([true, true, 0]);
    await facts.flush(now + MINUTE);
    expect([facts.isWaiting("wired"), await calls()]).toEqual([false, 1]);
  }));

test("sessions that are only looked at wait for nothing, and leave nothing", () =>
  withStore(async (facts, calls) => {
    const now = Date.now();
    facts.add([started("looked-at", now), ended("looked-at", now), started("looked-at", now)]);
    await facts.flush(now + MINUTE);
    expect([facts.isWaiting("looked-at"), await calls()]).toEqual([false, 0]);
  }));

test("a clock that is ahead keeps no fact waiting", () =>
  withStore(async (facts, calls) => {
    const now = Date.now();
    facts.add([started("wired", now + 60 * MINUTE), ended("wired", now + 60 * MINUTE)]);
    await facts.flush(now + MINUTE);
    expect(await calls()).toBe(1);
  }));

test("what is older than a day is history", () =>
  withStore(async (facts, calls) => {
    const then = Date.now() - 25 * 60 * MINUTE;
    facts.add([started("wired", then), ended("wired", then)]);
    await facts.flush();
    expect([facts.isWaiting("wired"), await calls()]).toEqual([false, 0]);
  }));

describe("plans", () => {
  const planned = (key: string, status: SeenPlan["status"], at: number, session = "wired"): Observation => ({
    ...{ type: "plan.changed", session, at, plan: { key, text: `# ${key}`, status } },
  });
  const shown = async (store: EventStore) => {
    const streams = await store.recent("plan", 10);
    const plans = await Promise.all(streams.map(({ stream }) => store.view(PLANS, stream)));
    return plans.map(({ text, status, client }) => `${text} ${status} ${client}`).sort();
  };

  test("of a session that reports to us are recorded once, after hooks had their chance", () =>
    withStore(async (facts, _, store) => {
      const now = Date.now();
      facts.add([planned("a", "proposed", now), planned("a", "rejected", now), planned("b", "proposed", now)]);
      facts.add([planned("c", "proposed", now, "looked-at"), planned("d", "proposed", now, "wired/agent")]);
      await facts.flush(now);
      expect([facts.isWaiting("wired"), facts.isWaiting("looked-at"), await shown(store)]).toEqual([true, false, []]);
      await facts.flush(now + MINUTE);
      // Of those before its own plan the session is told nothing: they could take its place.
      expect([facts.isWaiting("wired"), await shown(store)]).toEqual([false, ["# b proposed claude-code"]]);
      facts.add([planned("b", "approved", now), planned("b", "approved", now)]);
      await facts.flush(now + MINUTE);
      facts.add([planned("a", "rejected", now), planned("b", "approved", now)]);
      await facts.flush(now + MINUTE);
      expect(await shown(store)).toEqual(["# b approved claude-code"]);
    }));

  test("what a person decided later elsewhere holds", () =>
    withStore(async (facts, _, store) => {
      const now = Date.now();
      await recordPlan(store, { type: "propose", session: "wired", client: "claude-code", key: "a", text: "# a" });
      const id = planId("wired", "a");
      expect((await judgePlan(store, { id, type: "approve", by: "me", via: "command" })).ok).toBe(true);
      facts.add([planned("a", "rejected", now - MINUTE)]);
      await facts.flush(now + MINUTE);
      expect(await shown(store)).toEqual(["# a approved claude-code"]);
    }));

  test("one that was taken back, is still being written, or is old leaves nothing", () =>
    withStore(async (facts, _, store) => {
      const now = Date.now();
      facts.add([planned("a", "draft", now), planned("b", "proposed", now - 25 * 60 * MINUTE)]);
      facts.add([planned("c", "proposed", now), { type: "plan.changed", session: "wired", at: now, plan: null }]);
      await facts.flush(now + MINUTE);
      expect([facts.isWaiting("wired"), await shown(store)]).toEqual([false, []]);
    }));
});

/** A store that fails, and works again: another program has its hands in the file. */
test.each([
  {
    name: "a store that takes no events",
    broken: "CREATE TRIGGER full BEFORE INSERT ON milepost_events BEGIN SELECT RAISE(ABORT, 'full'); END",
    mended: "DROP TRIGGER full",
  },
  {
    name: "a store that does not tell who reports to us",
    broken: "ALTER TABLE milepost_streams RENAME TO away",
    mended: "ALTER TABLE away RENAME TO milepost_streams",
  },
])("$name: facts and their file wait, and are written when it works again", async ({ broken, mended }) => {
  const folder = mkdtempSync(join(tmpdir(), "milepost-facts-"));
  const path = join(folder, "milepost.db");
  await withStore(async (facts, calls) => {
    const other = new DatabaseSync(path);
    const now = Date.now();
    facts.add([started("wired", now), ended("wired", now)]);
    other.exec(broken);
    await expect(facts.flush(now + MINUTE)).rejects.toThrow();
    expect(facts.isWaiting("wired")).toBe(true);
    other.exec(mended);
    other.close();
    await facts.flush(now + MINUTE);
    expect([facts.isWaiting("wired"), await calls()]).toEqual([false, 1]);
  }, path);
  rmSync(folder, { recursive: true, force: true });
});
