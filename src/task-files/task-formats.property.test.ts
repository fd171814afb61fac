import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hostileJson } from "../../test/hostile-json.js";
import { sized } from "../../test/sizes.js";
import { manyTasks, plain, someTasks, someText, underIdsOf } from "../../test/travelling-tasks.js";
import { toMinute } from "./backlog/minute.js";
import { oneLine } from "./checklist/checklist-lines.js";
import { isChecklistId } from "./checklist/item.js";
import { type PortableTask, travelling } from "./portable-task.js";
import { linesIn, withoutBlankEnds } from "./sections.js";
import type { TaskFile, TaskFormat } from "./task-format.js";
import { findTaskFormat, recogniseTasks, TASK_FORMATS } from "./task-formats.js";

const MANY = sized(1000, 10_000);
/** Characters, of whatever there is far too much. */
const LONG = sized(400_000, 10_000_000);

function formatOf(name: string): TaskFormat {
  const format = findTaskFormat(name);
  if (!format) throw new Error(`There is no format ${name}.`);
  return format;
}

const sorted = (tasks: readonly PortableTask[]) =>
  [...tasks].sort((one, other) => ((one.uuid ?? one.id) < (other.uuid ?? other.id) ? -1 : 1));

/** What comes back of a list that goes out, and what should. */
function thereAndBack(name: string, tasks: readonly PortableTask[]) {
  const format = formatOf(name);
  const { tasks: back, problems } = format.read(format.write(tasks).files);
  return { back: plain(sorted(underIdsOf(back, tasks))), problems };
}

describe("what goes out comes back", () => {
  test.each(["json", "beads", "task-master"])("all of it: %s", (name) => {
    fc.assert(
      fc.property(someTasks, (tasks) => {
        expect(thereAndBack(name, tasks)).toEqual({ back: plain(sorted(tasks)), problems: [] });
      }),
    );
  });

  test("all but seconds: backlog", () => {
    fc.assert(
      fc.property(someTasks, (tasks) => {
        const { back, problems } = thereAndBack("backlog", tasks);
        expect({ back, problems }).toEqual({ back: plain(sorted(tasks.map(toMinute))), problems: [] });
      }),
    );
  });

  test("all but cancelled tasks, which are told: claude", () => {
    fc.assert(
      fc.property(someTasks, (tasks) => {
        const kept = new Set(tasks.filter(({ status }) => status !== "cancelled").map(({ id }) => id));
        const expected = tasks
          .filter(({ id }) => kept.has(id))
          .map((task) => ({
            ...task,
            parent: task.parent !== undefined && kept.has(task.parent) ? task.parent : undefined,
            blockedBy: task.blockedBy.filter((id) => kept.has(id)),
          }));
        const { problems } = formatOf("claude").write(tasks);
        expect(problems).toHaveLength(tasks.length - kept.size);
        expect(thereAndBack("claude", tasks)).toEqual({ back: plain(sorted(expected)), problems: [] });
      }),
    );
  });

  test("what a list shows: markdown", () => {
    fc.assert(
      fc.property(someTasks, (tasks) => {
        const held = tasks.map(({ id, subject, description, status, priority, labels, assignee, parent, blockedBy }) =>
          travelling({
            id,
            subject: oneLine(subject),
            description: withoutBlankEnds(linesIn(description)),
            ...{ status, priority, labels, assignee, parent, blockedBy },
          }),
        );
        const { tasks: back, problems } = formatOf("markdown").read(formatOf("markdown").write(tasks).files);
        expect({ back: plain(sorted(back)), problems }).toEqual({ back: plain(sorted(held)), problems: [] });
      }),
    );
  });

  test.each(TASK_FORMATS.map(({ name }) => name))("what is written is recognised: %s", (name) => {
    const { files } = formatOf(name).write([travelling({ id: "1", subject: "one" })]);
    expect(recogniseTasks(files)?.name).toBe(name);
  });

  test.each(TASK_FORMATS.map(({ name }) => name))(`${MANY} tasks: %s`, (name) => {
    const tasks = manyTasks(MANY);
    const { files, problems } = formatOf(name).write(tasks);
    const { tasks: back, problems: found } = formatOf(name).read(files);
    expect([back.length, problems, found]).toEqual([tasks.length, [], []]);
    const last = back.find(({ subject }) => subject === `Task ${MANY}`);
    const before = back.find(({ subject }) => subject === `Task ${MANY - 1}`);
    expect(last?.blockedBy).toEqual([before?.id]);
    expect(last?.parent).toBe(back.find(({ subject }) => subject === `Task ${MANY - 99}`)?.id);
  });

  test.each(TASK_FORMATS.map(({ name }) => name))("a chain of 2,000 parents: %s", (name) => {
    const tasks = Array.from({ length: 2000 }, (_, index) =>
      travelling({ id: String(index + 1), subject: `t${index + 1}`, parent: index === 0 ? undefined : String(index) }),
    );
    const { tasks: back, problems } = formatOf(name).read(formatOf(name).write(tasks).files);
    const bySubject = new Map(back.map((task) => [task.id, task.subject]));
    expect(problems).toEqual([]);
    expect(
      back.every(
        ({ subject, parent }) => subject === "t1" || bySubject.get(parent ?? "") === `t${Number(subject.slice(1)) - 1}`,
      ),
    ).toBe(true);
  });
});

const FIELDS = [
  ...["id", "title", "subject", "status", "type", "priority", "labels", "assignee", "assignees", "owner", "parent"],
  ...["dependencies", "blockedBy", "blocks", "subtasks", "metadata", "notes", "created_at", "folder", "ordinal"],
];

describe("whatever a file holds", () => {
  const DEEP = 100_000;
  const nested = `${'{"a":['.repeat(DEEP)}1${"]}".repeat(DEEP)}`;
  const long = "x".repeat(LONG);
  const hostile: readonly (readonly [string, string])[] = [
    ["nothing", ""],
    ["blank lines", "\n \n\t\n"],
    ["a byte order mark", "\ufeff"],
    ["NUL", "\u0000"],
    ["half a character", '- [ ] \ud800\n{"id":"1","title":"\\ud800","subject":"\\udc00","blocks":[]}'],
    ["JSON that is deep", nested],
    ["deep metadata", `{"id":"1","title":"t","subject":"s","issue_type":"task","blocks":[],"metadata":${nested}}`],
    ["deep fields", `{"tasks":[{"id":1,"title":"t","subject":"s","more":${nested}}]}`],
    ["deep subtasks", `{"tasks":${'[{"id":1,"title":"t","subtasks":'.repeat(5000)}[]${"}]".repeat(5000)}}`],
    [
      "odd keys",
      '{"__proto__":{"tasks":[]},"id":"1","title":"t","subject":"s","metadata":{"__proto__":{"x":1},"constructor":2}}',
    ],
    ["odd statuses", '{"tasks":[{"id":1,"title":"t","status":"constructor"},{"id":2,"title":"u","status":{"a":[]}}]}'],
    [
      "odd values",
      '{"tasks":[null,1,"x",[],{},{"id":{}},{"id":1e400,"title":5}],"id":"length","title":"t","priority":"length"}',
    ],
    ["a long line", long],
    ["a long item", `- [ ] ${long}`],
    ["many blanks", `- [ ] a${" ".repeat(LONG)}b`],
    ["many backslashes", `- [ ] ${"\\".repeat(LONG)}@ana`],
    ["many brackets", `- [ ] a ${"(after #1) ".repeat(LONG / 10)}`],
    ["many labels", `- [ ] a ${"+l ".repeat(LONG / 4)}`],
    ["one long label", `- [ ] a +${long}`],
    ["code blocks without end", "```js\n".repeat(LONG / 100)],
    ["indented ones", `- [ ] a\n${"  ~~~~x\n".repeat(LONG / 100)}`],
    ["front matter without end", `---\n${"a: b\n".repeat(LONG / 100)}`],
    ["long front matter", `---\ntitle: ${long}\nlabels: [${"a,".repeat(LONG / 10)}]\n---\n`],
    ["quotes without end", `---\ntitle: "${'\\"'.repeat(LONG / 10)}\nlabels: ['${"'',".repeat(LONG / 10)}\n---\n`],
    ["a long heading", `# ${"# ".repeat(LONG / 2)}\n- [ ] a`],
  ];

  describe.each(TASK_FORMATS.map((format) => [format.name, format] as const))("%s", (_, format) => {
    const inFiles = (text: string): readonly TaskFile[] => [
      { path: format.name === "claude" ? "1.json" : "tasks/task-1 - x.md", text },
    ];

    test.each(hostile)("%s", (_name, text) => {
      recogniseTasks(inFiles(text));
      const { tasks, problems } = format.read(inFiles(text));
      // What was read can be kept, written and read again.
      expect(format.read(format.write(tasks).files).tasks.length).toBeLessThanOrEqual(tasks.length);
      expect(() => JSON.stringify({ tasks, problems })).not.toThrow();
      expect({}).not.toHaveProperty("x");
    });

    test("any text", () => {
      fc.assert(
        fc.property(fc.array(someText, { maxLength: 4 }), (texts) => {
          const { tasks } = format.read(
            texts.flatMap((text, index) =>
              inFiles(text).map((file) => ({ ...file, path: file.path.replace("1", String(index)) })),
            ),
          );
          expect(new Set(tasks.map(({ id }) => id)).size).toBe(tasks.length);
          expect(tasks.every(({ subject }) => subject !== "")).toBe(true);
        }),
      );
    });

    test("any JSON", () => {
      fc.assert(
        fc.property(fc.array(fc.jsonValue(), { maxLength: 3 }), (values) => {
          const tasks = values.map((value) =>
            typeof value === "object" && !Array.isArray(value) ? { id: "1", title: "t", ...value } : value,
          );
          const texts = [
            JSON.stringify({ tasks }),
            JSON.stringify(tasks),
            tasks.map((task) => JSON.stringify(task)).join("\n"),
          ];
          for (const text of texts) format.write(format.read(inFiles(text)).tasks);
        }),
      );
    });

    test("a known field with something in it that cannot be cast, read and written", () => {
      const fields = fc.dictionary(fc.constantFrom(...FIELDS), fc.oneof(hostileJson, someText), { maxKeys: 5 });
      fc.assert(
        fc.property(fields, fields, (one, other) => {
          const edge = { issue_id: "1", depends_on_id: "2", ...other };
          const task = { id: "1", title: "t", subject: "s", dependencies: [edge, edge], ...one };
          for (const text of [JSON.stringify({ tasks: [task] }), JSON.stringify([task]), JSON.stringify(task)])
            format.write(format.read(inFiles(text)).tasks);
          // What was kept of another format goes into each of them.
          const metadata = Object.fromEntries(TASK_FORMATS.map(({ name }) => [name, { ...one, dependencies: [edge] }]));
          format.write([travelling({ id: "1", subject: "one", assignee: "ann", metadata })]);
        }),
      );
    });

    test("nothing comes of nothing", () => {
      expect(format.read([])).toEqual({ tasks: [], problems: [] });
      expect(format.read(format.write([]).files)).toEqual({ tasks: [], problems: [] });
    });

    test("no message repeats a command", () => {
      const command = "rm -rf build; git reset --hard";
      const odd = `{"tasks":[{"id":"${command}","title":"${command}","subject":"s","status":"${command}","dependencies":["${command}"],"blockedBy":["${command} x"]}]}`;
      const texts = [
        odd,
        `{"id":"1","title":"t","status":"${command}","subject":"s","blocks":[]}`,
        `---\nstatus: ${command}\ndependencies: ['${command}']\n---`,
      ];
      const messages = texts.flatMap((text) =>
        format.read(inFiles(text)).problems.map(({ where, message }) => where + message),
      );
      expect(messages.join()).not.toMatch(/\brm\b|reset/);
    });
  });

  test("ids that a list cannot hold become others", () => {
    const tasks = [
      travelling({ id: "a b", subject: "one" }),
      travelling({ id: "2", subject: "two", blockedBy: ["a b"] }),
    ];
    for (const { name } of TASK_FORMATS) {
      const back = formatOf(name).read(formatOf(name).write(tasks).files).tasks;
      const [one, two] = sorted(back).sort((left, right) => (left.subject < right.subject ? -1 : 1));
      expect([name, two?.blockedBy]).toEqual([name, [one?.id]]);
    }
    expect(isChecklistId("a b")).toBe(false);
  });
});
