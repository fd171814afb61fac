import { expect, test } from "vitest";
import { asksPerson, isStopWord } from "./stop-word.js";

test.each([
  "stop",
  "Stop!",
  "please stop",
  "ok stop here",
  "STOP NOW",
  "that's enough",
  "wait",
  "hold on",
  "no, cancel",
  "we are done",
  "let's call it a day",
  "pause for today",
])("%s: the person says stop", (prompt) => {
  expect(isStopWord(prompt)).toBe(true);
});

test.each([
  "",
  "fix the stop button",
  "go on",
  "Stop the server and restart it",
  "stop using tabs in the code",
  "wait for the tests, then fix whatever fails, and write down what you did in the log for the others",
  "Implement cancel in the dialog",
  "why did you stop?",
])("%s: is work", (prompt) => {
  expect(isStopWord(prompt)).toBe(false);
});

test.each<[string, boolean]>([
  ["All done.", false],
  ["Which one do you want?", true],
  ["Shall I go on? (yes/no)\nI would.", true],
  ["Is it right? I think so.\n\nSo I did it.\n\nFinished.", false],
  ["どちらにしますか？", true],
  ["**Ready?**", true],
])("%j asks the person: %s", (message, asks) => {
  expect(asksPerson(message)).toBe(asks);
});
