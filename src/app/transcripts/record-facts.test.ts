import { expect, test } from "vitest";
import type { Observation } from "../../core/session/observation.js";
import { append } from "../../store/event-store.js";
import { openStore } from "../../store/open.js";
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

async function withStore(use: (facts: FactRecorder, calls: () => Promise<number>) => Promise<void>): Promise<void> {
  const store = await openStore("memory:", { projections: PROJECTIONS });
  const event = sessionEvent({ type: "session.started", source: "startup", client: "claude-code" });
  await store.commit(append([{ stream: "session:wired", events: [event] }]));
  await use(new FactRecorder(store), async () => (await store.totals()).events - 1);
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
