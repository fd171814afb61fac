import { type Failure, fail, ok, type Result } from "../../core/result.js";
import { cutCodePoints } from "../../core/text/length.js";
import type { TodoCommand } from "../../core/todo/command.js";
import { decide } from "../../core/todo/decide.js";
import type { TodoEvent } from "../../core/todo/events.js";
import { evolveAll } from "../../core/todo/evolve.js";
import { EMPTY_LIST, type TodoList, todosOf } from "../../core/todo/list.js";
import { diffLists, type ListDiff } from "../../core/todo/list-diff.js";
import { type TodoPolicy, WHOLE_LIST } from "../../core/todo/policy.js";
import type { EventStore, Transaction } from "../../store/event-store.js";
import type { CommandContext } from "../command-definition.js";
import { personOf } from "../session/person-name.js";
import { planEnd, SESSIONS, sessionEvent } from "../session/session-view.js";
import { type OfferedTask, offerTasks } from "../tasks/links/offer-tasks.js";
import { givenStore, nextStep, shellWord } from "../terminal/next-step.js";
import { storeToRead } from "../transcripts/store-to-read.js";
import { LISTS, toNewEvent } from "../views.js";
import { findList, type ListOwner, type ListPlace, ownerOf, type Whose } from "./list-place.js";
import { onRealList, shownList } from "./shown-list.js";
import { dueSweep, ownSweep, sweepWrite, sweptList } from "./sweep-closed.js";
import { reportList, reportTodo, type TodoListReport, type TodoReport } from "./todo-report.js";
import { judgeOpened } from "./todo-work.js";

// A person's change of a list: the list is found, the change planned inside the write, committed and reported.

/** A list that was found, for a verb to work on. */
export interface OpenedList {
  readonly context: CommandContext;
  readonly store: EventStore;
  readonly place: ListPlace & EditPlace;
  /** A command that runs as it is printed: on the same list, by the same hand. */
  readonly hint: (words: string) => string;
}

export async function openList(
  context: CommandContext,
  whose: Whose,
  use: "read" | "write",
): Promise<Result<OpenedList>> {
  const by = personOf(whose.as);
  if (!by.ok) return by;
  const found = await findList(context, whose, use);
  if (!found.ok) return found;
  const store = use === "read" ? await storeToRead(context) : (await context.open(use)).store;
  const flags = { session: whose.session, agent: whose.agent, as: whose.as, store: givenStore(context) };
  const hint = (words: string) => nextStep(words, flags, Object.keys(flags));
  return ok({ context, store, place: { ...found.value, by: by.value }, hint });
}

/** Without closed todos that the next write takes away. */
export async function listNow({ store, place }: OpenedList): Promise<TodoList> {
  return place.shown?.list ?? sweptList(store, place.stream, place.clearAfter);
}

/** What every verb of `milepost todo` answers; with `--json` just this. */
export interface ListReport extends ListOwner {
  /** What was done, in a line; of `list` and `copy` the list as markdown. */
  readonly said: string;
  readonly changed: boolean;
  /** Those that were named or added, as they are now; removed ones as they were. */
  readonly todos: readonly TodoReport[];
  readonly list: TodoListReport;
  /** The markdown is on the clipboard. */
  readonly copied?: true;
  /** Tasks that todos stand for which were just finished. */
  readonly tasks: readonly OfferedTask[];
}

/** What a verb has to say; `todos` are numbers. */
interface Outcome extends Pick<ListReport, "said" | "changed" | "copied"> {
  readonly list: TodoList;
  readonly todos?: readonly number[] | undefined;
}

/** With `before`, the list as it was, tasks are offered whose todos are done now. */
export async function reportOn(
  { context, store, place }: OpenedList,
  { list, todos: numbers = [], ...outcome }: Outcome,
  before?: TodoList,
): Promise<Result<ListReport>> {
  const change = before && outcome.changed && { before, after: list, by: place.by };
  const tasks = change ? await offerTasks(context, store, place.stream, change) : [];
  const judge = await judgeOpened(store, list, place);
  const known = new Map([...todosOf(before ?? EMPTY_LIST), ...todosOf(list)].map((todo) => [todo.number, todo]));
  const todos = numbers.flatMap((number) => known.get(number) ?? []).map((todo) => reportTodo(todo, judge));
  return ok({ ...ownerOf(place), ...outcome, todos, list: reportList(list, judge), tasks });
}

/** What a person wants to be done to a list. */
export interface Change {
  readonly command: TodoCommand;
  /** The rest of `milepost todo`: the model is told so. */
  readonly action: string;
  /** What an agent that keeps its list itself is asked for, where `action` leaves something out. */
  readonly wish?: string;
  readonly said: string | ((diff: ListDiff) => string);
  /** Said where the list is so already. */
  readonly already?: string;
  readonly todos?: readonly number[];
}

/** At most one todo is in progress; finishing it starts the next one. Foreign agents write texts of any length. */
export const PERSON_POLICY: TodoPolicy = { ...WHOLE_LIST, focus: "demote", promote: "on-close" };

/** `plan` sees the list inside the write, as a person reads it, and `kept` as it is stored: an agent may write, too. */
export async function changeOpened(
  opened: OpenedList,
  plan: (list: TodoList, kept: TodoList) => Result<Change>,
): Promise<Result<ListReport>> {
  const { shown } = opened.place;
  if (shown) {
    const wish = plan(shownList(shown.list), shown.list);
    return wish.ok ? fail(ownedByClient(opened, wish.value.wish ?? wish.value.action)) : wish;
  }
  let before = EMPTY_LIST;
  const done = await editList<Result<Change>>(opened.store, opened.place, (list, kept) => {
    before = list;
    const change = plan(shownList(list), kept);
    if (!change.ok) return { plan: change };
    const { action, command } = change.value;
    const edit = { action: `milepost todo ${action}`, command: onRealList(command, list), policy: PERSON_POLICY };
    return { plan: change, edit };
  });
  if (!done.ok) return done;
  const { plan: change, list, isChanged: changed } = done.value;
  if (!change.ok) return change;
  const { said, already = "Nothing has changed.", todos } = change.value;
  const words = typeof said === "string" ? said : said(diffLists(before, list));
  return reportOn(opened, { said: changed ? words : already, changed, todos, list }, before);
}

const WISH_MAX = 500;

/** Only the agent itself can change what its program keeps: the person's wish, as a command that tells it so. */
export function ownedByClient({ context, place }: OpenedList, wish?: string): Failure {
  const { session, shown } = place;
  const list = shown?.keeper === "client" ? "task list" : "list";
  const words = wish === undefined ? `Bring your ${list} up to date` : `In your ${list}: ${wish}`;
  const flags = { session, store: givenStore(context) };
  const tell = `${nextStep("tell", flags, Object.keys(flags))} ${shellWord(cutCodePoints(words, WISH_MAX))}`;
  return {
    code: "client-owned",
    message: `The agent keeps this ${list} itself, so only it can change it. Tell it: ${tell}`,
  };
}

/** What most verbs are: a change, planned on the list as it is when it is written. */
export async function changeList(
  context: CommandContext,
  whose: Whose,
  plan: (list: TodoList, opened: OpenedList) => Result<Change>,
): Promise<Result<ListReport>> {
  const opened = await openList(context, whose, "write");
  return opened.ok ? changeOpened(opened.value, (list) => plan(list, opened.value)) : opened;
}

export interface EditPlace {
  readonly stream: string;
  readonly by: string;
  /** Seconds until closed todos leave the list; default: never. */
  readonly clearAfter?: number;
}

/** What is done, and what the model is told that was done. */
export interface ListEdit {
  readonly action: string;
  readonly command: TodoCommand;
  readonly policy: TodoPolicy;
}

type Planned<Plan> = (list: TodoList, kept: TodoList) => { readonly plan: Plan; readonly edit?: ListEdit };

/** Planned inside the write, where no agent can come between. `kept`: the list before closed todos leave it. */
export function editList<Plan>(
  store: EventStore,
  place: EditPlace,
  planned: Planned<Plan>,
): Promise<Result<{ readonly plan: Plan; readonly list: TodoList; readonly isChanged: boolean }>> {
  return store.commit((transaction) => editScript(transaction, place, planned));
}

/** The same, for a write that changes more than the list. */
export function* editScript<Plan>(transaction: Transaction, place: EditPlace, planned: Planned<Plan>) {
  const { stream, clearAfter = -1 } = place;
  const kept = yield* transaction.view(LISTS, stream);
  const due = yield* dueSweep(transaction, stream, kept, clearAfter);
  const before = evolveAll(kept, due);
  const { plan, edit } = planned(before, kept);
  const decision = edit && decide(before, edit.command, edit.policy);
  if (decision && !decision.ok) return fail(decision.error);
  const events = decision?.value.events ?? [];
  const list = evolveAll(before, events);
  const own = edit ? editWrites(place, edit.action, events) : [];
  const end = events.length > 0 ? planEnd(yield* transaction.view(SESSIONS, stream), list) : [];
  return ok({
    writes: [sweepWrite(stream, due), ...own, sweepWrite(stream, ownSweep(list, clearAfter)), { stream, events: end }],
    answer: { plan, list, isChanged: events.length > 0 },
  });
}

/** Recorded as the person's, and with it that the model has yet to be told. */
export function editWrites({ stream, by }: EditPlace, action: string, events: readonly TodoEvent[]) {
  if (events.length === 0) return [];
  const told = { ...sessionEvent({ type: "list.edited", action }), actor: by };
  return [{ stream, events: [...events.map((event) => toNewEvent(event, by)), told] }];
}
