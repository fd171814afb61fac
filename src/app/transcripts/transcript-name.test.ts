import { expect, test } from "vitest";
import { idInName, isCalled, isSubAgentName } from "./transcript-name.js";

const UUID = "0199ab12-5790-73b1-91f9-000000000001";
const OTHER = "0199ab12-5790-73b1-91f9-000000000002";

test.each<[string, string, boolean]>([
  [`/h/.claude/projects/-web/${UUID}.jsonl`, UUID, false],
  ["/h/.claude/projects/-web/agent-a1b2.jsonl", "a1b2", true],
  [`/h/.claude/projects/-web/${UUID}/subagents/agent-a1b2.jsonl`, "a1b2", true],
  [`/h/.codex/sessions/2026/01/02/rollout-2026-01-02T03-04-05-${UUID}.jsonl`, UUID, false],
  [`/h/.codex/sessions/2026/01/02/rollout-2026-01-02T03-04-05-${UUID}_${OTHER}.jsonl`, UUID, false],
  ["/h/.omp/agent/sessions/--app--/2026-01-02T03-04-05-000Z_o1.jsonl", "o1", false],
  ["/h/.omp/agent/sessions/--app--/2026-01-02T03-04-05-000Z_o1/0-Look.jsonl", "0-Look", true],
  ["/h/.gemini/tmp/app/chats/session-2026-01-02T03-04-0199ab12.jsonl", "0199ab12", false],
  [`/h/.gemini/tmp/app/chats/${UUID}/a1b2.jsonl`, "a1b2", true],
  ["/h/.hermes/sessions/session_x9.json", "x9", false],
  [`/h/.copilot/session-state/${UUID}/events.jsonl`, UUID, false],
])("%s is called after %s", (path, id, isSubAgent) => {
  expect([idInName(path), isSubAgentName(path)]).toEqual([id, isSubAgent]);
});

test("a file in the folder of a session is that session's, a part of a name is nobody's", () => {
  const below = `/h/.claude/projects/-web/${UUID}/subagents/agent-a1b2.jsonl`;
  const pi = "/h/.omp/agent/sessions/--app--/2026-01-02T03-04-05-000Z_o1/0-Look.jsonl";
  const begins = (typed: string) => (id: string) => id.startsWith(typed);
  expect([below, pi].map((path) => isCalled(path, begins("0199")))).toEqual([true, false]);
  expect([below, pi].map((path) => isCalled(path, begins("o1")))).toEqual([false, true]);
  expect(isCalled(below, begins("5790"))).toBe(false);
  expect(isCalled(below, begins("a1"))).toBe(true);
});
