import { expect, test } from "vitest";
import { append } from "../../store/event-store.js";
import { openStore } from "../../store/open.js";
import { callsStream } from "../calls/call-events.js";
import { sessionEvent } from "../session/session-view.js";
import { PROJECTIONS } from "../views.js";
import { StoredSessions } from "./stored-session.js";

const HOUR = 3_600_000;

test.each([
  ["a store whose clock agrees", 0],
  ["a server that is an hour ahead", HOUR],
  ["a server that is an hour behind", -HOUR],
])("%s: how long ago a session was heard of is told by one clock", async (_, apart) => {
  const store = await openStore("memory:", { projections: PROJECTIONS, clock: () => Date.now() + apart });
  const event = sessionEvent({ type: "session.started", source: "startup", client: "claude-code" });
  await store.commit(append([{ stream: "session:s1", events: [event] }]));
  const [session] = await new StoredSessions(store, 10).all();
  expect(Math.abs(Date.now() - (session?.at ?? 0))).toBeLessThan(HOUR / 2);
  await store.close();
});

/** Whoever imports a log can have written anything into it. */
test.each([{ toString: 0 }, [{ toString: 0 }], null, 7, "Bash"])(
  "a call of a tool that is called %j counts",
  async (tool) => {
    const store = await openStore("memory:", { projections: PROJECTIONS });
    await store.commit(
      append([
        {
          stream: "session:s1",
          events: [sessionEvent({ type: "session.started", source: "startup", client: "codex" })],
        },
        {
          stream: callsStream("s1"),
          events: [{ type: "call.ended", data: { call: "c1", tool, status: "completed" } }],
        },
      ]),
    );
    const sessions = new StoredSessions(store, 10);
    const [one] = await sessions.all();
    expect(one && (await sessions.view(one)).calls).toEqual({ total: 1, failed: 0 });
    await store.close();
  },
);
