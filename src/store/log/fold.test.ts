import { expect, test } from "vitest";
import type { RecordedEvent } from "../event-store.js";
import type { Projection } from "../projection.js";
import { foldEvents, SALVAGED } from "./fold.js";

/** What was written, as one text. */
const WORDS: Projection<string> = {
  name: "words",
  revision: 2,
  initial: "",
  covers: () => true,
  fold: (state, events) => state + events.map(({ data }) => data.word ?? "").join(""),
  isState: (value) => typeof value === "string",
  isOpen: () => false,
};

const event = (type: string, data: RecordedEvent["data"]): RecordedEvent => ({
  stream: "session:a",
  version: 1,
  type,
  at: 0,
  data,
});
const word = (text: string) => event("word.said", { word: text });
const restored = (state: unknown, revision = 2, name = "words") =>
  event(SALVAGED, { views: { [name]: { revision, version: 1, state } } });

test.each([
  ["nothing was salvaged", [word("b"), word("c")], "abc"],
  ["what is missing is told", [word("b"), event(SALVAGED, { missing: { from: 3, to: 4 } }), word("c")], "abc"],
  ["a view is restored, and goes on", [word("b"), restored("kept"), word("c")], "keptc"],
  ["the last one counts", [restored("first"), word("b"), restored("second"), word("c")], "secondc"],
  ["of an older fold", [restored("kept", 1), word("b")], "keptb"],
  ["of a newer fold, which this one cannot read", [restored("kept", 3), word("b")], "ab"],
  ["of another view", [restored("kept", 2, "other"), word("b")], "ab"],
  ["that is no state at all", [restored({ not: "a text" }), word("b")], "ab"],
  ["that says nothing", [event(SALVAGED, {}), event(SALVAGED, { views: 7 }), word("b")], "ab"],
])("%s", (_name, events, then) => {
  expect(foldEvents(WORDS, "a", events)).toBe(then);
});
