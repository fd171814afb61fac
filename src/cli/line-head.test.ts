import { expect, test } from "vitest";
import { readHead } from "./line-head.js";

const isCommand = (word: string) => ["todo", "sessions", "mcp"].includes(word);

test.each([
  ["", "watch"],
  ["todo done 3", "todo done 3"],
  ["--json", "watch --json"],
  ["--store x.db", "watch --store x.db"],
  ["--store=x.db --json", "watch --store=x.db --json"],
  ["--json sessions", "sessions --json"],
  ["--store x.db todo done 3", "todo done 3 --store x.db"],
  ["--json --store x.db todo add -- --json", "todo add --json --store x.db -- --json"],
  ["--store", "watch --store"],
  ["--store todo", "watch --store todo"],
  ["--help todo done", "todo done --help"],
  ["--store x.db help todo", "help todo --store x.db"],
  ["--json -h sessions", "sessions --help"],
  ["--follow", "watch --follow"],
  ["--json --follow", "watch --json --follow"],
  ["nope --json", "nope --json"],
])("%j is %j", (typed, meant) => {
  expect(readHead(typed.split(" ").filter(Boolean), isCommand)).toEqual({ type: "line", words: meant.split(" ") });
});

test.each([
  ["--version", { type: "version" }],
  ["-v", { type: "version" }],
  ["--json -V", { type: "version" }],
  ["--help", { type: "help" }],
  ["--json --help", { type: "help" }],
  ["-h help", { type: "help" }],
  ["--session s todo done 3", { type: "early-flag", flag: "--session", words: "todo done 3 --session s".split(" ") }],
  [
    "--session s todo add -- -foo",
    { type: "early-flag", flag: "--session", words: "todo add --session s -- -foo".split(" ") },
  ],
  ["--json --all sessions", { type: "early-flag", flag: "--all", words: "sessions --json --all".split(" ") }],
])("%j", (typed, head) => {
  expect(readHead(typed.split(" "), isCommand)).toEqual(head);
});
