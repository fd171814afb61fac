import { describe, expect, test } from "vitest";
import { reportWith } from "../../../../test/readers/session-reports.js";
import type { Output } from "../../command-definition.js";
import type { SessionReport } from "../../transcripts/session-report.js";
import { showSessions } from "./session-detail.js";

const NOW = 100_000;
const output = { columns: 120, rows: 40, isTerminal: false, hasColor: false } as unknown as Output;
const rowsOf = (fields: Partial<SessionReport>) =>
  showSessions([reportWith({}, fields)], output, NOW)
    .split("\n")
    .map((row) => row.trim());

describe("what the page of a session says", () => {
  const call = { tool: "Bash", subject: "npm test", since: new Date(NOW - 41_000).toISOString(), progress: null };
  const asked = { kind: "question", text: "Which?", choices: ["Keep it", "Drop\u001b[2J it"] } as const;
  const pullRequest = { number: 12, url: "https://github.com/acme/shop/pull/12", repository: "acme/shop" };
  const rows: readonly (readonly [string, Partial<SessionReport>, string])[] = [
    ["the call that runs", { call }, "runs: Bash npm test, 41s"],
    ["how far it is", { call: { ...call, subject: null, since: null, progress: 0.4 } }, "runs: Bash, 40%"],
    ["a call that is to be allowed", { call, state: "waiting" }, "waits: Bash npm test, 41s"],
    ["a choice", { waitingFor: asked }, "1 Keep it"],
    [
      "the context",
      { context: { used: 117_600, window: 200_000 } },
      "0 turns · 0 calls, 0 failed · 118k of 200k tokens in context",
    ],
    [
      "a window that nobody tells",
      { context: { used: 950, window: null } },
      "0 turns · 0 calls, 0 failed · 950 tokens in context",
    ],
    ["the pull request", { pullRequest }, "pull request #12: https://github.com/acme/shop/pull/12"],
    ["a refusal", { refusal: "No todo 9." }, "! the last write to the list was refused: No todo 9."],
    ["a refusal without words", { refusal: "" }, "! the last write to the list was refused"],
  ];
  test.each(rows)("%s", (_, fields, row) => expect(rowsOf(fields)).toContain(row));

  test("text of others moves no cursor", () => {
    const hostile = "a\u001b]0;x\u0007\u001b[2J\nb";
    const fields = { call: { ...call, tool: hostile, subject: hostile }, refusal: hostile, waitingFor: asked };
    expect(rowsOf(fields).join("")).not.toMatch(/\p{Cc}/u);
  });

  test("nothing of it where nothing is known", () => {
    expect(rowsOf({}).join("\n")).not.toMatch(/runs:|context|pull request|refused/);
  });
});
