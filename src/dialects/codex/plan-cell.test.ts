import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { foldWords, stringWidth } from "../../app/terminal/text-width.js";
import { EMPTY_LIST, type TodoList } from "../../core/todo/list.js";
import { milepost } from "../milepost/todo-tool.js";
import { speak } from "../speak.js";
import { marked, plain } from "../styled-line.js";
import { codex } from "./codex.js";
import { planCell } from "./plan-cell.js";

const planned = (plan: readonly (readonly [step: string, status: string])[], explanation?: string): TodoList => {
  const value = { explanation, plan: plan.map(([step, status]) => ({ step, status })) };
  return speak(codex, EMPTY_LIST, { tool: "update_plan", input: { value } }).list;
};
const within = (columns: number) => ({ screen: { columns, width: stringWidth, wrap: foldWords } });

describe("Codex's plan cell", () => {
  test("each status in its own style, the explanation before them", () => {
    const list = planned(
      [
        ["Inspect", "completed"],
        ["Fix", "in_progress"],
        ["Test", "pending"],
      ],
      "  Found it \n in the lexer ",
    );
    expect(planCell(list).map(marked)).toEqual([
      "<dim>• </dim><b>Updated Plan</b>",
      "<dim>  └ </dim><dim><i>Found it </i></dim>",
      "    <dim><i> in the lexer</i></dim>",
      "    ✔ <dim><s>Inspect</s></dim>",
      "    □ <accent><b>Fix</b></accent>",
      "    □ <dim>Test</dim>",
    ]);
    expect(codex.panel).toBe(planCell);
  });

  test.each<[string, TodoList, string[]]>([
    ["no steps", EMPTY_LIST, ["  └ (no steps provided)"]],
    ["a blank explanation", planned([["a", "pending"]], " \n "), ["  └ □ a"]],
    ["no steps, but a reason", planned([], "Done"), ["  └ Done", "    (no steps provided)"]],
    [
      "two in progress",
      planned([
        ["a", "in_progress"],
        ["b", "in_progress"],
      ]),
      ["  └ □ a", "    □ b"],
    ],
  ])("%s", (_name, list, rows) => {
    expect(planCell(list).map(plain)).toEqual(["• Updated Plan", ...rows]);
  });

  test("a cancelled todo is no step", () => {
    const added = speak(milepost, EMPTY_LIST, { tool: "todo", input: { value: { add: ["a", "b"] } } });
    const { list } = speak(milepost, added.list, { tool: "todo", input: { value: { drop: 2 } } });
    expect(planCell(list).map(plain)).toEqual(["• Updated Plan", "  └ □ a"]);
  });

  test("wrapped rows stand below the words of their step", () => {
    const list = planned(
      [
        ["Look at every module", "completed"],
        ["b", "pending"],
      ],
      "Because it is slow",
    );
    expect(planCell(list, within(16)).map(plain)).toEqual([
      "• Updated Plan",
      "  └ Because it",
      "    is slow",
      "    ✔ Look at",
      "      every",
      "      module",
      "    □ b",
    ]);
  });

  test("no row is wider than the screen, and no letter is lost", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "é", "漢", "👍", "-"), minLength: 1, maxLength: 30 });
    const text = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(" "));
    fc.assert(
      fc.property(
        fc.array(text, { minLength: 1, maxLength: 4 }),
        text,
        fc.integer({ min: 14, max: 60 }),
        (steps, note, columns) => {
          const rows = planCell(
            planned(
              steps.map((step) => [step, "pending"]),
              note,
            ),
            within(columns),
          ).map(plain);
          for (const row of rows) expect(stringWidth(row)).toBeLessThanOrEqual(columns);
          const letters = rows.slice(1).join("").replace(/[ └□]/g, "");
          expect(letters).toBe([note, ...steps].join("").replaceAll(" ", ""));
        },
      ),
    );
  });
});
