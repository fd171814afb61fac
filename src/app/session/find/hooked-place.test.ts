import { expect, test } from "vitest";
import type { SessionEvent } from "../../../core/session/events.js";
import { append } from "../../../store/event-store.js";
import { openStore } from "../../../store/open.js";
import { sessionStream } from "../../../store/stream.js";
import { PROJECTIONS } from "../../views.js";
import { sessionEvent } from "../session-view.js";
import { hookedPlace } from "./hooked-place.js";

const started = (client: string, process: string, via?: string): SessionEvent => ({
  type: "session.started",
  client,
  folder: "/work",
  process,
  source: "startup",
  ...(via && { via }),
});
const prompt: SessionEvent = { type: "turn.started", isStop: false };
const stop: SessionEvent = { type: "turn.ended" };
const over: SessionEvent = { type: "session.ended", reason: "exit" };

const HERE = "box:70+1234";

const cases: { name: string; given: Record<string, SessionEvent[]>; then: string | undefined }[] = [
  { name: "nobody told of a session", given: {}, then: undefined },
  { name: "the session of the same process", given: { a: [started("gemini", HERE)] }, then: "a" },
  { name: "a command names it with a mark", given: { a: [started("gemini", `${HERE}?`)] }, then: "a" },
  { name: "one of another process", given: { a: [started("gemini", "box:71+99")] }, then: undefined },
  {
    name: "the number was given again",
    given: { a: [started("gemini", "box:70+999")] },
    then: undefined,
  },
  { name: "one that has ended", given: { a: [started("gemini", HERE), over] }, then: undefined },
  {
    name: "of two, the one at work",
    given: { a: [started("gemini", HERE), prompt, stop], b: [started("gemini", HERE), prompt] },
    then: "b",
  },
  {
    name: "two at work: none",
    given: { a: [started("gemini", HERE), prompt], b: [started("gemini", HERE), prompt] },
    then: undefined,
  },
  { name: "what was told otherwise than by hooks", given: { a: [started("gemini", HERE, "acp")] }, then: undefined },
];

for (const { name, given, then } of cases)
  test(name, async () => {
    const store = await openStore("memory:", { projections: PROJECTIONS });
    for (const [id, events] of Object.entries(given))
      await store.commit(append([{ stream: sessionStream(id), events: events.map((event) => sessionEvent(event)) }]));
    expect(await hookedPlace(store, HERE)).toBe(then);
    await store.close();
  });
