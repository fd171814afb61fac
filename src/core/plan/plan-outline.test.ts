import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { codePointLength } from "../text/length.js";
import { planSteps, planTitle } from "./plan-outline.js";

describe("the title of a plan", () => {
  test.each([
    ["is its first heading", "Intro\n\n# Add **dark** `mode`\n\n## Steps", "Add dark mode"],
    ["may be underlined", "Add dark mode\n====\n", "Add dark mode"],
    ["is else the first line with words", "\n---\n\nAdd *dark* mode\nto all pages", "Add dark mode"],
    ["is taken from a list, too", "- [ ] Add a switch\n- Store it", "Add a switch"],
    ["keeps no address of a link", "# See [the docs](https://example.com)", "See the docs"],
    ["is not the word plan alone", "# Plan:\n\nAdd dark mode.\n\n## Steps", "Add dark mode."],
    ["is not what every plan has", "# Implementation Plan\n## Overview\n### Dark mode", "Dark mode"],
    ["keeps the word in front of others", "# Plan: add dark mode", "Plan: add dark mode"],
    ["is never code", "```\n# not this\n```\nThis", "This"],
    ["stands before the only heading, where that says nothing", "Add dark mode\n\n## Steps\n", "Add dark mode"],
    ["is a word for nothing", "***\n\n- \n# Plan\n", "Untitled plan"],
    ["has an end", `# ${"x".repeat(300)}`, `${"x".repeat(119)}…`],
  ])("%s", (_name, text, title) => expect(planTitle(text)).toBe(title));
});

describe("the steps of a plan", () => {
  const steps: readonly (readonly [name: string, text: string, steps: readonly string[]])[] = [
    ["are its checkboxes, in order", "1. no\n\n- [ ] a\n  - [x] b\n- [X] c\n- d\n\n> - [ ] e", ["a", "b", "c", "e"]],
    ["are the list below a heading for them", "# A\n- no\n## STEPS\nso:\n- a\n  - no\n- b\n\n1. no\n2. no", ["a", "b"]],
    ["are not what introduces the plan", "# Plan\n- goal\n## Tasks\n1. a\n2. b", ["a", "b"]],
    ["may stand below the title alone", "# Plan\n- a\n- b\n## Risks\n- no", ["a", "b"]],
    ["go on behind code", "## Implementation\n1. a\n```\n2. no\n```\n2. b\n3. c", ["a", "b", "c"]],
    ["are headings with numbers", "## Step 1: a\n- no\n### Task 1\n## Step 2: b\n1. no", ["Step 1: a", "Step 2: b"]],
    ["are the longest numbered list", "1. no\n\nText\n\n1. a\n2. b\n\n- no\n- no\n- no", ["a", "b"]],
    ["are all bullets", "- a\n  1. no\n\nText\n\n* b", ["a", "b"]],
    ["are second-level headings", "# T\n## a\n### no\n## **b**", ["a", "b"]],
    ["have no marks, and one line", "1. **Do** `it`\n   [now](https://x.y)\n\n   Details", ["Do it now"]],
    ["are never code", "```\n- [ ] no\n1. no\n```\n\n    - no\n", []],
    ["are none in plain text", "Just do it.", []],
    ["have an end", `- ${"y".repeat(300)}`, [`${"y".repeat(199)}…`]],
  ];
  test.each(steps)("%s", (_name, text, expected) => expect(planSteps(text)).toEqual(expected));

  test("are at most 50", () => {
    const text = Array.from({ length: 80 }, (_item, at) => `${at + 1}. step ${at + 1}`).join("\n");
    expect(planSteps(text)).toHaveLength(50);
  });
});

test("whatever the text is: one line each, within its length", () => {
  const signs = fc.constantFrom(
    "a",
    "日",
    " ",
    "\n",
    "- ",
    "1. ",
    "#",
    "[",
    "]",
    "(",
    ")",
    "`",
    "*",
    "_",
    ">",
    "\r",
    "\t",
  );
  fc.assert(
    fc.property(fc.array(signs, { maxLength: 60 }), (text) => {
      for (const line of [planTitle(text.join("")), ...planSteps(text.join(""))]) {
        expect(line).toMatch(/^\S(?:.*\S)?$/);
        expect(codePointLength(line)).toBeLessThanOrEqual(200);
      }
    }),
  );
});
