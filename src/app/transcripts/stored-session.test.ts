import { expect, test } from "vitest";
import { append } from "../../store/event-store.js";
import { openStore } from "../../store/open.js";
import { callsStream } from "../calls.js";
import { PROJECTIONS } from "../lists.js";
import { sessionEvent } from "../sessions.js";
import { StoredSessions } from "./stored-session.js";

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
