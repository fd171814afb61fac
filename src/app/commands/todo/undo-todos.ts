import { fail, ok, type Result } from "../../../core/result.js";
import { type ForeignWrite, type Undoable, undoableEdits } from "../../../core/session/undoable.js";
import { counted } from "../../../core/text/length.js";
import { clockText } from "../../../core/text/time-text.js";
import { copyEvents } from "../../../core/todo/carried-list.js";
import { evolveAll } from "../../../core/todo/evolve.js";
import { EMPTY_LIST } from "../../../core/todo/list.js";
import type { EventStore, StoredEvent } from "../../../store/event-store.js";
import { defineCommand } from "../../command-definition.js";
import { text } from "../../fields.js";
import { sessionEvent } from "../../session/session-view.js";
import { showWhole } from "../../terminal/todo-rows.js";
import { WHOSE } from "../../todo/list-place.js";
import {
  type EditPlace,
  editWrites,
  type OpenedList,
  openList,
  ownedByClient,
  reportOn,
} from "../../todo/person-edit.js";
import { SWEEPER } from "../../todo/sweep-closed.js";
import { LISTS, withListEvents } from "../../views.js";

export const undoTodos = defineCommand({
  details: `Takes back the last change that a person made to the list, and says which; the next undo takes back the one
before it, as far as the history goes. It stops where the model has written the list: what a model wrote is never
undone.`,
  examples: ["milepost todo undo"],
  words: ["todo"],
  input: { todo: text("TODO", "only if the last change was to this todo"), ...WHOSE },
  async run(context, { todo, ...whose }) {
    const opened = await openList(context, whose, "write");
    if (!opened.ok) return opened;
    if (opened.value.place.shown) return fail(ownedByClient(opened.value));
    const { store, place, hint } = opened.value;
    const undone = await undoEdit(store, place, todo === undefined ? undefined : { todo, hint });
    if (!undone.ok) return undone;
    const { action, by, left, list } = undone.value;
    const who = by === undefined || by === place.by ? "" : ` what ${by} did`;
    const more = left === 0 ? "Nothing more to undo." : `${left} more can be undone.`;
    const said = `Took back${who}: ${action}. ${more}`;
    return reportOn(opened.value, { said, changed: true, list });
  },
  show: showWhole,
});

/** The todo that the change has to be about. */
interface OnlyTodo extends Pick<OpenedList, "hint"> {
  readonly todo: string;
}

/** Takes back the newest change of a person that is still there, unless somebody else has written the list since. */
export async function undoEdit(store: EventStore, place: EditPlace, only?: OnlyTodo) {
  const { stream, by } = place;
  const history = await readHistory(store, stream);
  if (!history.ok) return history;
  const events = history.value;
  const past = undoableEdits(events.filter(({ actor }) => actor !== SWEEPER));
  const [edit] = past.edits;
  if (!edit) return fail("nothing-to-undo", `${whyNot(past)} Nothing was undone.`);
  if (events[0]?.version !== 1) return fail("nothing-to-undo", PRUNED);
  const action = edit.action.replace(/^milepost todo /, "");
  if (only && !isAbout(action, only.todo)) {
    const next = `To undo that: ${only.hint("todo undo")}`;
    return fail("changed", `Your last change was: ${action}. Nothing was undone. ${next}`);
  }
  const earlier = events.filter(({ version }) => version < edit.from);
  const before = withListEvents(EMPTY_LIST, earlier);
  return store.commit(function* (transaction) {
    const version = yield* transaction.version(stream);
    if (version !== events.at(-1)?.version) return fail("changed", "The list has just changed. Look again.");
    const list = yield* transaction.view(LISTS, stream);
    const revision = list.revision + 1;
    // Numbers included: the model may know them.
    const restoring = [{ type: "list.cleared", revision } as const, ...copyEvents(before, revision)];
    const undone = { ...sessionEvent({ type: "edit.undone" }), actor: by };
    return ok({
      writes: [...editWrites(place, `milepost todo undo (${action})`, restoring), { stream, events: [undone] }],
      answer: { action, by: edit.by, left: past.edits.length - 1, list: evolveAll(list, restoring) },
    });
  });
}

/** Actions name todos by number: `done 3 Run tests`, `add 4 Tell Ann`. */
function isAbout(action: string, todo: string): boolean {
  return action.split(/[\s,]+/).includes(todo.replace(/^#/, ""));
}

const PRUNED = "The list's history is not kept that far back. Nothing was undone.";

function whyNot({ stop, hasEarlier }: Undoable): string {
  if (!stop) return "No change of a person is left to undo.";
  const who = stop.by ?? "The model";
  const what = `${clockText(stop.at, Date.now())}, ${touched(stop)}`;
  if (hasEarlier) return `${who} has written the list since your last change (${what}).`;
  return `No change of a person is left to undo; ${stop.by ?? "the model"} wrote the list before (${what}).`;
}

const NUMBERS_MAX = 5;

function touched({ todos }: ForeignWrite): string {
  if (todos.length === 0) return "all of it";
  const numbers = todos.length > NUMBERS_MAX ? "" : `: ${todos.join(", ")}`;
  return `${counted(todos.length, "todo")} changed${numbers}`;
}

async function readHistory(store: EventStore, stream: string): Promise<Result<readonly StoredEvent[]>> {
  const pages = await store.read({ stream });
  if (!pages.ok) return pages;
  const events: StoredEvent[] = [];
  for await (const page of pages.value) events.push(...page.events);
  return ok(events);
}
