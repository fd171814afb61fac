import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { criticalPath } from "./critical-path.js";
import { toDot, toMermaid } from "./drawings.js";
import { connectedTo, type GraphTask, graphOf } from "./task-graph.js";
import { DRAWN_LEVELS, treeRows } from "./tree.js";

const task = (number: number, given: Partial<GraphTask> = {}): GraphTask => ({
  number,
  subject: `task ${number}`,
  status: "pending",
  standing: "ready",
  isOpen: true,
  blockedBy: [],
  metadata: {},
  ...given,
});
const done = (number: number, given: Partial<GraphTask> = {}) =>
  task(number, { status: "completed", standing: "completed", isOpen: false, ...given });

/** Edges only from lower to higher numbers: no circle is possible. */
const acyclic = fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat(), fc.boolean()), { maxLength: 40 }).map((seeds) =>
  seeds.map(([a, b, p, isOpen], index) => {
    const below = (seed: number) => (index === 0 ? [] : [1 + (seed % index)]);
    const parent = p % 3 === 0 ? below(p)[0] : undefined;
    return task(index + 1, {
      isOpen,
      blockedBy: [...below(a), ...(b % 2 === 0 ? below(b) : [])],
      ...(parent === undefined ? undefined : { parent }),
    });
  }),
);

/** Any edges at all, to tasks that are not there too. */
const anything = fc
  .array(fc.tuple(fc.array(fc.integer({ min: 0, max: 25 }), { maxLength: 4 }), fc.integer({ min: 0, max: 25 })), {
    maxLength: 20,
  })
  .map((seeds) =>
    seeds.map(([blockedBy, parent], index) => task(index + 1, { blockedBy, ...(parent % 2 ? { parent } : undefined) })),
  );

describe("the graph", () => {
  test("has edges only between tasks that are in it, each once", () => {
    const { edges } = graphOf([task(3, { blockedBy: [1, 1, 9], parent: 2 }), task(1), task(2, { parent: 8 })]);
    expect(edges).toEqual([
      { type: "contains", from: 2, to: 3 },
      { type: "blocks", from: 1, to: 3 },
    ]);
  });

  test("what hangs together goes along edges both ways", () => {
    const graph = graphOf([
      task(1),
      task(2, { blockedBy: [1] }),
      task(3, { parent: 2 }),
      task(4),
      task(5, { parent: 4 }),
    ]);
    expect([...connectedTo(graph, 3).tasks.keys()]).toEqual([1, 2, 3]);
    expect([...connectedTo(graph, 4).tasks.keys()]).toEqual([4, 5]);
    expect([...connectedTo(graph, 77).tasks.keys()]).toEqual([]);
  });
});

describe("the critical path", () => {
  const cases: readonly { name: string; tasks: readonly GraphTask[]; key?: string; path: number[]; weight: number }[] =
    [
      { name: "of nothing is nothing", tasks: [], path: [], weight: 0 },
      { name: "of a single task is that task", tasks: [task(1)], path: [1], weight: 1 },
      {
        name: "is the longest chain",
        tasks: [task(1), task(2, { blockedBy: [1] }), task(3, { blockedBy: [2, 1] }), task(4, { blockedBy: [1] })],
        path: [1, 2, 3],
        weight: 3,
      },
      { name: "passes over what is done", tasks: [done(1), task(2, { blockedBy: [1] })], path: [2], weight: 1 },
      {
        name: "goes by estimates where there are any",
        key: "estimate",
        tasks: [
          task(1),
          task(2, { blockedBy: [1] }),
          task(3, { metadata: { estimate: 5 } }),
          task(4, { metadata: { estimate: "nonsense" } }),
          task(6, { metadata: { estimate: { toString: 0, valueOf: 0 } } }),
          task(5, { metadata: { estimate: -3 }, blockedBy: [3] }),
        ],
        path: [3, 5],
        weight: 6,
      },
      {
        name: "cuts a circle, at its lowest number",
        tasks: [task(1, { blockedBy: [3] }), task(2, { blockedBy: [1] }), task(3, { blockedBy: [2] })],
        path: [1, 2, 3],
        weight: 3,
      },
      { name: "a task that blocks itself is one task", tasks: [task(1, { blockedBy: [1] })], path: [1], weight: 1 },
    ];
  test.each(cases)("$name", ({ tasks, key, path, weight }) => {
    const found = criticalPath(graphOf(tasks), key);
    expect(found.tasks.map(({ number }) => number)).toEqual(path);
    expect(found.weight).toBe(weight);
  });

  test("is a chain of open tasks, and no chain is longer", () => {
    fc.assert(
      fc.property(acyclic, (tasks) => {
        const graph = graphOf(tasks);
        const { tasks: path, weight } = criticalPath(graph);
        for (const [index, one] of path.entries()) {
          expect(one.isOpen).toBe(true);
          if (index > 0) expect(one.blockedBy).toContain(path[index - 1]?.number);
        }
        const longest = new Map<number, number>();
        for (const { number, isOpen, blockedBy } of tasks)
          if (isOpen) longest.set(number, 1 + Math.max(0, ...blockedBy.map((blocker) => longest.get(blocker) ?? 0)));
        expect(weight).toBe(Math.max(0, ...longest.values()));
        expect(path).toHaveLength(weight);
      }),
    );
  });

  test("ends whatever the edges are, with a chain of tasks that differ", () => {
    fc.assert(
      fc.property(anything, (tasks) => {
        const path = criticalPath(graphOf(tasks)).tasks.map(({ number }) => number);
        expect(new Set(path).size).toBe(path.length);
        expect(path.length > 0).toBe(tasks.length > 0);
      }),
    );
  });
});

describe("the tree", () => {
  const drawn = (tasks: readonly GraphTask[]) =>
    treeRows(graphOf(tasks)).map(({ task: { number }, depth, hangs, alsoAfter }) => {
      const mark = { root: "", "below-parent": "-", "after-blocker": ">" }[hangs];
      return `${" ".repeat(depth)}${mark}${number}${alsoAfter.length === 0 ? "" : ` after ${alsoAfter.join(" ")}`}`;
    });
  const cases: readonly { name: string; tasks: readonly GraphTask[]; rows: readonly string[] }[] = [
    {
      name: "parts stand below their task",
      tasks: [task(1), task(2, { parent: 1 }), task(3)],
      rows: ["1", " -2", "3"],
    },
    {
      name: "what waits stands behind the last of its blockers",
      tasks: [task(1), task(2), task(3, { blockedBy: [1, 2] })],
      rows: ["1", "2", " >3 after 1"],
    },
    {
      name: "a parent that its parts block stands above them",
      tasks: [task(1, { parent: 2 }), task(2, { blockedBy: [1] })],
      rows: ["2 after 1", " -1"],
    },
    {
      name: "blockers that are done are not told",
      tasks: [done(1), done(2), task(3, { blockedBy: [1, 2] })],
      rows: ["1", "2", " >3"],
    },
    {
      name: "a circle is drawn once",
      tasks: [task(1, { blockedBy: [2] }), task(2, { blockedBy: [1] })],
      rows: ["1 after 2", " >2"],
    },
  ];
  test.each(cases)("$name", ({ tasks, rows }) => expect(drawn(tasks)).toEqual(rows));

  test("holds every task once, whatever the edges are", () => {
    for (const tasks of [acyclic, anything])
      fc.assert(
        fc.property(tasks, (all) => {
          const numbers = treeRows(graphOf(all)).map((row) => row.task.number);
          expect(numbers.sort((a, b) => a - b)).toEqual(all.map(({ number }) => number));
        }),
      );
  });

  test("a long chain has neither deep calls nor wide rows", () => {
    const chain = Array.from({ length: 10_000 }, (_, index) => task(index + 1, { blockedBy: index ? [index] : [] }));
    const rows = treeRows(graphOf(chain));
    expect(rows.at(-1)?.depth).toBe(9999);
    expect(rows.every(({ isLast }) => isLast.length <= DRAWN_LEVELS)).toBe(true);
    expect(criticalPath(graphOf(chain)).weight).toBe(10_000);
  });

  test("10,000 tasks with 50,000 edges", () => {
    const many = Array.from({ length: 10_000 }, (_, index) =>
      task(index + 1, { blockedBy: [1, 2, 3, 5, 8].map((back) => index + 1 - back).filter((number) => number > 0) }),
    );
    const graph = graphOf(many);
    expect(treeRows(graph)).toHaveLength(10_000);
    expect(criticalPath(graph).weight).toBe(10_000);
    expect(toDot(connectedTo(graph, 5000)).split("\n").length).toBeGreaterThan(50_000);
  });
});

describe("drawings for other programs", () => {
  const hostile = [
    '"] --> x["',
    "a\nb",
    '\\"',
    "\\",
    "`md`",
    "<script>",
    "#quot;",
    "&quot;",
    "style a:b#c;",
    "%%",
    "]end",
    "\u001b[31m",
    "\u202e",
  ];

  test("mermaid", () => {
    expect(toMermaid(graphOf([done(1, { subject: "a b" }), task(2, { blockedBy: [1], parent: 1 })]))).toBe(
      [
        "flowchart LR",
        '  t1["#35;1 a b"]:::completed',
        '  t2["#35;2 task 2"]:::ready',
        "  t1 -.-> t2",
        "  t1 --> t2",
        "  classDef ready fill:palegreen",
        "  classDef completed fill:lightgray",
        "",
      ].join("\n"),
    );
  });

  test("dot", () => {
    expect(toDot(graphOf([task(1, { subject: 'say "hi\\' }), task(2, { blockedBy: [1], parent: 1 })]))).toBe(
      [
        "digraph tasks {",
        "  rankdir=LR;",
        "  node [shape=box, style=filled];",
        '  1 [label="#1 say \\"hi\\\\", fillcolor=palegreen];',
        '  2 [label="#2 task 2", fillcolor=palegreen];',
        "  1 -> 2 [style=dotted];",
        "  1 -> 2;",
        "}",
        "",
      ].join("\n"),
    );
  });

  test("no subject breaks out of its label", () => {
    const subject = fc.oneof(
      fc.string({ unit: "binary", maxLength: 300 }),
      fc.array(fc.constantFrom(...hostile), { maxLength: 9 }).map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(subject, (text) => {
        const graph = graphOf([task(1, { subject: text })]);
        const mermaid = toMermaid(graph).split("\n");
        expect(mermaid).toHaveLength(4);
        expect(mermaid[1]).toMatch(/^ {2}t1\["(?:[\p{L}\p{M}\p{N} .,-]|#\d+;)*"\]:::ready$/u);
        const dot = toDot(graph).split("\n");
        expect(dot).toHaveLength(6);
        expect(dot[3]).toMatch(/^ {2}1 \[label="(?:[^"\\]|\\["\\])*", fillcolor=palegreen\];$/);
        expect(dot[3]).not.toMatch(/[\p{Cc}\u202e]/u);
      }),
    );
  });
});
