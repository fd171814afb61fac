import { fail, ok, type Result } from "../../core/result.js";
import { type ForeignWrite, type Undoable, undoableEdits } from "../../core/session/undoable.js";
import { copyEvents } from "../../core/todo/copy.js";
import { evolveAll } from "../../core/todo/evolve.js";
import { EMPTY_LIST, type TodoList } from "../../core/todo/list.js";
import type { EventStore, StoredEvent } from "../../store/event-store.js";
import { sessionEvent } from "../session/session-view.js";
import { LISTS, withListEvents } from "../views.js";
import { counted } from "./list-report.js";
import { type EditPlace, editWrites } from "./person-edit.js";
import { SWEEPER } from "./sweep-closed.js";

export interface Undone {
  /** What was taken back: `done 3 Fix the login`. */
  readonly action: string;
  readonly by: string | undefined;
  /** How many more can be taken back. */
  readonly left: number;
  readonly list: TodoList;
}

/** Takes back the newest change of a person that is still there, unless somebody else has written the list since. */
export async function undoEdit(store: EventStore, place: EditPlace): Promise<Result<Undone>> {
  const { stream, by } = place;
  const history = await readHistory(store, stream);
  if (!history.ok) return history;
  const events = history.value;
  const past = undoableEdits(events.filter(({ actor }) => actor !== SWEEPER));
  const [edit] = past.edits;
  if (!edit) return fail({ code: "nothing-to-undo", message: `${whyNot(past)} Nothing was undone.` });
  if (events[0]?.version !== 1) return fail({ code: "nothing-to-undo", message: PRUNED });
  const before = withListEvents(
    EMPTY_LIST,
    events.filter(({ version }) => version < edit.from),
  );
  const action = edit.action.replace(/^milepost todo /, "");
  return store.commit(function* (transaction) {
    const version = yield* transaction.version(stream);
    if (version !== events.at(-1)?.version)
      return fail({ code: "changed", message: "The list has just changed. Look again." });
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

const PRUNED = "The list's history is not kept that far back. Nothing was undone.";

function whyNot({ stop, hasEarlier }: Undoable): string {
  if (!stop) return "No change of a person is left to undo.";
  const who = stop.by ?? "The model";
  const what = `${timeText(stop.at)}, ${touched(stop)}`;
  if (hasEarlier) return `${who} has written the list since your last change (${what}).`;
  return `No person has changed the list; ${stop.by ?? "the model"} wrote it last (${what}).`;
}

const NUMBERS_MAX = 5;

function touched({ todos }: ForeignWrite): string {
  if (todos.length === 0) return "all of it";
  const numbers = todos.length > NUMBERS_MAX ? "" : `: ${todos.join(", ")}`;
  return `${counted(todos.length)} changed${numbers}`;
}

/** The clock of the person's own place; with the day where it is another one. */
function timeText(at: number): string {
  const [date, now] = [new Date(at), new Date()];
  const time = date.toTimeString().slice(0, 5);
  return date.toDateString() === now.toDateString() ? time : `${date.toDateString()} ${time}`;
}

async function readHistory(store: EventStore, stream: string): Promise<Result<readonly StoredEvent[]>> {
  const pages = await store.read({ stream });
  if (!pages.ok) return pages;
  const events: StoredEvent[] = [];
  for await (const page of pages.value) events.push(...page.events);
  return ok(events);
}
