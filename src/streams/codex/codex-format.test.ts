import { describe, expect, test } from "vitest";
import { EMPTY_LIST, type TodoList } from "../../core/todo/list.js";
import { codex } from "../../dialects/codex/codex.js";
import { speak } from "../../dialects/speak.js";
import type { HostNews, NewsPlace } from "../host-format.js";
import { CodexFormat } from "./codex-format.js";

const place: NewsPlace = { session: "T", turn: 2, at: 1_794_736_226_866, version: 7, folder: "/app", cursor: "42" };
const messages = (news: HostNews) => new CodexFormat().messages(news, place);

/** The list that Codex' own call makes. */
function listOf(input: object): TodoList {
  const spoken = speak(codex, EMPTY_LIST, { tool: "update_plan", input: { value: input } });
  expect(spoken.answer.isError).toBe(false);
  return spoken.list;
}

describe("our events as codex app-server sends them", () => {
  test("a list: as the real 0.166.0 told the same call, but for the ids", () => {
    const list = listOf({
      explanation: "Approved plan",
      plan: [
        { step: "Inspect helper", status: "in_progress" },
        { step: "Rename helper", status: "pending" },
        { step: "Run tests", status: "completed" },
      ],
    });
    expect(messages({ type: "list", list })).toEqual([
      {
        method: "turn/plan/updated",
        params: {
          threadId: "T",
          turnId: "T-turn-2",
          explanation: "Approved plan",
          plan: [
            { step: "Inspect helper", status: "inProgress" },
            { step: "Rename helper", status: "pending" },
            { step: "Run tests", status: "completed" },
          ],
        },
        emittedAtMs: 1_794_736_226_866,
      },
    ]);
  });

  test("without an explanation it is null, and a list without todos is an empty plan", () => {
    expect(messages({ type: "list", list: EMPTY_LIST })[0]?.params).toMatchObject({ explanation: null, plan: [] });
  });

  test("a proposed plan is an item of its turn: started, all of it in a delta, completed", () => {
    const text = "# Rename helper\n\n- Rename x to y\n";
    const at = place.at;
    const item = { type: "plan", id: "T-turn-2-plan", text: "", startedAtMs: at, completedAtMs: null };
    const where = { threadId: "T", turnId: "T-turn-2" };
    expect(messages({ type: "plan", id: "p", title: "Rename helper", status: "proposed", text })).toEqual([
      { method: "item/started", params: { item, ...where, startedAtMs: at }, emittedAtMs: at },
      { method: "item/plan/delta", params: { ...where, itemId: "T-turn-2-plan", delta: text }, emittedAtMs: at },
      {
        method: "item/completed",
        params: { item: { ...item, text, completedAtMs: at }, ...where, completedAtMs: at },
        emittedAtMs: at,
      },
    ]);
  });

  test.each([
    ["a plan whose text is gone", { type: "plan", id: "p", title: "x", status: "proposed", text: undefined }],
    ["a decision", { type: "plan", id: "p", title: "x", status: "approved", text: "x" }],
    ["a call", { type: "call", event: { type: "call.started", call: "c", tool: "Bash" } }],
    ["a turn", { type: "session", event: { type: "turn.started", isStop: false } }],
  ] as const)("%s is not told", (_name, news) => {
    expect(messages(news)).toEqual([]);
  });
});
