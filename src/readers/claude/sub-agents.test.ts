import { describe, expect, test } from "vitest";
import { answers, as, calls, listOf, readAll, says, side, user, wrote } from "../../../test/readers/claude-lines.js";

describe("sub-agents", () => {
  const agent = [user("Look."), ...wrote("z!"), says("Found.")];
  const start = calls("toolu_1", "Task", { prompt: "Look." });

  test("1.0: lines of the session's own file, known by the prompt of the call", () => {
    const views = readAll([
      user("go"),
      start,
      ...agent.map((one) => side(one)),
      answers("toolu_1", "Found."),
      ...wrote("a!"),
      says("Done."),
    ]);
    expect([...views.keys()]).toEqual(["s1", "s1/toolu_1"]);
    expect(views.get("s1/toolu_1")).toMatchObject({ parent: "s1", turns: 1, phase: "resting", title: "Look." });
    expect([...views.values()].map(listOf)).toEqual(["a!", "z!"]);
  });

  test("1.0: two at once, by turns, are two", () => {
    const two = calls("toolu_2", "Task", { prompt: "Read." });
    const lanes = [
      agent.map((one) => side(one, { lane: 1 })),
      [user("Read."), says("Read.")].map((one) => side(one, { lane: 2 })),
    ];
    const mixed = [0, 1, 2, 3].flatMap((at) => lanes.flatMap((lane) => lane[at] ?? []));
    const views = readAll([user("go"), start, two, ...mixed]);
    expect([...views].map(([id, view]) => `${id} ${view.turns} ${listOf(view)}`)).toEqual([
      "s1 1 ",
      "s1/toolu_1 1 z!",
      "s1/toolu_2 1 ",
    ]);
  });

  test("1.0: one that nobody asked for has the name of its first line", () => {
    const views = readAll([user("go"), ...agent.map((one, at) => side(at === 0 ? as("first", one) : one))]);
    expect([...views.keys()]).toEqual(["s1", "s1/first"]);
  });

  test.each(["agent-a1b2.jsonl", "agent-aside_question-1.jsonl"])("2.0 and 2.1: a file of its own, %s", (file) => {
    const views = readAll(
      agent.map((one) => side(one, { agentId: "a1b2" })),
      file,
    );
    expect([...views.keys()]).toEqual(["s1/a1b2"]);
    expect(views.get("s1/a1b2")).toMatchObject({ parent: "s1", turns: 1, phase: "resting" });
  });

  test("a session that talks of an agent is no agent", () => {
    expect([...readAll([{ ...user("go"), agentId: "a1b2" }]).keys()]).toEqual(["s1"]);
  });

  test("ids that are none never name a session", () => {
    const views = readAll([
      user("go"),
      side(user("x"), { agentId: "../../etc" }),
      side(user("x"), { agentId: 7, uuid: "a b" }),
    ]);
    expect([...views.keys()].every((id) => /^s1(\/[\w-]+)?$/.test(id))).toBe(true);
  });
});
