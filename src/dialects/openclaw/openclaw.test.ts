import { describe, expect, test } from "vitest";
import { EMPTY_LIST, type TodoList } from "../../core/todo/list.js";
import { offeredTools } from "../dialect.js";
import { milepost } from "../milepost/todo-tool.js";
import { speak } from "../speak.js";
import { openclaw } from "./openclaw.js";

const ask =
  (tool: string) =>
  (value: unknown, list: TodoList = EMPTY_LIST) =>
    speak(openclaw, list, { tool, input: { value } });
const card = ask("progress_card");
const update = ask("update_plan");
const step = (text: string, status = "pending") => ({ step: text, status });
const many = (count: number) => Array.from({ length: count }, (_, index) => step(`s${index}`));
const before = card({ markdown: "kept", plan: [step("kept")] }).list;

test("the older tool is answered, no longer offered; sub-agents have neither", () => {
  expect(openclaw.tools.map(({ name }) => name)).toEqual(["progress_card", "update_plan"]);
  expect(offeredTools(openclaw).map(({ name }) => name)).toEqual(["progress_card"]);
  expect(openclaw.policy.scope).toBe("main");
});

const WRONG_STATUS = "plan[0].status must be one of pending, in_progress, completed";
const TWO_ACTIVE = "plan can contain at most one in_progress step";
const active = [step("a", "in_progress"), step("b", "in_progress")];

describe("progress_card", () => {
  test.each<[string, unknown, string]>([
    ["8193 bytes", { markdown: `x${"é".repeat(4096)}` }, "progress card markdown exceeds 8192 UTF-8 bytes"],
    ["513 bytes", { plan: [step(`x${"é".repeat(256)}`)] }, "plan[0].step exceeds 512 UTF-8 bytes"],
    ["hidden characters count", { plan: [step("\u200b".repeat(171))] }, "plan[0].step exceeds 512 UTF-8 bytes"],
    ["a step with nothing to see", { plan: [step(" \u200b\u{e0041} ")] }, "plan[0].step must not be empty"],
    ["two in progress", { plan: active }, TWO_ACTIVE],
    ["two in progress, found last", { plan: [...active, step(" ")] }, "plan[2].step must not be empty"],
  ])("refuses %s", (_name, input, error) => {
    const refused = card(input, before);
    const text = JSON.stringify({ status: "error", tool: "progress_card", error }, null, 2);
    expect(refused.answer).toEqual({ text, isError: true });
    expect(refused.list).toBe(before);
  });

  const noStatus = Array(3).fill("plan.0.status: must be equal to constant");
  test.each<[string, unknown, readonly string[]]>([
    ["no object", null, ["root: must be object"]],
    ["a list", [], ["root: must be object"]],
    [
      "markdown that is no text, and no plan",
      { markdown: [], plan: 1 },
      ["markdown: must be string", "plan: must be array"],
    ],
    ["a step in place of the list", { markdown: 1, plan: step("a") }, ["plan: must be array"]],
    ["51 steps", { plan: many(51) }, ["plan: must not have more than 50 items"]],
    [
      "the first complaints only",
      { plan: Array(51).fill(1) },
      Array.from({ length: 8 }, (_, at) => `plan.${at}: must be object`),
    ],
    ["a step without anything", { plan: [{}] }, ["plan.0.step: must have required properties step, status"]],
    ["no text", { plan: [step("")] }, ["plan.0.step: must not have fewer than 1 characters"]],
    ["cancelled", { plan: [step("a", "cancelled")] }, [...noStatus, "plan.0.status: must match a schema in anyOf"]],
    ["strange fields", { "a/b": 1 }, ["a.b: schema is false", "root: must not have additional properties"]],
  ])("its host refuses %s", (_name, input, complaints) => {
    const refused = card(input, before);
    const lines = complaints.map((complaint) => `  - ${complaint}`).join("\n");
    const shown = JSON.stringify(input, null, 2);
    const text = `Validation failed for tool "progress_card":\n${lines}\n\nReceived arguments:\n${shown}`;
    expect(refused.answer).toEqual({ text, isError: true });
    expect(refused.list).toBe(before);
  });

  test.each<[string, unknown, object]>([
    ["a number", { markdown: 5 }, { markdown: "5", plan: [] }],
    ["nothing", { markdown: null }, { plan: [] }],
    ["JSON", { plan: '[{"step":true,"status":"pending"}]' }, { plan: [step("true")] }],
    ["JSON inside", { plan: ['{"step":"a","status":"completed"}'] }, { plan: [step("a", "completed")] }],
  ])("its host makes the right type of %s", (_name, input, shown) => {
    const { answer, list } = card(input);
    expect(answer.isError).toBe(false);
    expect(openclaw.show(list)).toEqual(shown);
  });

  test("what no JSON could hold is refused, and not shown", () => {
    const round: { plan?: unknown } = {};
    round.plan = round;
    expect(card(round).answer.text).toMatch(/plan: must be array\n\nReceived arguments:\n\[\.\.\.\]$/);
  });

  test.each<[string, object, string, object]>([
    [
      "steps",
      { plan: [step("a", "completed"), step("b", "in_progress"), step("c")] },
      "Progress card updated (rev 1, 1/3 done)",
      { revision: 1, steps: { completed: 1, total: 3 } },
    ],
    [
      "50 of them",
      { plan: many(50) },
      "Progress card updated (rev 1, 0/50 done)",
      { revision: 1, steps: { completed: 0, total: 50 } },
    ],
    ["a note alone", { markdown: "n", plan: [] }, "Progress card updated (rev 1)", { revision: 1, steps: null }],
    [
      "as much as it may hold",
      { markdown: "é".repeat(4096), plan: [step("é".repeat(256))] },
      "Progress card updated (rev 1, 0/1 done)",
      { revision: 1, steps: { completed: 0, total: 1 } },
    ],
  ])("takes %s", (_name, input, text, data) => {
    const { answer, list } = card(input);
    expect(answer).toEqual({ text: `${text}\n${JSON.stringify(data, null, 2)}`, isError: false, data });
    expect(openclaw.show(list)).toEqual({ plan: [], ...input });
  });

  test.each([{}, { plan: [] }, { markdown: " \n" }, { markdown: "\u200b", plan: [] }])(
    "%j clears, whether there is a card or not",
    (input) => {
      const cleared = card(input, before);
      expect(cleared.answer).toEqual({
        text: 'Progress card cleared\n{\n  "revision": null,\n  "steps": null\n}',
        isError: false,
        data: { revision: null, steps: null },
      });
      expect(openclaw.show(cleared.list)).toEqual({ plan: [] });
      expect(card(input).answer).toEqual(cleared.answer);
    },
  );

  test("each write counts one revision, also one that changes nothing; clearing nothing does not", () => {
    const card = { plan: [{ step: "a", status: "pending" }] };
    const texts: string[] = [];
    let list: TodoList = EMPTY_LIST;
    for (const value of [{}, card, card, {}, {}, { markdown: "x" }]) {
      const spoken = speak(openclaw, list, { tool: "progress_card", input: { value } });
      texts.push(spoken.answer.text.split("\n", 1).join());
      list = spoken.list;
    }
    expect(texts).toEqual([
      "Progress card cleared",
      "Progress card updated (rev 1, 0/1 done)",
      "Progress card updated (rev 2, 0/1 done)",
      "Progress card cleared",
      "Progress card cleared",
      "Progress card updated (rev 5)",
    ]);
  });

  test("replaces the whole card, and each change counts one revision", () => {
    const noted = card({ markdown: "n" }, before);
    expect(noted.answer.text).toMatch(/^Progress card updated \(rev 2\)\n/);
    expect(openclaw.show(noted.list)).toEqual({ markdown: "n", plan: [] });
    expect(card({ plan: [step("a")] }, noted.list).answer.text).toMatch(
      /^Progress card updated \(rev 3, 0\/1 done\)\n/,
    );
  });

  test("takes hidden characters out, and leaves blanks be", () => {
    const { list } = card({ markdown: " a\u202eb ", plan: [step(" a\u200db\ufeff ")] });
    expect(openclaw.show(list)).toEqual({ markdown: " ab ", plan: [step(" ab ")] });
  });

  test("a text that is no JSON clears nothing", () => {
    const broken = speak(openclaw, before, { tool: "progress_card", input: { text: "{" } });
    expect(broken).toMatchObject({ list: before, answer: { isError: true } });
  });
});

describe("update_plan", () => {
  test.each<[string, unknown, string]>([
    ["no object", "x", "update_plan arguments must be an object"],
    ["no plan", {}, "plan required"],
    ["an empty plan", { plan: [] }, "plan required"],
    ["a plan that is no list", { plan: {} }, "plan required"],
    ["a step that is a number", { plan: [1] }, "plan[0] must be an object"],
    ["no text", { plan: [{ status: "pending" }] }, "plan[0].step required"],
    ["a blank text", { plan: [step("a"), step(" ")] }, "plan[1].step required"],
    ["no status", { plan: [{ step: "a" }] }, "plan[0].status required"],
    ["an unknown status", { plan: [step("a", "done")] }, WRONG_STATUS],
    ["two in progress", { plan: active }, TWO_ACTIVE],
  ])("refuses %s", (_name, input, text) => {
    const refused = update(input, before);
    expect(refused.answer).toEqual({ text, isError: true });
    expect(refused.list).toBe(before);
  });

  test("tells the model nothing, and the host what was set", () => {
    const plan = [step("a", "completed"), step("b")];
    const { answer, list } = update(
      { explanation: " why ", plan: [{ ...plan[0], owner: "x" }, step(" b ", " pending ")] },
      before,
    );
    expect(answer).toEqual({ text: "", isError: false, data: { status: "updated", explanation: "why", plan } });
    expect(openclaw.show(list)).toEqual({ markdown: "why", plan });
    expect(update({ explanation: " ", plan: many(51) }, list).answer.data).toEqual({
      status: "updated",
      plan: many(51),
    });
  });
});

test("another tool", () => {
  expect(ask("get_goal")({}).answer).toEqual({ text: "Tool get_goal not found", isError: true });
});

test("a cancelled todo of another dialect is left out", () => {
  const added = speak(milepost, EMPTY_LIST, { tool: "todo", input: { value: { add: ["a", "b"] } } });
  const dropped = speak(milepost, added.list, { tool: "todo", input: { value: { drop: 2 } } });
  expect(openclaw.show(dropped.list)).toEqual({ plan: [step("a", "in_progress")] });
});
