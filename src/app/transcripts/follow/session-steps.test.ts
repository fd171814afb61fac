import { expect, test } from "vitest";
import type { SessionEvent } from "../../../core/session/events.js";
import { append } from "../../../store/event-store.js";
import { openMilepost } from "../../milepost.js";
import { sessionEvent } from "../../session/session-view.js";
import { SWEEPER } from "../../todo/sweep-closed.js";
import { SessionSteps } from "./session-steps.js";

const started: SessionEvent = { type: "turn.started", isStop: false };
const asked: SessionEvent = { type: "person.awaited", for: "permission" };

test("each event is a step, a sub-agent's with the session above it as it was by then", async () => {
  const { store, close } = await openMilepost({ store: "memory:" });
  const write = (stream: string, ...events: readonly SessionEvent[]) =>
    store.commit(append([{ stream, events: events.map((event) => sessionEvent(event)) }]));
  // There before anybody follows.
  await write("session:s1", started, { type: "agent.started", agent: "a" });
  const after = await store.head();
  await write("session:s1/a", asked);
  await write("calls:s1");
  await write("session:s1", { type: "agent.ended", agent: "a" }, asked);
  await write("session:s1/a", { type: "person.answered" });
  const swept = { type: "list.cleared", data: { revision: 1 }, actor: SWEEPER };
  await store.commit(append([{ stream: "session:s1", events: [swept] }]));
  const steps = new SessionSteps(store);
  const told: unknown[] = [];
  const pages = await store.read({ after });
  for await (const { events } of pages.ok ? pages.value : [])
    for (const { id, version, before, after: now, root } of await steps.stepsIn(events))
      told.push([id, version, before.state, now.state, root?.agents]);
  expect(told).toEqual([
    ["s1/a", 1, "idle", "waiting", ["a"]],
    ["s1", 3, "running", "running", undefined],
    ["s1", 4, "running", "waiting", undefined],
    ["s1/a", 2, "waiting", "running", []],
    // A setting is nobody's work: whoever waits goes on waiting.
    ["s1", 5, "waiting", "waiting", undefined],
  ]);
  await close();
});
