import { describe, expect, test } from "vitest";
import { nearest, nearestId } from "./nearest.js";

const WORDS = [
  "sessions",
  "setup",
  "unsetup",
  "todo",
  "task",
  "tell",
  "rm",
  "reminders",
  "reminders.stale",
  "list.clear",
];

describe("the word that was meant", () => {
  test.each([
    ["SESSIONS", "sessions"],
    [" todo ", "todo"],
    ["sess", "sessions"],
    ["sesions", "sessions"],
    ["sessoins", "sessions"],
    ["tood", "todo"],
    ["tsak", "task"],
    ["stale", "reminders.stale"],
    ["clear", "list.clear"],
    ["reminder", "reminders"],
    ["reminders.stal", "reminders.stale"],
    ["remindres.stlae", "reminders.stale"],
    ["remindresstlae", "reminders.stale"],
    // Begins two words, and is neither.
    ["te", undefined],
    ["rn", undefined],
    ["x", undefined],
    ["", undefined],
    ["3", undefined],
    ["qwertz", undefined],
    // One letter more is wrong than may be, for a short, a longer and a long word.
    ["tkas", undefined],
    ["sesoinz", undefined],
    ["remindresstlea", undefined],
    ["t".repeat(100_000), undefined],
  ])("%.20j", (typed, meant) => {
    expect(nearest(typed, WORDS)).toBe(meant);
  });

  test("a word of another program stands for one of ours, the likeliest first", () => {
    const words = ["list", { word: "show", meant: "list" }, { word: "append", meant: "add" }, "done", "dome"];
    expect(["show", "shwo", "appned", "dooe"].map((typed) => nearest(typed, words))).toEqual([
      "list",
      "list",
      "add",
      "done",
    ]);
  });
});

describe("the id that was meant", () => {
  const IDS = ["acc5a7c0-1111-4222-8333-444455556666", "0199ab12-0000-7000-8000-000000000000", "codex:0199ab13"];
  test.each([
    ["acc5b7", IDS[0]],
    ["acc5a7c0-1111-4222-8333-444455556667", IDS[0]],
    ["acc57ac0", IDS[0]],
    ["0199ad12-0000", IDS[1]],
    ["codx:0199ab13", IDS[2]],
    ["acc", undefined],
    ["zzzzzz", undefined],
    ["", undefined],
  ])("%j", (typed, meant) => {
    expect(nearestId(typed, IDS)).toBe(meant);
  });
});
