import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decide } from "../../core/todo/decide.js";
import { evolveAll } from "../../core/todo/evolve.js";
import { EMPTY_LIST } from "../../core/todo/list.js";
import { WHOLE_LIST } from "../../core/todo/policy.js";
import { marked, plain, styled } from "../styled-line.js";
import { expandedPanelLines, panel, panelLines, stickyWindow } from "./panel.js";
import { newPhases, type PiPhase, type PiStatus, type PiTask } from "./pi-phases.js";
import { renderCall, renderResult, type TodoResult } from "./render.js";
import { ASCII_SYMBOLS, phaseTitle, roman, todoLine, UNICODE_SYMBOLS } from "./todo-line.js";

const task = (content: string, status: PiStatus = "pending", ...notes: readonly string[]): PiTask =>
  notes.length === 0 ? { content, status } : { content, status, notes };
const several = (count: number, status: PiStatus = "pending") =>
  Array.from({ length: count }, (_, at) => task(`${at + 1}`, status));
const shown = (result: TodoResult, options = {}) => renderResult(result, options).map(plain);

describe("a line", () => {
  test("styles nest, and blanks at the end are cut", () => {
    const line = [styled("dim", "a", styled("italic", "b")), styled("dim", "c"), "  "];
    expect([plain(line), marked(line)]).toEqual(["abc", "<dim>a<i>b</i></dim><dim>c</dim>"]);
  });
});

describe("the call", () => {
  const CALLS: readonly [name: string, args: unknown, line: string][] = [
    ["no list of operations", { ops: "x" }, "⏳ Todo Write update"],
    ["no operations", { ops: [] }, "⏳ Todo Write"],
    ["no arguments", undefined, "⏳ Todo Write update"],
    [
      "half written",
      { ops: [null, 1, { op: 2, task: 3, items: "abc" }] },
      "⏳ Todo Write update · update · 2 3 3 items",
    ],
    ["quite odd", { ops: [{ op: null, task: [["a"]], phase: {}, items: {} }] }, "⏳ Todo Write update"],
    ["one item", { ops: [{ op: "append", phase: "P", items: ["a"] }] }, "⏳ Todo Write append P 1 item"],
    ["nothing given", { ops: [{ op: "rm", task: "", phase: "", items: [] }] }, "⏳ Todo Write rm"],
    ["an empty word says nothing", { ops: [{ op: "" }, { op: "rm" }] }, "⏳ Todo Write rm"],
    ["it stays one line", { ops: [{ op: "done", task: "a\r\nb\rc\n\td" }] }, "⏳ Todo Write done a b c    d"],
  ];

  test.each(CALLS)("%s", (_, args, line) => {
    expect(renderCall(args).map(plain)).toEqual([line]);
  });

  test("in colours, and in ASCII", () => {
    const args = { ops: [{ op: "done", task: "a" }, { op: "rm" }] };
    expect(renderCall(args).map(marked)).toEqual([
      "<muted>⏳</muted> <accent>Todo Write</accent> <dim>done a · rm</dim>",
    ]);
    expect(renderCall(args, ASCII_SYMBOLS).map(plain)).toEqual(["[*] Todo Write done a - rm"]);
  });
});

describe("the result", () => {
  test("without tasks it is the text, line by line", () => {
    expect(shown({ phases: [{ name: "P", tasks: [] }], text: "Errors:\ta\nb" })).toEqual([
      "✔ Todo Write 0 tasks",
      "Errors:   a",
      "b",
    ]);
    expect(shown({})).toEqual(["✔ Todo Write 0 tasks", "No todos"]);
  });

  test("collapsed shows eight of each phase, expanded all", () => {
    const phases = [{ name: "P", tasks: several(10, "completed") }];
    expect(shown({ phases }).slice(-2)).toEqual(["  ├─ ☑ 8", "  └─ … 2 more todos"]);
    expect(shown({ phases }, { expanded: true }).slice(-2)).toEqual(["  ├─ ☑ 9", "  └─ ☑ 10"]);
  });

  test("ASCII, with headers and notes", () => {
    const phases = [
      { name: "A", tasks: [task("a", "in_progress", "n\n\nm", "o")] },
      { name: "Gone", tasks: [] },
      { name: "B", tasks: [task("b", "completed"), task("c", "abandoned")] },
    ];
    expect(shown({ phases }, { symbols: ASCII_SYMBOLS })).toEqual([
      "[ok] Todo Write 3 tasks",
      "  I. A",
      "  '-- [ ] a ⁺²",
      "  II. B",
      "  |-- [x] b",
      "  '-- [ ] c",
      "",
      "  § notes — a",
      "  | n",
      "  |",
      "  | m",
      "  |",
      "  | o",
    ]);
  });

  test("a hidden task in progress still tells its notes", () => {
    const tasks = [...several(8), task("late", "in_progress", "why")];
    expect(shown({ phases: [{ name: "P", tasks }] }).slice(-4)).toEqual([
      "  └─ … 1 more todo",
      "",
      "  § notes — late",
      "  │ why",
    ]);
  });

  test("only tasks lose their tabs", () => {
    const phases = [{ name: "P", tasks: [task("a\tb", "in_progress", "\tn")] }];
    expect(shown({ phases }).slice(1)).toEqual(["  └─ ☐ a   b ⁺¹", "", "  § notes — a\tb", "  │ \tn"]);
  });
});

describe("what was just completed", () => {
  const strike = (content: string, spinnerFrame?: number, phase = "P") => {
    const result = {
      phases: [{ name: "P", tasks: [task(content, "completed")] }],
      completedTasks: [{ phase, content }],
    };
    return marked(renderResult(result, spinnerFrame === undefined ? {} : { spinnerFrame })[1] ?? []);
  };

  test.each<[content: string, frame: number | undefined, line: string]>([
    ["finish", undefined, "<s>finish</s>"],
    ["finish", 0, "finish"],
    ["finish", 2, "finish"],
    ["finish", 3, "<s>f</s>inish"],
    ["finish", 4, "<s>f</s>inish"],
    ["finish", 5, "<s>fi</s>nish"],
    ["finish", 13, "<s>finish</s>"],
    ["finish", 99, "<s>finish</s>"],
    ["😀b", 3, "<s>😀</s>b"],
    ["\tab", 3, "<s>   </s>ab"],
    ["", 2, ""],
    ["", 3, "<s></s>"],
  ])("%j at frame %s", (content, frame, line) => {
    expect(strike(content, frame)).toBe(`  <dim>└─</dim> <success>☑ ${line}</success>`);
  });

  test("one of another phase is struck out already", () => {
    expect(strike("a", 0, "Q")).toContain("<s>a</s>");
  });

  test("what is no longer completed is not struck out", () => {
    const phases = [{ name: "P", tasks: [task("a", "abandoned"), task("b")] }];
    const completedTasks = ["a", "b"].map((content) => ({ phase: "P", content }));
    const lines = renderResult({ phases, completedTasks }, { spinnerFrame: 0 }).map(marked);
    expect(lines.slice(1)).toEqual(["  <dim>├─</dim> <error>☐ <s>a</s></error>", "  <dim>└─</dim> <dim>☐ b</dim>"]);
  });
});

describe("numbers", () => {
  test.each<[count: number, letters: string]>([
    [-1, ""],
    [0, ""],
    [8, "VIII"],
    [444, "CDXLIV"],
    [4999, "MMMMCMXCIX"],
    [Number.NaN, ""],
    [Number.POSITIVE_INFINITY, ""],
    [1e300, ""],
  ])("%s", (count, letters) => {
    expect(roman(count)).toBe(letters);
  });

  test("a phase is counted in front of its name, notes behind the text", () => {
    expect(phaseTitle("Auth", 14)).toBe("XIV. Auth");
    const noted = task("a", "pending", ...Array.from({ length: 1_305 }, String));
    expect(plain(todoLine(noted, UNICODE_SYMBOLS))).toBe("☐ a ⁺¹³⁰⁵");
  });
});

describe("the panel", () => {
  const rows = (...phases: readonly PiPhase[]) => panelLines(phases).map(plain);

  test("the first phase with open tasks, five of them", () => {
    expect(
      rows(
        { name: "Gone", tasks: [] },
        { name: "A", tasks: several(2, "completed") },
        { name: "B", tasks: [task("x", "completed"), task("y", "in_progress", "n"), ...several(6)] },
        { name: "C", tasks: several(1) },
      ),
    ).toEqual(["Todos", "└ II. B", "└ ☐ y ⁺¹", "  ☐ 1", "  ☐ 2", "  ☐ 3", "  ☐ 4", "  └ +2 more"]);
  });

  test("all closed: the end of the last phase", () => {
    const phases = [
      { name: "A", tasks: several(1, "completed") },
      { name: "B\tC", tasks: several(7, "abandoned") },
      { name: "Gone", tasks: [] },
    ];
    expect(rows(...phases)).toEqual(["Todos", "└ II. B   C", "└ ☐ 3", "  ☐ 4", "  ☐ 5", "  ☐ 6", "  ☐ 7"]);
  });

  test("in colours, and in ASCII", () => {
    const lines = panelLines([{ name: "P", tasks: [...several(5), task("z")] }], ASCII_SYMBOLS).map(marked);
    expect(lines.slice(0, 3)).toEqual([
      "<b><accent>Todos</accent></b>",
      "<accent>`- I. P</accent>",
      "<dim>`- [ ] 1</dim>",
    ]);
    expect(lines.at(-1)).toBe("<muted>  `- +1 more</muted>");
  });

  test("nothing to show, nothing shown", () => {
    expect(rows()).toEqual([]);
    expect(rows({ name: "P", tasks: [] })).toEqual([]);
  });

  test("of a list as we keep it", () => {
    const decision = decide(
      EMPTY_LIST,
      { type: "replace", phases: newPhases([{ name: "P", tasks: [task("a"), task("b", "abandoned")] }]) },
      WHOLE_LIST,
    );
    if (!decision.ok) throw new Error(decision.error.message);
    const list = evolveAll(EMPTY_LIST, decision.value.events);
    expect(panel(list).map(plain)).toEqual(["Todos", "└ I. P", "└ ☐ a"]);
    expect(panel(list, { isExpanded: true }).map(plain)).toEqual(["Todos", "└ I. P", "└ ☐ a", "  ☐ b"]);
  });

  test("expanded: every phase with every todo, empty phases aside", () => {
    const phases = [
      { name: "A", tasks: several(2, "completed") },
      { name: "Gone", tasks: [] },
      { name: "B", tasks: several(6) },
    ];
    expect(expandedPanelLines(phases).map(plain)).toEqual([
      "Todos",
      "└ I. A",
      "└ ☑ 1",
      "  ☑ 2",
      "└ II. B",
      "└ ☐ 1",
      ...[2, 3, 4, 5, 6].map((at) => `  ☐ ${at}`),
    ]);
    expect(expandedPanelLines([{ name: "Gone", tasks: [] }])).toEqual([]);
  });

  test.each<[string, string | undefined, string[]]>([
    ["nothing where no write was refused", undefined, []],
    ["what its screen says", "", ["Todo update failed. Progress may be stale until todo_write succeeds."]],
    [
      "the whole answer",
      'Errors: Task "x" not found\nRemaining',
      ['Todo update failed: Errors: Task "x" not found', "Remaining"],
    ],
  ])("of a refused write: %s", (_name, refusal, said) => {
    const lines = panel(EMPTY_LIST, { refusal });
    expect(lines.map(plain)).toEqual(said);
    expect(lines.map(marked)).toEqual(said.map((row) => `<warning>${row}</warning>`));
  });

  test("a window of nothing", () => {
    expect(stickyWindow(several(2), 0)).toEqual({ visible: [], hiddenOpenCount: 2 });
    expect(stickyWindow(several(2, "completed"), 0)).toEqual({ visible: [], hiddenOpenCount: 0 });
  });
});

describe("properties", () => {
  const text = fc.string({ unit: fc.constantFrom("a", " ", "\t", "\n", "😀", "\ud800", "é") });
  const anyTask = fc.record({
    content: text,
    status: fc.constantFrom<PiStatus>("pending", "in_progress", "completed", "abandoned"),
    notes: fc.array(text),
  });
  const anyPhases = fc.array(fc.record({ name: text, tasks: fc.array(anyTask, { maxLength: 12 }) }));

  test("marks are all that differs, whatever the list and the frame", () => {
    fc.assert(
      fc.property(anyPhases, fc.integer({ min: 0, max: 20 }), fc.boolean(), (phases, spinnerFrame, expanded) => {
        const completedTasks = phases.flatMap(({ name, tasks }) =>
          tasks.map(({ content }) => ({ phase: name, content })),
        );
        const lines = [...renderResult({ phases, completedTasks }, { spinnerFrame, expanded }), ...panelLines(phases)];
        for (const line of lines)
          expect(
            marked(line)
              .replace(/<[^>]*>/g, "")
              .trimEnd(),
          ).toBe(plain(line));
      }),
    );
  });

  test("any arguments have a call line", () => {
    fc.assert(
      fc.property(fc.anything(), fc.array(fc.anything()), (args, ops) => {
        expect([...renderCall(args), ...renderCall({ ops })]).toHaveLength(2);
      }),
    );
  });
});
