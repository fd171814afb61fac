import { describe, expect, test } from "vitest";
import { append } from "../../store/event-store.js";
import { openStore } from "../../store/open.js";
import { callsStream } from "../calls/call-events.js";
import { sessionEvent } from "../session/session-view.js";
import { PROJECTIONS } from "../views.js";
import { type StoredSession, StoredSessions } from "./stored-session.js";

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

describe("what is asked again when something was written", () => {
  const started = sessionEvent({ type: "session.started", source: "startup", client: "codex" });
  const asked = sessionEvent({ type: "person.awaited", for: "question", text: "Which?", choices: ["a", "b"] });
  const open = async (step: number) => {
    let now = 1_700_000_000_000;
    const clock = () => {
      now += step;
      return now;
    };
    const store = await openStore("memory:", { projections: PROJECTIONS, clock });
    const write = (stream: string, ...events: Parameters<typeof append>[0][number]["events"][number][]) =>
      store.commit(append([{ stream, events }]));
    await write("session:s1", started);
    await write("session:s2", started);
    return { store, write, sessions: new StoredSessions(store, 10) };
  };
  const named = (all: readonly StoredSession[], id: string) => all.find((one) => one.id === id);

  test("the sessions that it was written to, also within one millisecond; the others are the same objects", async () => {
    const { store, write, sessions } = await open(0);
    const before = await sessions.all();
    await write("session:s1", asked);
    const after = await sessions.all();
    expect(named(after, "s1")?.session.why).toMatchObject({ reason: "question", choices: ["a", "b"] });
    expect(named(after, "s2")).toBe(named(before, "s2"));
    await write("session:s3", started);
    expect((await sessions.all()).map(({ id }) => id).sort()).toEqual(["s1", "s2", "s3"]);
    await store.close();
  });

  test("a call that runs is its session's, or its sub-agent's; refused writes are told", async () => {
    const { store, write, sessions } = await open(1);
    const call = (id: string, data: object) => ({ type: "call.started", data: { call: id, ...data } });
    await write(callsStream("s1"), call("c1", { tool: "mcp__git__push", subject: "origin" }));
    await write(callsStream("s1"), call("c2", { tool: "Bash", subject: "ls", agent: "a1" }));
    await write("session:s1", sessionEvent({ type: "list.refused", tool: "todo", text: "No such todo." }));
    const one = named(await sessions.all(), "s1");
    const view = one && (await sessions.view(one));
    expect(view?.open).toMatchObject([{ call: "c1", tool: "push", title: "origin" }]);
    expect(view?.refusal).toBe("No such todo.");
    await store.close();
  });
});
