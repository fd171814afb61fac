import stringWidth from "string-width";
import { describe, expect, test } from "vitest";
import { listWith, planWith, reportWith } from "../../../../test/readers/session-reports.js";
import type { SessionView } from "../../../core/session/session-facts.js";
import type { TodoList } from "../../../core/todo/list.js";
import { showSessions } from "./session-detail.js";
import { tableRows } from "./session-table.js";

const output = (columns: number, hasColor = false) => ({
  write: async () => undefined,
  isTerminal: true,
  hasColor,
  columns,
});
const NOW = 1_000_000_000;
const table = (columns: number, ...views: Partial<SessionView>[]) =>
  tableRows(
    views.map((view) => reportWith(view, { updatedAt: new Date(NOW - 5000).toISOString() })),
    output(columns),
    NOW,
  );
/** Without the heading. */
const rows = (columns: number, ...views: Partial<SessionView>[]) => table(columns, ...views).slice(1);

/** What must not reach a terminal: it would move, colour, ring, or turn the text around. */
const ACTS = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u;

const HOSTILE = [
  "\u001b[2J\u001b[H\u001b]0;owned\u0007",
  "\u009b31m",
  "line\nforged  row\r\nmore",
  "漢字".repeat(300),
  "👩‍👩‍👧‍👦".repeat(100),
  "e\u0301".repeat(300),
  "\u202eevil\u2066",
  "x".repeat(50_000),
  `${"a\u0300".repeat(5000)}`,
  "\ufdfd".repeat(50),
  "\t\t\t\ttabs",
  "",
];

describe("no row is wider than the screen, and no text acts on it", () => {
  for (const columns of [40, 80, 200])
    test.each(HOSTILE)(`${columns} columns: %#`, (text) => {
      const view = {
        title: text,
        folder: `/home/dev/${text}`,
        branch: text,
        model: text,
      };
      const task = { id: "1", subject: text, status: "in_progress", blocks: [], blockedBy: [], at: 0 } as const;
      const views: Partial<SessionView>[] = [
        view,
        { ...view, list: listWith(`${text}!`, text, `${text}.`) },
        { ...view, id: "s1/agent", parent: "s1", tasks: [task] },
        { ...view, agent: "codex", list: listWith(...Array.from({ length: 10_000 }, () => "t")) },
      ];
      const plan = planWith({ title: text, decidedBy: text, reason: text, status: "rejected" });
      const asked = { waitingFor: { kind: "plan", text, choices: [] }, plan: planWith({ title: text }) } as const;
      const drawn = [...table(columns, ...views), ...tableRows([reportWith(view, asked)], output(columns), 0)];
      const page = showSessions(
        views.slice(0, 3).map((one) => reportWith(one, { plan })),
        output(columns),
      ).split("\n");
      for (const row of [...drawn, ...page]) {
        expect(row).not.toMatch(ACTS);
        expect(stringWidth(row)).toBeLessThanOrEqual(columns);
      }
    });
});

describe("what a row says", () => {
  const app = { title: "Fix it", folder: "/home/dev/app" };

  test("state, agent, project, progress, what it is on, how long ago; and how to go on", () => {
    expect(
      rows(80, { ...app, list: listWith("a.", "b!", "c") }).map((row) => row.replace(/ {2,}/g, "  ").trim()),
    ).toEqual(["running  claude-code  s1  app  1/3  5s  ▸ b  ? 1 unbacked", "claude --resume s1  Fix it"]);
  });

  test.each([
    [{ ...app }, "-  5s  Fix it"],
    [{ folder: "/home/dev/app" }, "-  5s  s1"],
    [{ ...app, list: listWith("a.", "b-") }, "1/1  5s  Fix it"],
    [{ ...app, list: listWith("a.", "b") }, "1/2  5s  Fix it"],
    [
      { ...app, tasks: [{ id: "1", subject: "t", status: "in_progress", blocks: [], blockedBy: [], at: 0 }] },
      "0/1  5s  ▸ t",
    ],
  ] satisfies [Partial<SessionView>, string][])("%#: progress and focus", (view, expected) => {
    expect(rows(80, view)[0]?.replace(/ {2,}/g, "  ")).toContain(`app  ${expected}`);
  });

  test("what is being done is said in its own words, where there are any", () => {
    const list = listWith("a.", "Run the tests!", "c");
    const saying = (activeForm: string): TodoList => ({
      ...list,
      phases: list.phases.map(({ name, todos }) => ({ name, todos: todos.map((todo) => ({ ...todo, activeForm })) })),
    });
    expect(rows(80, { ...app, list: saying("Running the tests") })[0]).toContain("▸ Running the tests");
    expect(rows(80, { ...app, list })[0]).toContain("▸ Run the tests");
  });

  test("on a narrow screen the state, what it is on and the age are still there", () => {
    const [row = ""] = rows(40, { ...app, folder: "/home/dev/a-long-project-name", list: listWith("a.", "build it!") });
    expect(row).toMatch(/^running .*1\/2 .* 5s {2}▸ build/);
  });

  test("sub-agents stand below theirs while they are at work", () => {
    const below = { id: "s1/x", parent: "s1", title: "Look" };
    expect(rows(80, app, below)).toHaveLength(3);
    const idle = reportWith(below, { state: "idle" });
    expect(tableRows([reportWith(app), idle], output(80), NOW)).toHaveLength(3);
  });

  test("in the same columns as the others", () => {
    const below = { id: "s1/x", parent: "s1", title: "Look", folder: "/home/dev/app", list: listWith("a!") };
    const [heading = "", first = "", , second = ""] = table(100, app, below);
    for (const row of [first, second]) {
      expect(row.slice(heading.indexOf("project")).startsWith("app ")).toBe(true);
      expect(row.slice(heading.indexOf("now"))).toMatch(/^(?:Fix it|▸ a)$/);
    }
    expect(second.slice(heading.indexOf("agent"))).toMatch(/^└ claude-code /);
  });

  test("into a pipe rows are whole", () => {
    const text = "x".repeat(500);
    const view = { title: text, folder: `/home/dev/${text}`, list: listWith(`${text}!`) };
    const drawn = tableRows([reportWith(view)], { ...output(80), isTerminal: false }, NOW);
    expect(drawn.join("")).not.toContain("…");
    expect(drawn[1]).toContain(`▸ ${text}`);
    expect(drawn.filter((row) => row.endsWith(" "))).toEqual([]);
  });

  test("a heading says what is what, and is left out where there is nothing", () => {
    expect(table(80, app)[0]).toMatch(/^state {4}agent +id +project +done +age +now$/);
    expect(table(80)).toEqual([]);
  });

  test.each([
    [100, "waiting: permission, 3m  claude-code  s1  app"],
    [80, "waiting: permission, 3m  claude-code  s1  app"],
    [60, "waiting  claude-code  app"],
    [40, "waiting  -"],
  ])("at %d columns a session that waits says %s, and what for", (columns, start) => {
    const since = new Date(NOW - 180_000).toISOString();
    const why = { reason: "permission", source: "hook", since, word: null } as const;
    const waitingFor = {
      kind: "permission",
      text: `Bash: npm publish ${"x".repeat(200)}\u001b[2J`,
      choices: [],
    } as const;
    const report = reportWith(app, { state: "waiting", why, waitingFor });
    const [, row = "", asks = ""] = tableRows([report], output(columns), NOW);
    expect(row.replace(/ {2,}/g, "  ")).toMatch(new RegExp(`^${start}`));
    expect(asks).toMatch(/^ {2}asks: Bash: npm publish x+/);
    for (const one of [row, asks]) {
      expect(stringWidth(one)).toBeLessThanOrEqual(columns);
      expect(one).not.toMatch(ACTS);
    }
    expect(showSessions([report], output(columns), NOW)).toContain("waiting: permission, 3m, from hook");
  });

  test("colour only where it was asked for", () => {
    const coloured = tableRows([reportWith(app)], output(80, true), NOW);
    expect(coloured.every((row) => row.includes("\u001b["))).toBe(true);
    expect(stringWidth(coloured[0] ?? "")).toBeLessThanOrEqual(80);
  });
});

describe("a plan", () => {
  const at = (ago: number) => new Date(NOW - ago).toISOString();
  const waiting = { state: "waiting", waitingFor: { kind: "plan", text: "P", choices: [] } } as const;

  test("that waits for the person stands below its session, with its id", () => {
    const report = reportWith({ title: "T" }, { ...waiting, plan: planWith({ title: "Move to Redis" }) });
    expect(tableRows([report], output(80), NOW)[2]).toBe("  plan abcd-efghi, proposed: Move to Redis");
  });

  test.each([
    [{ proposedAt: at(480_000) }, ["plan abcd-efghi, proposed 8m ago: P", "milepost plan show abcd-efghi"]],
    [
      { status: "approved", decidedAt: at(60_000), decidedBy: "ann@mac" },
      ["plan abcd-efghi, approved 1m ago by ann@mac: P", "milepost plan show abcd-efghi"],
    ],
    [
      { status: "rejected", decidedBy: "ann@mac", reason: "Tell me\nwhy first" },
      ["plan abcd-efghi, rejected by ann@mac: P", "reason: Tell me␊why first", "milepost plan show abcd-efghi"],
    ],
    [
      { status: "superseded", proposedAt: at(1000) },
      ["plan abcd-efghi, superseded: P", "milepost plan show abcd-efghi"],
    ],
  ] as const)("is shown with its session: %j", (fields, expected) => {
    const page = showSessions([reportWith({}, { ...waiting, plan: planWith(fields) })], output(100), NOW);
    const found = page.split("\n").map((row) => row.trim());
    expect(found.filter((row) => /^(?:asks|plan|reason|milepost)/.test(row))).toEqual(expected);
  });
});

describe("finished work", () => {
  const done = (...texts: string[]) => ({ at: NOW - 22 * 60_000, list: listWith(...texts), spans: [] });
  const page = (view: Partial<SessionView>) => showSessions([reportWith(view)], output(100), NOW);
  const task = { id: "1", subject: "t", status: "pending", blocks: [], blockedBy: [], at: 0 } as const;
  const cases: { name: string; view: Partial<SessionView>; row: RegExp; detail: string[]; not?: string }[] = [
    {
      name: "a list that was cleared",
      view: { title: "T", finished: done("a.", "b.") },
      row: / 2\/2 +5s {2}done 22m ago {2}\? 2 unbacked$/,
      detail: ["  2/2 done 22m ago", "  [x] a  ? unbacked", "  [x] b  ? unbacked"],
    },
    {
      name: "one that is still there is shown once",
      view: { title: "T", list: listWith("a."), finished: done("a.") },
      row: / 1\/1 +5s {2}done 22m ago {2}\? 1 unbacked$/,
      detail: ["  1/1 done 22m ago", "  [x] a  ? unbacked"],
    },
    {
      name: "with cancelled todos",
      view: { title: "T", finished: done("a.", "b-") },
      row: / 1\/1 +5s {2}done 22m ago, 1 cancelled {2}\? 1 unbacked$/,
      detail: ["  1/1 done 22m ago, 1 cancelled", "  [x] a  ? unbacked", "  [-] b"],
    },
    {
      name: "an open list hides it",
      view: { title: "T", list: listWith("n!"), finished: done("a.") },
      row: / 0\/1 +5s {2}▸ n$/,
      detail: ["  [>] n"],
      not: "done 22m",
    },
    {
      name: "so do the client's own tasks",
      view: { title: "T", tasks: [task], finished: done("a.") },
      row: / 0\/1 +5s {2}T$/,
      detail: ["  [ ] #1 t"],
      not: "done 22m",
    },
    {
      name: "and another list that was given up",
      view: {
        title: "T",
        list: { ...listWith(), phases: [{ name: "", todos: listWith("x", "n-").phases[0]?.todos.slice(1) ?? [] }] },
        finished: done("a."),
      },
      row: / - +5s {2}T$/,
      detail: ["  [-] n"],
      not: "done 22m",
    },
  ];
  test.each(cases)("$name", ({ view, row, detail, not }) => {
    expect(rows(100, view)[0]).toMatch(row);
    const text = page(view);
    for (const one of detail) expect(text.split("\n").filter((line) => line === one)).toHaveLength(1);
    if (not) expect(text).not.toContain(not);
  });

  test("the title stands in the row below, and beside it for a sub-agent", () => {
    expect(rows(100, { title: "T", finished: done("a.") })[1]).toMatch(/claude --resume s1 {2}T$/);
    expect(rows(100, { id: "s1/a", parent: "s1", title: "T", finished: done("a.") })[0]).toMatch(
      /done 22m ago {2}T {2}\? 1 unbacked$/,
    );
  });
});
