import { describe, expect, test } from "vitest";
import { plain } from "../../../test/travelling-tasks.js";
import { type PortableTask, travelling } from "../portable-task.js";
import { markdownChecklist } from "./markdown-checklist.js";

const read = (text: string) => markdownChecklist.read([{ path: "tasks.md", text }]);
const write = (...tasks: readonly PortableTask[]) => markdownChecklist.write(tasks).files[0]?.text;
const only = (text: string) => read(text).tasks[0];

describe("a list as people write it", () => {
  const RELEASE = `# Release

Some words about it, which are no task.

## Before

- [x] #1 Freeze the branch @ana
- [>] #2 Write the notes !high +docs (after #1)
  For users, not for us.

  - One line each.
  - [ ] #2.1 Ask support what was asked for
  - [-] #2.2 Screenshots
* [!] #3 Run the long tests (blocked by #1, #2)

## After

1. [ ] 4. Tell everybody (depends on #3 and #2)
`;

  test("its ids, states, nesting, text and signs", () => {
    const { tasks, problems } = read(RELEASE);
    const task = (id: string, subject: string, rest: Partial<PortableTask>) => travelling({ id, subject, ...rest });
    expect(problems).toEqual([]);
    expect(plain(tasks)).toEqual(
      plain([
        task("1", "Freeze the branch", { status: "completed", assignee: "ana", labels: ["section:Before"] }),
        task("2", "Write the notes", {
          status: "in_progress",
          priority: "high",
          labels: ["section:Before", "docs"],
          blockedBy: ["1"],
          description: "For users, not for us.\n\n- One line each.",
        }),
        task("2.1", "Ask support what was asked for", { parent: "2" }),
        task("2.2", "Screenshots", { parent: "2", status: "cancelled" }),
        task("3", "Run the long tests", { status: "failed", blockedBy: ["1", "2"], labels: ["section:Before"] }),
        task("4", "Tell everybody", { blockedBy: ["3", "2"], labels: ["section:After"] }),
      ]),
    );
  });

  test("it is written as it was read", () => {
    const { tasks } = read(RELEASE);
    const text = write(...tasks) ?? "";
    expect(text).toContain(
      "## Before\n\n- [x] #1 Freeze the branch @ana\n- [>] #2 Write the notes !high +docs (after #1)\n",
    );
    expect(text).toContain("  - [-] #2.2 Screenshots\n- [!] #3");
    expect(plain(read(text).tasks)).toEqual(plain(tasks));
  });
});

describe("items", () => {
  test.each([
    ["- [ ] plain", "pending"],
    ["* [X] capital", "completed"],
    ["+ [/] half", "in_progress"],
    ["12) [>] ordered", "in_progress"],
    ["- [?] unknown is never done", "pending"],
    ["- [ ]\ttab", "pending"],
  ])("%j is %s", (line, status) => {
    expect(only(line)?.status).toBe(status);
  });

  test.each([
    ["no box", "- item"],
    ["a link", "- [x](https://example.org)"],
    ["a reference", "- [1] see there"],
    ["two characters", "- [xx] text"],
    ["code", "```\n- [ ] a\n```"],
    ["code with other fences in it", "~~~~\n~~~\n- [ ] a\n```\n~~~~"],
    ["nothing", ""],
  ])("%s is none", (_, text) => {
    expect(read(text)).toEqual({ tasks: [], problems: [] });
  });

  test("a mark that is not known is kept", () => {
    const task = only("- [?] #1 what");
    expect(task?.metadata).toEqual({ markdown: { mark: "?" } });
    expect(task && write(task)).toBe("- [?] #1 what\n");
    expect(task && write({ ...task, status: "completed" })).toBe("- [x] #1 what\n");
  });

  test("a code block that never ends hides nothing", () => {
    expect(read("```\n- [ ] a\n- [ ] b").tasks).toHaveLength(2);
  });

  test("Windows' line ends and a byte order mark", () => {
    expect(plain(read("\ufeff- [ ] #1 a\r\n  text\r\n- [ ] #2 b\r\n").tasks)).toEqual(
      plain([travelling({ id: "1", subject: "a", description: "text" }), travelling({ id: "2", subject: "b" })]),
    );
  });

  test("tabs nest as well, and what stands between ends a list", () => {
    const tasks = read("- [ ] #1 a\n\t- [ ] #2 b\n- group\n  - [ ] #3 c\n").tasks;
    expect(tasks.map(({ parent }) => parent)).toEqual([undefined, "1", undefined]);
  });
});

describe("names", () => {
  test("numbers of an ordered list are ids when they tell items apart", () => {
    expect(read("1. [ ] a\n2. [ ] b (after #1)\n").tasks.map(({ id, blockedBy }) => [id, blockedBy])).toEqual([
      ["1", []],
      ["2", ["1"]],
    ]);
    expect(read("1. [ ] a\n1. [ ] b\n").tasks.every(({ id }) => id.startsWith("~"))).toBe(true);
  });

  test("an item without a name has one that follows from what it says", () => {
    const [a, b] = read("- [ ] a\n- [ ] b\n").tasks;
    const [, moved] = read("- [ ] new\n- [x] b +more\n").tasks;
    expect(moved?.id).toBe(b?.id);
    expect(a?.id).not.toBe(b?.id);
    expect(read("- [ ] a\n- [ ] a\n").problems).toEqual([]);
    expect(a && b && write(a, b)).toBe("- [ ] #1 a\n- [ ] #2 b\n");
  });

  test("an id that is there twice, and one that is not there, are told; the tasks stay", () => {
    const { tasks, problems } = read("- [ ] #1 a\n- [ ] #1 b (after #9)\n- [ ] #3 c (part of #8)");
    expect(tasks.map(({ id, blockedBy, parent }) => [id, blockedBy, parent])).toEqual([
      ["1", [], undefined],
      ["1~2", [], undefined],
      ["3", [], undefined],
    ]);
    expect(problems.map(({ where }) => where)).toEqual(["line 2", "line 2", "line 3"]);
  });

  test("circles and self edges are passed on", () => {
    const { tasks, problems } = read("- [ ] #1 a (after #1, #2)\n- [ ] #2 b (after #1)");
    expect([tasks.map(({ blockedBy }) => blockedBy), problems]).toEqual([[["1", "2"], ["1"]], []]);
  });
});

describe("signs", () => {
  test.each([
    ["mail to ana@example.org", {}],
    ["vote +1", {}],
    ["say !important", {}],
    ["@ana", {}],
    ["call (after lunch)", {}],
    ["call (after #1, lunch)", {}],
    ["ask @ana first", {}],
    ["ask @ana", { subject: "ask", assignee: "ana" }],
    ["ask \\@ana", { subject: "ask @ana" }],
    ["ask \\\\@ana", { subject: "ask \\@ana" }],
    ["ask \\(part of #1)", { subject: "ask (part of #1)" }],
    ["C:\\dir\\x", {}],
    ["a +needs%20review", { subject: "a", labels: ["needs review"] }],
    ["a +50%", {}],
    ["a @x @y", { subject: "a @x", assignee: "y" }],
    ["a !low !high", { subject: "a !low", priority: "high" }],
  ] as readonly (readonly [string, Partial<PortableTask>])[])("%j", (text, expected) => {
    const task = only(`- [ ] #7 ${text}`);
    expect(task).toMatchObject({ id: "7", subject: text, ...expected });
    expect(task && plain(read(write(task) ?? "").tasks)).toEqual(task && plain([task]));
  });
});

describe("what a list cannot show", () => {
  test("is told once for all tasks", () => {
    const task = travelling({ id: "1", subject: "a", notes: [{ text: "n" }], metadata: { a: 1 } });
    const { problems } = markdownChecklist.write([task, { ...task, id: "2" }]);
    expect(problems.map(({ message }) => message)).toEqual([
      "A checklist cannot store the notes of 2 tasks. The json format can.",
      "A checklist cannot store the metadata of 2 tasks. The json format can.",
    ]);
  });

  test("edges to tasks that are not written are told", () => {
    const { problems } = markdownChecklist.write([
      travelling({ id: "1", subject: "a", blockedBy: ["2"], parent: "3" }),
    ]);
    expect(problems).toHaveLength(1);
  });

  test("a task without a section after one with: sections are labels then", () => {
    const tasks = [
      travelling({ id: "1", subject: "a", labels: ["section:A b"] }),
      travelling({ id: "2", subject: "b" }),
    ];
    expect(write(...tasks)).toBe("- [ ] #1 a +section:A%20b\n- [ ] #2 b\n");
  });
});

describe("a list it was written from", () => {
  const task = travelling({ id: "7", subject: "one", labels: ["section:Soon"] });
  const text = markdownChecklist.write([task], { list: "team:web" }).files[0]?.text ?? "";

  test("stands in the first line, and is read again", () => {
    expect(text).toBe("<!-- milepost: team:web 7 -->\n\n## Soon\n\n- [ ] #7 one\n");
    expect(read(text)).toMatchObject({ home: { list: "team:web", highest: 7 }, tasks: [{ id: "7" }], problems: [] });
    expect(read(text.replaceAll("\n", "\r\n")).home).toEqual({ list: "team:web", highest: 7 });
  });

  test.each(["- [ ] #7 one\n", `words\n${text}`, "<!-- milepost: -->\n", "<!-- milepost: a b c -->\n"])(
    "%j has none",
    (other) => {
      expect(read(other).home).toBeUndefined();
    },
  );
});

test("an empty box is a problem, not a task; what stands below it is kept", () => {
  const { tasks, problems } = read("- [ ] a\n  - [ ]\n    - [ ] b\n- [x]\n");
  expect(tasks.map(({ subject }) => subject)).toEqual(["a", "b"]);
  expect(tasks[1]?.parent).toBe(tasks[0]?.id);
  expect(problems.map(({ where }) => where)).toEqual(["line 2", "line 4"]);
});
