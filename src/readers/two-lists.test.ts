import { describe, expect, test } from "vitest";
import type { JsonObject } from "../core/json.js";
import type { Fact } from "../core/session/observation.js";
import { TwoLists } from "./two-lists.js";
import { writeList } from "./whole-list.js";

type Step = (lists: TwoLists) => readonly Fact[];

const write =
  (...texts: readonly string[]): Step =>
  (lists) =>
    lists.write((before) =>
      writeList(
        before,
        texts.map((text) => ({ text, status: "pending" as const })),
      ),
    );
const call =
  (input: JsonObject): Step =>
  (lists) =>
    lists.call(input);
const add = (...texts: readonly string[]) => call({ add: texts });
const clear: Step = (lists) => lists.clear();

function textsIn(facts: readonly Fact[]): readonly string[] | undefined {
  const last = facts.findLast((fact) => fact.type === "list.changed");
  return last?.list.phases.flatMap(({ todos }) => todos.map(({ text, status }) => `${text} ${status}`));
}

describe("which list a session has", () => {
  test.each<[string, readonly Step[], readonly string[] | undefined]>([
    ["the agent's own", [write("A", "B")], ["A pending", "B pending"]],
    ["ours", [add("P", "Q")], ["P in_progress", "Q pending"]],
    ["the agent's own, also when ours is written later", [write("A"), add("P"), call({ done: 1 })], undefined],
    ["the agent's own, also when ours was there before", [add("P", "Q"), write("A")], ["A pending"]],
    ["neither ticks the other's todos", [write("A"), call({ done: 1 }), write("A", "B")], ["A pending", "B pending"]],
    ["none, when the agent has emptied its own", [add("P"), write("A"), write()], []],
    ["reading changes nothing", [add("P"), call({})], undefined],
    ["none, when the conversation begins anew", [add("P"), write("A"), clear], []],
    ["after that the one that is written first", [write("A"), clear, add("Q")], ["Q in_progress"]],
    ["nothing changes where nothing was", [clear], undefined],
  ])("%s", (_name, steps, texts) => {
    const lists = new TwoLists();
    const told = steps.map((step) => step(lists));
    expect(textsIn(told.at(-1) ?? [])).toEqual(texts);
  });

  test("goes on from what was saved", () => {
    const first = new TwoLists();
    for (const step of [write("A"), add("P", "Q")]) step(first);
    const next = new TwoLists(JSON.parse(JSON.stringify(first.save())));
    expect(textsIn(write("A", "B")(next))).toEqual(["A pending", "B pending"]);
    expect(next.call({ done: 1 }).map(({ type }) => type)).toEqual(["list.written"]);
    expect(next.save().ours?.phases[0]?.todos.map(({ status }) => status)).toEqual(["completed", "in_progress"]);
  });
});
