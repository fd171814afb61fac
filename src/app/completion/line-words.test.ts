import { expect, test } from "vitest";
import { splitLine } from "./line-words.js";

/** As bash has them unless somebody has changed them. */
const BREAKS = " \t\n\"'><=;|&(:";

const CASES: readonly (readonly [line: string, words: readonly string[], kept: string])[] = [
  ["milepost ", ["milepost", ""], ""],
  ["milepost to", ["milepost", "to"], ""],
  ["milepost  todo   do", ["milepost", "todo", "do"], ""],
  ["milepost todo --session=01", ["milepost", "todo", "--session=01"], "--session="],
  ["milepost todo --session=", ["milepost", "todo", "--session="], "--session="],
  ["milepost --store=sqlite:/a/b", ["milepost", "--store=sqlite:/a/b"], "--store=sqlite:"],
  ["milepost todo --session codex:01", ["milepost", "todo", "--session", "codex:01"], "codex:"],
  ["milepost --store postgres://u@h/d todo do", ["milepost", "--store", "postgres://u@h/d", "todo", "do"], ""],
  ["milepost todo add 'a b' \"c d", ["milepost", "todo", "add", "a b", "c d"], ""],
  ["milepost todo add a\\ b c\\", ["milepost", "todo", "add", "a b", "c"], ""],
  ['milepost tell "say \\"hi\\" \\n" x', ["milepost", "tell", 'say "hi" \\n', "x"], ""],
  ['milepost todo done "fix=it', ["milepost", "todo", "done", "fix=it"], ""],
  ["milepost todo done ''", ["milepost", "todo", "done", ""], ""],
  ["milepost todo done '' ", ["milepost", "todo", "done", "", ""], ""],
  ["milepost todo done $(rm x) `y`", ["milepost", "todo", "done", "$(rm", "x)", "`y`"], ""],
];

test.each(CASES)("%s", (line, words, kept) => {
  expect(splitLine(line, BREAKS)).toEqual({ words, kept });
});

test("who has taken the signs out of bash's word breaks completes whole words", () => {
  expect(splitLine("milepost --session=codex:01", " \t\n")).toEqual({
    words: ["milepost", "--session=codex:01"],
    kept: "",
  });
});
