import fc from "fast-check";
import { TASK_PRIORITIES, TASK_STATUSES } from "../src/core/task/task.js";
import { type PortableTask, travelling } from "../src/task-files/portable-task.js";

/** Words that some format could take for its own notation. */
const NOTATION = [
  ...[
    "- [ ] item",
    "* [x] done",
    "1. [!] x",
    "\\- [ ] escaped",
    "```",
    "~~~ js",
    "```\n- [ ] in code\n```",
    "## Details",
  ],
  ...["ask @ana", "!high", "+label", "\\!high", "C++ (after #1)", "(part of #2)", "#7 seven", "3. three", "\\\\@x"],
  ...["---", "a: b", "'quoted'", '"', "# no comment", "yes", "[1, 2]", "<!-- AC:BEGIN -->", "## Acceptance Criteria"],
  ...["failed: not", "cancelled", "a\nb", "a\n\n  b", "\ttab", "trailing ", " leading", "\u2028", "\u0000", "é🙂"],
];

export const someText = fc
  .oneof(
    fc.constantFrom(...NOTATION),
    fc.array(fc.constantFrom(...NOTATION), { minLength: 2, maxLength: 4 }).map((parts) => parts.join("\n")),
    fc.string({ unit: "grapheme" }),
    fc.string({ unit: "binary" }),
  )
  .map((text) => text.toWellFormed());
const words = someText.filter((text) => text.trim() !== "");
const time = fc.integer({ min: 0, max: 4_000_000_000_000 });
const note = fc.record({ text: words, by: words, at: time }, { requiredKeys: ["text"] });
const metadata = fc
  .dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 })
  .filter((value) => !JSON.stringify(value).includes("__proto__"))
  .map((value) => JSON.parse(JSON.stringify(value).toWellFormed()) as Record<string, unknown>);

const oneTask = fc.record(
  {
    uuid: fc.uuid(),
    subject: words,
    description: someText,
    activeForm: words,
    status: fc.constantFrom(...TASK_STATUSES),
    priority: fc.constantFrom(...TASK_PRIORITIES),
    labels: fc.uniqueArray(words, { maxLength: 3 }),
    metadata,
    assignee: words,
    parent: fc.nat(),
    blockers: fc.array(fc.nat(), { maxLength: 3 }),
    notes: fc.array(note, { maxLength: 2 }),
    evidence: fc.array(note, { maxLength: 2 }),
    reason: words,
    maxAttempts: fc.integer({ min: 1, max: 9 }),
    createdAt: time,
    updatedAt: time,
    closedAt: time,
  },
  { requiredKeys: ["uuid", "subject"] },
);

/** Lists with edges of any kind, circles too, under ids 1, 2, 3 and so on. */
export const someTasks: fc.Arbitrary<readonly PortableTask[]> = fc
  .uniqueArray(oneTask, { maxLength: 8, selector: ({ uuid }) => uuid })
  .map((list) =>
    list.map(({ parent, blockers = [], ...task }, index) => {
      const id = (at: number) => String((at % list.length) + 1);
      const blockedBy = [...new Set(blockers.map(id))];
      const above = parent === undefined || id(parent) === id(index) ? undefined : id(parent);
      return travelling({ ...task, id: id(index), blockedBy, parent: above });
    }),
  );

/** As many as anybody has, each after the one before it and many under one parent. */
export function manyTasks(count: number): readonly PortableTask[] {
  return Array.from({ length: count }, (_, index) =>
    travelling({
      id: String(index + 1),
      subject: `Task ${index + 1}`,
      description: `What there is to say of task ${index + 1}.`,
      status: index % 3 === 0 ? "completed" : "pending",
      priority: "high",
      labels: ["core"],
      blockedBy: index === 0 ? [] : [String(index)],
      parent: index % 100 === 0 ? undefined : String(index - (index % 100) + 1),
    }),
  );
}

/** Tasks without fields that are not there, as a test compares them. */
export function plain(tasks: readonly PortableTask[]): readonly unknown[] {
  return tasks.map((task) => JSON.parse(JSON.stringify(task)) as unknown);
}

/** The same tasks under other ids, told apart by their UUIDs. */
export function underIdsOf(tasks: readonly PortableTask[], others: readonly PortableTask[]): readonly PortableTask[] {
  const ids = new Map(others.map(({ uuid, id }) => [uuid, id]));
  const names = new Map(tasks.map(({ id, uuid }) => [id, ids.get(uuid) ?? id]));
  const nameOf = (id: string) => names.get(id) ?? id;
  return tasks.map((task) => ({
    ...task,
    id: nameOf(task.id),
    parent: task.parent === undefined ? undefined : nameOf(task.parent),
    blockedBy: task.blockedBy.map(nameOf),
  }));
}
