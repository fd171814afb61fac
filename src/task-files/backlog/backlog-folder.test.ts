import { describe, expect, test } from "vitest";
import { plain } from "../../../test/travelling-tasks.js";
import { travelling } from "../portable-task.js";
import type { Problem, TaskFile } from "../task-format.js";
import { backlogFolder } from "./backlog-folder.js";
import { readFrontMatter } from "./front-matter.js";

const FOLDER: readonly TaskFile[] = [
  {
    path: "tasks/back-12 - Add-a-field-for-types.md",
    text: `---
id: BACK-12
title: 'Core: Add a field for types'
status: In Progress
assignee:
  - '@ana'
created_date: '2026-01-01 23:37'
updated_date: '2026-05-11'
labels:
  - core
dependencies:
  - BACK-3
parent_task_id: BACK-1
priority: medium
ordinal: 125000
---

## Description

<!-- SECTION:DESCRIPTION:BEGIN -->
Tasks have no type.

Give them one.
<!-- SECTION:DESCRIPTION:END -->

## Acceptance Criteria
<!-- AC:BEGIN -->
- [ ] #1 A task has a type
- [x] #2 It is kept
<!-- AC:END -->

## Implementation Notes

<!-- SECTION:NOTES:BEGIN -->
Begun.
<!-- SECTION:NOTES:END -->

## Comments
<!-- COMMENTS:BEGIN -->
<!-- COMMENT:BEGIN -->
index: 1
author: bo
created: 2026-01-02 10:00

Which types?
<!-- COMMENT:END -->
<!-- COMMENTS:END -->
`,
  },
  {
    path: "tasks/back-1 - Types.md",
    text: "---\nid: BACK-1\ntitle: Types\nstatus: To Do\nassignee: []\nlabels: []\ndependencies: []\n---\n\n",
  },
  {
    path: "completed/back-3 - Read-files.md",
    text: "---\nid: BACK-3\ntitle: Read files\nstatus: Done\nassignee: []\nlabels: []\ndependencies: []\n---\n\n",
  },
];

const one = (text: string, path = "tasks/task-1 - One.md") => backlogFolder.read([{ path, text }]);

describe("a folder of Backlog.md", () => {
  test("is read", () => {
    const { tasks, problems } = backlogFolder.read(FOLDER);
    expect(problems).toEqual([]);
    expect(plain(tasks)).toEqual(
      plain([
        travelling({
          ...{ id: "BACK-12", subject: "Core: Add a field for types", status: "in_progress", assignee: "@ana" },
          ...{ priority: "medium", labels: ["core"], parent: "BACK-1", blockedBy: ["BACK-3"] },
          description:
            "Tasks have no type.\n\nGive them one.\n\n## Acceptance Criteria\n- [ ] #1 A task has a type\n- [x] #2 It is kept\n\n## Implementation Notes\n\nBegun.",
          notes: [{ text: "Which types?", by: "bo", at: Date.UTC(2026, 0, 2, 10) }],
          ...{ createdAt: Date.UTC(2026, 0, 1, 23, 37), updatedAt: Date.UTC(2026, 4, 11) },
          metadata: { backlog: { ordinal: 125000 } },
        }),
        travelling({ id: "BACK-1", subject: "Types" }),
        travelling({
          id: "BACK-3",
          subject: "Read files",
          status: "completed",
          metadata: { backlog: { folder: "completed" } },
        }),
      ]),
    );
  });

  test("is written where it was, and as it was", () => {
    const { files } = backlogFolder.write(backlogFolder.read(FOLDER).tasks);
    expect(files.slice(1)).toEqual(FOLDER.slice(1));
    expect(files[0]?.path).toBe("tasks/back-12 - Core-Add-a-field-for-types.md");
    expect(files[0]?.text).toBe(FOLDER[0]?.text);
  });

  test("which files belong to it", () => {
    const paths = [
      "tasks/task-1 - a.md",
      "backlog/drafts/task-2 - b.md",
      "task-3 - c.md",
      "archive/tasks/task-4 - d.md",
    ];
    const others = [
      "docs/doc-1 - x.md",
      "tasks/readme.md",
      "config.yml",
      "archive/drafts/task-5 - e.md",
      "tasks/task-1 - a.txt",
    ];
    expect([...paths, ...others].filter((path) => backlogFolder.isPart?.(path))).toEqual(paths);
  });

  test.each([
    ["To Do", "tasks", "pending"],
    ["done", "tasks", "completed"],
    ["Blocked", "tasks", "pending"],
    ["Draft", "drafts", "pending"],
    ["In Progress", "archive/tasks", "cancelled"],
    ["Done", "archive/tasks", "completed"],
  ])("%s in %s", (status, folder, expected) => {
    const path = `${folder}/task-1 - a.md`;
    const { tasks } = one(`---\nid: task-1\ntitle: a\nstatus: ${status}\n---\n`, path);
    expect(tasks[0]?.status).toBe(expected);
    const [file] = backlogFolder.write(tasks).files;
    expect(file?.text).toContain(`status: ${status}\n`);
  });

  test("ids in another case are the same ids", () => {
    const files = ["id: TASK-1\ndependencies: [task-2]", "id: task-2\nparent_task_id: Task-1"].map((text, index) => ({
      path: `tasks/task-${index + 1} - x.md`,
      text: `---\n${text}\ntitle: x\n---\n`,
    }));
    const { tasks, problems } = backlogFolder.read(files);
    expect([tasks[0]?.blockedBy, tasks[1]?.parent, problems]).toEqual([["task-2"], "TASK-1", []]);
  });

  test.each([
    [
      "no front matter",
      "Only text",
      { id: "task-1", subject: "One", description: "Only text" },
      ["tasks/task-1 - One.md"],
    ],
    ["nothing at all", "", { id: "task-1", subject: "One" }, ["tasks/task-1 - One.md"]],
    ["front matter without end", "---\nid: task-9\n", { id: "task-1" }, ["tasks/task-1 - One.md"]],
    [
      "a line that is no field",
      "---\nid: task-9\n?? what\ntitle: T\nmap:\n  a: b\n---\n",
      { id: "task-9", subject: "T" },
      ["tasks/task-1 - One.md, line 3"],
    ],
    [
      "a quote without end",
      "---\nid: task-9\ntitle: 'T\n---\n",
      { id: "task-9", subject: "One" },
      ["tasks/task-1 - One.md, line 3"],
    ],
  ])("%s costs no task", (_, text, expected, places) => {
    const { tasks, problems } = one(text);
    expect(tasks[0]).toMatchObject(expected);
    expect(problems.map(({ where }) => where)).toEqual(places);
  });

  test("our own: names of files lead nowhere, what has no place is carried", () => {
    const task = travelling({
      id: "1",
      subject: "../../etc: passwd?",
      status: "failed",
      priority: "critical",
      metadata: { a: [1] },
    });
    const { files } = backlogFolder.write([task]);
    expect(files[0]?.path).toBe("tasks/task-1 - etc-passwd.md");
    expect(plain(backlogFolder.read(files).tasks)).toEqual(plain([{ ...task, id: "task-1" }]));
    const done = files.map((file) => ({ ...file, text: file.text.replace("status: To Do", "status: Done") }));
    expect(backlogFolder.read(done).tasks[0]).toMatchObject({ status: "completed", priority: "critical" });
  });
});

describe("front matter", () => {
  test.each([
    ["a: plain # comment", "plain"],
    ["a: 'it''s'", "it's"],
    ['a: "x\\ty\\u00e9\\""', 'x\ty\u00e9"'],
    ["a: 12", 12],
    ["a: 007", "007"],
    ["a: true", true],
    ["a:", null],
    ["a: ~", null],
    ["a: [x, 'y, z', \"w\"]", ["x", "y, z", "w"]],
    ["a: []", []],
    ["a: [x, y] # two", ["x", "y"]],
    ["a: [@ana]", ["@ana"]],
    ["a:\n- x\n- 'y'", ["x", "y"]],
    ["a:\n  - x\n  - >-\n    long\n    line", ["x", "long line"]],
    ["a: >-\n  one\n  two\n\n  three", "one two\nthree"],
    ["a: |\n  one\n   two\n", "one\n two\n"],
    ["a: one\n  two", "one two"],
    ["a: x: y", "x: y"],
  ] as const)("%j", (text, expected) => {
    const problems: Problem[] = [];
    const { fields } = readFrontMatter("f", `---\n${text}\n---\n`, problems);
    expect([fields.get("a"), problems]).toEqual([expected, []]);
  });
});
