import { expect, test } from "vitest";
import type { SessionEvent } from "./events.js";
import { evolveSession, NEW_SESSION } from "./session.js";
import { arrivedWord, INTRODUCTION, WordHistory, wordLine } from "./told-words.js";

const told = (text: string): SessionEvent => ({ type: "word.told", text });
const delivered = (words: number): SessionEvent => ({ type: "word.delivered", words });
const queued = (word: number): SessionEvent => ({ type: "word.queued", word });
const arrived = (word: number, wasQueued: boolean): SessionEvent => ({ type: "word.arrived", word, wasQueued });
const abc = [told("a"), told("b"), told("c")];

// What the session still owes its model, and what `tell` says of each word, are two folds of the same events.
test.each<[string, readonly SessionEvent[], string, string, string]>([
  ["told", abc, "abc", "", "a stored, b stored, c stored"],
  ["said by a hook, the oldest first", [...abc, delivered(2)], "c", "", "a seen, b seen, c stored"],
  ["more than there are", [told("a"), delivered(5)], "", "", "a seen"],
  ["kept by the client", [...abc, queued(1)], "ac", "b", "a stored, b queued, c stored"],
  ["hooks say the others", [...abc, queued(1), delivered(2)], "", "b", "a seen, b queued, c seen"],
  ["kept, then handed over", [...abc, queued(2), queued(0), arrived(1, true)], "b", "c", "a seen, b stored, c queued"],
  ["handed over before anybody knew it was kept", [...abc, arrived(1, false)], "ac", "", "a stored, b seen, c stored"],
  ["a place that is not there", [told("a"), queued(7), arrived(3, true)], "a", "", "a stored"],
])("%s", (_, events, words, kept, records) => {
  const session = events.reduce(evolveSession, NEW_SESSION);
  expect([session.words, session.queued].map((list) => list.map(({ text }) => text).join(""))).toEqual([words, kept]);
  const history = new WordHistory();
  for (const { type, ...data } of events) history.add({ type, data, at: 1 });
  expect(history.records.map(({ text, delivery }) => `${text} ${delivery}`).join(", ")).toBe(records);
});

test("a history that begins in the middle goes on from what the session owes", () => {
  const session = [...abc, queued(0)].reduce(evolveSession, NEW_SESSION);
  const history = new WordHistory(session);
  history.add({ type: "word.arrived", data: { word: 0, wasQueued: true }, at: 5 });
  history.add({ type: "word.delivered", data: { words: 1 }, at: 6 });
  expect(history.records.map(({ text, delivery, seenAt }) => [text, delivery, seenAt])).toEqual([
    ["a", "seen", 5],
    ["b", "seen", 6],
    ["c", "stored", undefined],
  ]);
});

const long = "x".repeat(1990);
test.each<[string, string, string | undefined, (line: string) => string, boolean]>([
  ["as it was told", "Leave it", undefined, (line) => line, true],
  ["with its sender", "Leave it", "ann", (line) => line, true],
  ["introduced, as to Claude Code", "Leave it", "ann", (line) => `${INTRODUCTION}${line}`, true],
  ["with white space around", "Leave it", undefined, (line) => `\n ${line} \n`, true],
  ["lines and marks become one line", "Leave\n\u001b[31m<b>it", undefined, (line) => line, true],
  ["a long one", long, "ann", (line) => line, true],
  ["another prompt", "Leave it", undefined, () => "Leave it alone", false],
  ["nothing", "Leave it", undefined, () => "", false],
])("a prompt is known as the word: %s", (_, text, by, prompt, isKnown) => {
  const word = { text, by };
  const handed = prompt(wordLine(word));
  const stored = { words: [{ text: "other" }, word], queued: [] };
  const kept = { words: [word], queued: [{ text: "other" }, word] };
  expect(arrivedWord(stored, handed)).toEqual(isKnown ? [arrived(1, false)] : []);
  expect(arrivedWord(kept, handed)).toEqual(isKnown ? [arrived(1, true)] : []);
  expect(arrivedWord({ words: [], queued: [] }, handed)).toEqual([]);
});
