import { describe, expect, test } from "vitest";
import { planInScript, toolsInScript } from "./script-calls.js";

const PLAN = { plan: [{ step: "Look", status: "pending" }] };

describe("a list written out in a script", () => {
  test.each<[string, string, unknown]>([
    ["as models write it", `await tools.update_plan({ plan: [{ step: "Look", status: "pending" }] });`, PLAN],
    ["as JSON", `tools.update_plan(${JSON.stringify(PLAN)})`, PLAN],
    ["single quotes and trailing commas", `tools.update_plan({plan:[{step:'Look',status:'pending',},],},)`, PLAN],
    ["templates", "update_plan({ plan: [{ step: `Look`, status: `pending` }] })", PLAN],
    ["comments between", `tools.update_plan(/* a */ { plan: [ // b\n{ step: "Look", status: "pending" }] })`, PLAN],
    ["no explanation", `update_plan({ explanation: undefined, plan: [] })`, { plan: [] }],
    [
      "escapes",
      String.raw`update_plan({ plan: [], explanation: "a\n\x41\u0042\u{1f600}\"\'\q" })`,
      { plan: [], explanation: "a\nAB😀\"'q" },
    ],
    [
      "the last one",
      `update_plan({ plan: [] }); update_plan({ plan: [], explanation: "b" });`,
      { plan: [], explanation: "b" },
    ],
    [
      "a key that is no field",
      `update_plan({ "__proto__": [], plan: [] })`,
      Object.fromEntries([
        ["__proto__", []],
        ["plan", []],
      ]),
    ],
  ])("%s", (_, script, expected) => {
    expect(planInScript(script)).toEqual(expected);
  });

  test.each([
    ["a variable", "update_plan(plan)"],
    ["a variable inside", "update_plan({ plan })"],
    ["a value to be worked out", `update_plan({ plan: ["a" + "b"] })`],
    ["a call", "update_plan({ plan: steps() })"],
    ["a template with something in it", `update_plan({ plan: [{ step: \`Look at \${file}\`, status: "pending" }] })`],
    ["spread", "update_plan({ ...old, plan: [] })"],
    ["cut off", `update_plan({ plan: [{ step: "Lo`],
    ["in a string", `text("tools.update_plan({ plan: [] })")`],
    ["in a comment", "// tools.update_plan({ plan: [] })"],
    ["not called", "const f = tools.update_plan; f({ plan: [] })"],
    ["no such code point", String.raw`update_plan({ plan: ["\u{ffffff}"] })`],
    ["nested too deep", `update_plan({ plan: ${"[".repeat(5000)}${"]".repeat(5000)} })`],
    ["too long", `update_plan({ plan: [] })${" ".repeat(70_000)}`],
    ["the last one cannot be read", "update_plan({ plan: [] }); update_plan(next)"],
  ])("is not guessed: %s", (_, script) => {
    expect(planInScript(script)).toBeUndefined();
  });

  test.each(["/*", '"', "'", "`", "\\", "{", "update_plan({", "//", "`${"])(
    "takes no long look at many %s",
    (piece) => {
      const before = performance.now();
      planInScript(`update_plan({ plan: [] ${piece.repeat(Math.floor(60_000 / piece.length))}`);
      expect(performance.now() - before).toBeLessThan(500);
    },
  );
});

test("the tools of a script are those it names", () => {
  const script = `const r = await tools.exec_command({ cmd: "tools.wait" }); tools . apply_patch("x"); // tools.no`;
  expect(toolsInScript(script)).toEqual(["exec_command", "apply_patch"]);
});
