import fc from "fast-check";
import { expect, test } from "vitest";
import { answers, calls, readAll, user } from "../../../test/readers/claude-lines.js";
import { sized } from "../../../test/sizes.js";
import { isClientList, NO_CLIENT_LIST } from "../../core/session/client/client-list.js";
import { currentList } from "../../core/session/client/current-list.js";
import type { SeenTask } from "../../core/session/observation.js";
import { NEW_SESSION } from "../../core/session/session.js";
import { EMPTY_LIST, todosOf } from "../../core/todo/list.js";
import { clientFacts } from "./client-facts.js";
import { withEvents } from "./session-view.js";

type Call = readonly [tool: string, input: object, answer: object];

const id = fc.constantFrom("1", "2", "3", "4", "x-1", "__proto__");
const text = fc.constantFrom("Build", "Test", "constructor", "Write the docs");
const status = fc.constantFrom("pending", "in_progress", "completed", "cancelled", "later");
const ids = fc.uniqueArray(id, { maxLength: 2 });
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const row = fc.record({ id, subject: text, status, owner: maybe(text), blockedBy: ids });

const call: fc.Arbitrary<Call> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .tuple(id, text)
      .map(([made, subject]): Call => ["TaskCreate", { subject }, { task: { id: made, subject } }]),
  },
  {
    weight: 4,
    arbitrary: fc
      .record({
        taskId: id,
        status: maybe(fc.oneof(status, fc.constant("deleted"))),
        subject: maybe(text),
        activeForm: maybe(text),
        addBlocks: maybe(ids),
        addBlockedBy: maybe(ids),
      })
      .chain((input) => fc.boolean().map((success): Call => ["TaskUpdate", input, { success, taskId: input.taskId }])),
  },
  fc.uniqueArray(row, { selector: (one) => one.id, maxLength: 4 }).map((tasks): Call => ["TaskList", {}, { tasks }]),
  row.map((task): Call => ["TaskGet", { taskId: task.id }, { task: { ...task, blocks: [] } }]),
  fc.constant<Call>(["TaskGet", { taskId: "9" }, { task: null }]),
);

/** As hooks tell it, one event after the other. */
function fromHooks(made: readonly Call[]) {
  const events = made.flatMap(([tool, input, output]) =>
    clientFacts({ tool, input, output, agent: undefined }, undefined),
  );
  return withEvents(NEW_SESSION, JSON.parse(JSON.stringify(events))).clientList ?? NO_CLIENT_LIST;
}

function fromTranscript(made: readonly Call[]): readonly SeenTask[] {
  const lines = made.flatMap(([tool, input, data], at) => [
    calls(`c${at}`, tool, input),
    answers(`c${at}`, "ok", { toolUseResult: data }),
  ]);
  const tasks = readAll([user("go"), ...lines]).get("s1")?.tasks ?? [];
  return tasks.filter(({ isDeleted }) => !isDeleted).map(({ at: _, isDeleted: __, ...task }) => task);
}

test("hooks and a transcript tell the same of the same calls; what is folded can be kept, shown and numbered", () => {
  const property = fc.property(fc.array(call, { maxLength: 12 }), (made) => {
    const { tasks } = fromHooks(made);
    const byId = (list: readonly SeenTask[]) => [...list].sort((a, b) => (a.id < b.id ? -1 : 1));
    expect(byId(JSON.parse(JSON.stringify(tasks)))).toEqual(byId(JSON.parse(JSON.stringify(fromTranscript(made)))));
    expect(isClientList(JSON.parse(JSON.stringify({ tasks })))).toBe(true);
    const todos = todosOf(currentList(EMPTY_LIST, { tasks }).list);
    expect(new Set(todos.map(({ number }) => number)).size).toBe(todos.length);
    for (const { key, number } of todos) if (/^[1-9]\d*$/.test(key ?? "")) expect(String(number)).toBe(key);
    // Told once more, the same look is no news.
    const look = { type: "client-tasks.seen" as const, isAll: true, tasks };
    const again = withEvents({ ...NEW_SESSION, clientList: { tasks } }, [{ type: look.type, data: look }]);
    expect(again.clientList?.tasks).toBe(tasks);
  });
  fc.assert(property, { numRuns: sized(150, 5000) });
});
