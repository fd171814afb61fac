import { expect, test } from "vitest";
import { copyEvents } from "../../core/todo/copy.js";
import { type TodoList, todosOf } from "../../core/todo/list.js";
import { WHOLE_LIST } from "../../core/todo/policy.js";
import { append } from "../../store/event-store.js";
import { openMilepost } from "../milepost.js";
import { LISTS, toNewEvent } from "../views.js";
import { editList } from "./person-edit.js";
import { undoEdit } from "./undo-edit.js";

const place = { stream: "session:default", by: "ann" };
const texts = (list: TodoList) => todosOf(list).map(({ number, text, status }) => `${number} ${text} ${status}`);

async function opened() {
  const milepost = await openMilepost({ store: "memory:" });
  const { store } = milepost;
  const call = (input: object) => milepost.call({ tool: "todo", input });
  const done = (number: number) =>
    editList(store, place, () => ({
      plan: undefined,
      edit: {
        action: "done",
        command: { type: "edit", edits: [{ type: "move", target: { number }, to: "completed" }] },
        policy: WHOLE_LIST,
      },
    }));
  const list = async () => texts(await store.view(LISTS, place.stream));
  return { store, call, done, list, undo: () => undoEdit(store, place, "undo") };
}

test("takes back the last write, and no write of the same revision from another life of the list", async () => {
  const { store, call, done, list, undo } = await opened();
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
  expect(await list()).toEqual(["8 copied completed"]);
  await undo();
  expect(await list()).toEqual(["8 copied pending"]);
});

test("a second undo brings it back; what another wrote last is not undone", async () => {
  const { call, done, list, undo } = await opened();
  await call({ add: ["a", "b"] });
  await done(1);
  await undo();
  expect(await list()).toEqual(["1 a in_progress", "2 b pending"]);
  await undo();
  expect(await list()).toEqual(["1 a completed", "2 b pending"]);
  await call({ done: 2 });
  expect(await undo()).toMatchObject({ ok: false, error: { code: "nothing-to-undo" } });
});
