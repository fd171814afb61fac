import { expect, test } from "vitest";
import { asksPerson, isStopWord } from "./stop-word.js";

const STOPS = [
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
  "Thanks, stop here.",
  "I said stop",
  "Great. Stop.",
  "Don't continue.",
  "do not go on",
  "can you stop?",
  "ok. that's all, thanks",
  "that's it",
  "leave it",
  "leave it for now",
  "that’s enough",
  "Stop. Thanks!",
];

test.each(STOPS)("%s: the person says stop", (prompt) => {
  expect(isStopWord(prompt)).toBe(true);
});

const WORK = [
  "",
  "fix the stop button",
  "go on",
  "Stop the server and restart it",
  "stop using tabs in the code",
  "wait for the tests, then fix whatever fails, and write down what you did in the log for the others",
  "Implement cancel in the dialog",
  "why did you stop?",
  "Stop the flaky test from failing",
  "Wait for the server before the tests run",
  "Abort signal support for fetch, please",
  "Cancel subscriptions must return 200",
  "never mind the tests, do the docs",
  "Done. Now run the tests.",
  "Wait. Use the other API instead.",
  "Stop. Then fix the bug in foo.ts",
];

test.each(WORK)("%s: is work", (prompt) => {
  expect(isStopWord(prompt)).toBe(false);
});

test.each<[string, boolean]>([
  ["All done.", false],
  ["Which one do you want?", true],
  ["Shall I go on? (yes/no)\nI would.", true],
  ["Should I deploy now? Let me know.", true],
  ["I need your approval before I go on.", true],
  ["Please confirm that I may delete the table.", true],
  ["Is it right? I think so.\n\nSo I did it.\n\nFinished.", false],
  ["どちらにしますか？", true],
  ["**Ready?**", true],
])("%j asks the person: %s", (message, asks) => {
  expect(asksPerson(message)).toBe(asks);
});
