import { describe, expect, test } from "vitest";
import { excessOf } from "../value-limits.js";
import { draftToShow, growDraft, type PlanDraft, seenPlanText } from "./seen-plan-text.js";

describe("the text of a plan that was seen", () => {
  test.each<[string, unknown, string | undefined]>([
    ["as it is", "# A\n\n- b\n", "# A\n\n- b\n"],
    ["at its longest", "x".repeat(200_000), "x".repeat(200_000)],
    ["nothing", undefined, undefined],
    ["no text", { text: "a" }, undefined],
    ["empty", "", undefined],
    ["blanks", " \n\t", undefined],
    ["half a character", "a\ud83d", "a\ufffd"],
    ["control characters", "\u0000\u001b[2J", "\u0000\u001b[2J"],
  ])("%s", (_, value, text) => expect(seenPlanText(value)).toBe(text));

  test.each([
    ["long", "x".repeat(200_001)],
    ["of five megabytes", "- step\n".repeat(750_000)],
    ["large in bytes", "\u0000".repeat(100_000)],
    ["large in another script", "\u65e5".repeat(200_000)],
    ["of halves of characters", "\ud83d".repeat(300_000)],
    ["of secrets", `ghp_${"a1B2".repeat(9)}\n`.repeat(20_000)],
  ])("%s: it is cut, says so, and can be stored", (_, value) => {
    const text = seenPlanText(value) ?? "";
    expect(text.endsWith(" [cut by Milepost]")).toBe(true);
    expect(text.length).toBeLessThanOrEqual(200_000);
    expect(excessOf(text)).toBeUndefined();
    expect(text.isWellFormed()).toBe(true);
  });
});

describe("a draft", () => {
  const grow = (...pieces: string[]) => {
    const shown: string[] = [];
    const draft = pieces.reduce<PlanDraft | null>((before, piece) => {
      const after = growDraft(before, "k", piece);
      const text = draftToShow(after);
      if (text === undefined) return after;
      shown.push(text);
      return { ...after, shown: text.length };
    }, null);
    return { shown, draft };
  };

  test("shows whole lines", () => {
    expect(grow("# Ren", "ame", " helper\n\n- a", "bc", "\n").shown).toEqual([
      "# Rename helper\n\n",
      "# Rename helper\n\n- abc\n",
    ]);
  });

  test("of another key begins anew", () => {
    expect(growDraft(grow("a\n").draft, "other", "b\n")).toEqual({ key: "other", text: "b\n", whole: 2, shown: 0 });
  });

  test("is not shown after each line once it is long, and keeps no more than is shown in the end", () => {
    const { shown, draft } = grow(...Array.from({ length: 40_000 }, () => "- a line\n"));
    expect(shown.length).toBeLessThan(250);
    expect(draft?.text.length).toBeLessThan(200_020);
    expect(grow("x".repeat(5_000_000)).draft?.text.length).toBe(200_001);
  });
});
