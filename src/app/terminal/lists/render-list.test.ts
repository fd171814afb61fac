import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Verdict } from "../../../core/grounding/verdict.js";
import { EMPTY_LIST, TODO_STATUSES, type Todo, type TodoList, type TodoStatus } from "../../../core/todo/list.js";
import { DIALECTS } from "../../../dialects/registry.js";
import { listTodos } from "../../commands/todo/list-todos.js";
import { stringWidth } from "../text-width.js";
import { drawnRows, type ListStyle, renderList } from "./render-list.js";

test("a list can be drawn as every agent draws it that draws one", () => {
  const drawing = DIALECTS.filter(({ panel }) => panel !== undefined).map(({ name }) => name);
  expect(listTodos.input.view.choices).toEqual(["rows", "markdown", "tree", ...drawing]);
});

const STYLES: readonly ListStyle[] = ["rows", "tree", "codex", "oh-my-pi", "gencode", "gencode/node-0.5"];

const todo = (number: number, text: string, status: TodoStatus = "pending", more: Partial<Todo> = {}): Todo => {
  return { number, text, status, notes: [], evidence: [], ...more };
};
const listOf = (...todos: readonly Todo[]): TodoList => ({ ...EMPTY_LIST, phases: [{ name: "", todos }] });

const WORK = listOf(
  todo(1, "Inspect helper", "completed"),
  todo(2, "Rename helper", "in_progress", {
    activeForm: "Renaming helper",
    notes: ["keep the old name\nfor a release"],
  }),
  todo(10, "Run tests"),
  todo(11, "Publish", "cancelled"),
);
const JUDGED = new Map<number, Verdict | null>([[1, "contradicted"]]);

const PICTURES: { style: ListStyle; width: number; rows: readonly string[] }[] = [
  {
    style: "rows",
    width: 40,
    rows: [
      " 1 ✓ Inspect helper  ✗ contradicted",
      " 2 ▸ Renaming helper",
      "     keep the old name",
      "     for a release",
      "10 ○ Run tests",
      "11 – Publish",
    ],
  },
  {
    style: "rows",
    width: 20,
    rows: [
      " 1 ✓ Inspect hel…  ✗",
      " 2 ▸ Renaming helper",
      "     keep the old n…",
      "     for a release",
      "10 ○ Run tests",
      "11 – Publish",
    ],
  },
  {
    // A column for branches, a check box, notes as a count, and notes of the one in progress below all phases.
    style: "tree",
    width: 40,
    rows: [
      "✔ Todo Write 4 tasks",
      "  ├─ ☑ Inspect helper  ✗ contradicted",
      "  ├─ ☐ Rename helper ⁺¹",
      "  ├─ ☐ Run tests",
      "  └─ ☐ Publish",
      "",
      "  § notes — Rename helper",
      "  │ keep the old name",
      "  │ for a release",
    ],
  },
  {
    style: "tree",
    width: 20,
    rows: [
      "✔ Todo Write 4 tasks",
      "  ├─ ☑ Inspect",
      "  │    helper  ✗",
      "  │    contradicted",
      "  ├─ ☐ Rename helper",
      "  │    ⁺¹",
      "  ├─ ☐ Run tests",
      "  └─ ☐ Publish",
      "",
      "  § notes — Rename",
      "    helper",
      "  │ keep the old",
      "  │ name",
      "  │ for a release",
    ],
  },
  {
    style: "oh-my-pi",
    width: 40,
    rows: ["Todos", "└ I. Todos", "└ ☐ Rename helper ⁺¹", "  ☐ Run tests"],
  },
  {
    // Steps that go on in a second row begin below their words; cancelled is no status of Codex.
    style: "codex",
    width: 20,
    rows: ["• Updated Plan", "  └ ✔ Inspect helper", "    □ Rename helper", "    □ Run tests"],
  },
  {
    style: "gencode",
    width: 26,
    rows: [
      "┌─ Tasks ────────────────┐",
      "│ ✓ Inspect helper       │",
      "│ ▶ Renaming helper      │",
      "│ ○ Run tests            │",
      "│                        │",
      "│ Progress: 1/3 (33%)    │",
      "└────────────────────────┘",
    ],
  },
  {
    style: "gencode/node-0.5",
    width: 40,
    rows: ["", "  ▸ Renaming helper (1/3)", "   ✓ Inspect helper", "   ▸ Rename helper", "   ○ Run tests"],
  },
];

test.each(PICTURES)("$style in $width columns", ({ style, width, rows }) => {
  expect(renderList(WORK, { width, style, verdicts: JUDGED })).toEqual(rows);
});

describe("our rows", () => {
  test("phases are headings, and each row knows its todo", () => {
    const list: TodoList = {
      ...EMPTY_LIST,
      phases: ["Build", ""].map((name, at) => ({ name, todos: [todo(at + 1, "a")] })),
    };
    expect(drawnRows(list, { width: 20 })).toEqual([
      { text: "Build", todo: null },
      { text: "1 ○ a", todo: 1 },
      { text: "Todos", todo: null },
      { text: "2 ○ a", todo: 2 },
    ]);
  });

  test("notes beyond three lines are counted, until all of it is asked for", () => {
    const list = listOf(todo(1, "a", "in_progress", { notes: ["1\n2", "3\n\n4", "long ".repeat(6).trim()] }));
    const at = (isExpanded: boolean) => renderList(list, { width: 20, isExpanded });
    expect(at(false)).toEqual(["1 ▸ a", "    1", "    2", "    3", "    … 2 more lines"]);
    expect(at(true).slice(4)).toEqual(["    4", "    long long long", "    long long long"]);
  });

  test("a verdict stays in sight where the text is cut", () => {
    const list = listOf(todo(1, "漢字".repeat(40), "completed"));
    const at = (width: number) => renderList(list, { width, verdicts: new Map([[1, "unbacked"]]) });
    expect(at(30)).toEqual(["1 ✓ 漢字漢字漢字…  ? unbacked"]);
    expect(at(20)).toEqual(["1 ✓ 漢字漢字漢字…  ?"]);
  });

  test("colours only where they are asked for", () => {
    const rows = renderList(listOf(todo(1, "a", "in_progress")), { width: 20, hasColor: true });
    expect(rows).toEqual(["\u001b[1m\u001b[36m1 ▸ \u001b[0m\u001b[0m\u001b[1m\u001b[36ma\u001b[0m\u001b[0m"]);
  });
});

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.string({ unit: "grapheme", maxLength: 60 }),
  fc
    .array(
      fc.constantFrom("漢字", "👩‍👩‍👧", "e\u0301\u0302", "a ".repeat(30), "\u001b[2J", "\r\n", "\t", "x".repeat(99)),
    )
    .map((parts) => parts.join("")),
);
const anyTodo: fc.Arbitrary<Todo> = fc.record({
  number: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.nat()),
  text,
  status: fc.constantFrom(...TODO_STATUSES),
  activeForm: text,
  notes: fc.array(text, { maxLength: 3 }),
  evidence: fc.constant([]),
});
const anyList: fc.Arbitrary<TodoList> = fc.record({
  revision: fc.constant(1),
  nextNumber: fc.constant(1),
  explanation: text,
  phases: fc.array(fc.record({ name: text, todos: fc.array(anyTodo, { maxLength: 4 }) }), { maxLength: 3 }),
});
const verdict = fc.constantFrom<Verdict[]>("verified", "worked", "unbacked", "contradicted", "waived");

test.each(STYLES)("no row of any list is wider than the screen or has a control character: %s", (style) => {
  const screens = fc.record({ width: fc.integer({ min: 20, max: 200 }), isExpanded: fc.boolean(), refusal: text });
  fc.assert(
    fc.property(anyList, screens, verdict, (list, screen, judged) => {
      const verdicts = new Map(list.phases.flatMap(({ todos }) => todos.map(({ number }) => [number, judged])));
      for (const row of renderList(list, { ...screen, style, verdicts })) {
        expect(stringWidth(row)).toBeLessThanOrEqual(screen.width);
        expect(row).not.toMatch(/\p{Cc}|\p{Cf}(?<!\u200d)/u);
      }
    }),
  );
});

test("into a pipe no row is cut", () => {
  const long = "word ".repeat(100).trim();
  for (const style of STYLES) {
    const rows = renderList(listOf(todo(1, long), todo(2, "b")), { width: Number.POSITIVE_INFINITY, style });
    expect(rows.filter((row) => row.includes(long))).toHaveLength(1);
  }
});
