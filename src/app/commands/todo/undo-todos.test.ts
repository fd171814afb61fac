import fc from "fast-check";
import { expect, test } from "vitest";
import type { TodoEdit } from "../../../core/todo/command.js";
import { copyEvents } from "../../../core/todo/copy.js";
import { TODO_STATUSES, type TodoList, todosOf } from "../../../core/todo/list.js";
import { WHOLE_LIST } from "../../../core/todo/policy.js";
import { append } from "../../../store/event-store.js";
import { openMilepost } from "../../milepost.js";
import { editList, editWrites } from "../../todo/person-edit.js";
import { LISTS, toNewEvent } from "../../views.js";
import { undoEdit } from "./undo-todos.js";

const place = { stream: "session:default", by: "ann" };
const texts = (list: TodoList) => todosOf(list).map(({ number, text, status }) => `${number} ${text} ${status}`);

async function opened() {
  const milepost = await openMilepost({ store: "memory:" });
  const { store } = milepost;
  const call = (input: object) => milepost.call({ tool: "todo", input });
  const edit = (...edits: readonly TodoEdit[]) =>
    editList(store, place, () => ({
      plan: undefined,
      edit: { action: "x", command: { type: "edit", edits }, policy: WHOLE_LIST },
    }));
  const done = (number: number) => edit({ type: "move", target: { number }, to: "completed" });
  const list = () => store.view(LISTS, place.stream);
  return { store, call, edit, done, list, rows: async () => texts(await list()), undo: () => undoEdit(store, place) };
}

test("takes back the last write, and no write of the same revision from another life of the list", async () => {
  const { store, call, done, rows, undo } = await opened();
  await call({ add: ["old"] });
  // An older version has begun its count anew after a copy.
  const copied: TodoList = {
    revision: 1,
    nextNumber: 9,
    phases: [{ name: "", todos: [{ number: 8, text: "copied", status: "pending", notes: [], evidence: [] }] }],
  };
  const events = [{ type: "list.cleared" as const, revision: 1 }, ...copyEvents(copied)];
  await store.commit(append([{ stream: place.stream, events: events.map((event) => toNewEvent(event, undefined)) }]));
  await done(8);
  expect(await rows()).toEqual(["8 copied completed"]);
  await undo();
  expect(await rows()).toEqual(["8 copied pending"]);
});

test("each undo goes further back; a change in between is undone first; what another wrote last is not undone", async () => {
  const { call, done, rows, undo } = await opened();
  await call({ add: ["a", "b", "c"] });
  await done(1);
  await done(2);
  expect(await undo()).toMatchObject({ ok: true, value: { left: 1 } });
  await done(3);
  expect(await undo()).toMatchObject({ ok: true, value: { left: 1 } });
  expect(await undo()).toMatchObject({ ok: true, value: { left: 0 } });
  expect(await rows()).toEqual(["1 a in_progress", "2 b pending", "3 c pending"]);
  expect(await undo()).toMatchObject({ ok: false, error: { code: "nothing-to-undo" } });
  await done(1);
  await call({ done: 2 });
  expect(await undo()).toMatchObject({ ok: false, error: { code: "nothing-to-undo" } });
});

test("an undo of an older version, which nothing marks, is a change like any other", async () => {
  const { store, call, done, rows, list, undo } = await opened();
  await call({ add: ["a", "b"] });
  const before = await list();
  await done(1);
  const revision = 3;
  const restoring = [{ type: "list.cleared" as const, revision }, ...copyEvents(before, revision)];
  await store.commit(append(editWrites(place, "milepost todo undo", restoring)));
  expect(await undo()).toMatchObject({ ok: true, value: { left: 1 } });
  expect(await rows()).toEqual(["1 a completed", "2 b pending"]);
  expect(await undo()).toMatchObject({ ok: true, value: { left: 0 } });
  expect(await rows()).toEqual(["1 a in_progress", "2 b pending"]);
});

const target = fc.nat(7).map((number) => ({ number }));
const anyEdit: fc.Arbitrary<TodoEdit> = fc.oneof(
  fc.record({ type: fc.constant("move" as const), target, to: fc.constantFrom(...TODO_STATUSES) }),
  fc.record({ type: fc.constant("rename" as const), target, text: fc.string() }),
  fc.record({ type: fc.constant("note" as const), target, text: fc.string() }),
  fc.record({ type: fc.constant("remove" as const), target }),
  fc.record({ type: fc.constant("order" as const), targets: fc.array(target, { maxLength: 3 }) }),
  fc.record({
    type: fc.constant("add" as const),
    todos: fc.constant([{ text: "new" }]),
    phase: fc.constantFrom("", "P"),
  }),
  fc.constant<TodoEdit>({ type: "clear" }),
);

test("whatever a person did, and undid in between: undone all the way it is the list the model wrote", async () => {
  const steps = fc.array(
    fc.oneof({ arbitrary: anyEdit, weight: 4 }, { arbitrary: fc.constant("undo" as const), weight: 1 }),
    { maxLength: 30 },
  );
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const { store, call, edit, list, undo } = await opened();
      await call({ add: ["a", "b", "c"] });
      await call({ note: "by the model", done: 1 });
      const before = await list();
      for (const step of all) await (step === "undo" ? undo() : edit(step));
      let undone = await undo();
      for (; undone.ok; undone = await undo());
      expect(undone.error.code).toBe("nothing-to-undo");
      expect((await list()).phases).toEqual(before.phases);
      await store.close();
    }),
    { numRuns: 40 },
  );
});
