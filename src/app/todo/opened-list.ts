import { ok, type Result } from "../../core/result.js";
import type { TodoCommand } from "../../core/todo/command.js";
import { EMPTY_LIST, type TodoList } from "../../core/todo/list.js";
import { diffLists, type ListDiff } from "../../core/todo/list-diff.js";
import { type TodoPolicy, WHOLE_LIST } from "../../core/todo/policy.js";
import type { EventStore } from "../../store/event-store.js";
import type { CommandContext } from "../command.js";
import { offerTasks } from "../tasks/links/offer-tasks.js";
import { givenStore, nextStep } from "../terminal/next-step.js";
import { findList, type ListPlace, type Whose } from "./list-place.js";
import { type ListOwner, type ListReport, ownerOf } from "./list-report.js";
import { editList } from "./person-edit.js";
import { onRealList, shownList } from "./shown-list.js";
import { sweptList } from "./sweep-closed.js";

/** At most one todo is in progress; finishing it starts the next one. Foreign agents write texts of any length. */
const PERSON_POLICY: TodoPolicy = { ...WHOLE_LIST, focus: "demote", promote: "on-close" };

/** What a person wants to be done to a list. */
export interface Change {
  readonly command: TodoCommand;
  /** The rest of `milepost todo`: the model is told so. */
  readonly action: string;
  readonly said: string | ((diff: ListDiff) => string);
  /** Said where the list is so already. */
  readonly already?: string;
  readonly todos?: readonly number[];
}

/** A list that was found, for a verb to work on. */
export interface OpenedList {
  readonly context: CommandContext;
  readonly store: EventStore;
  readonly place: ListPlace;
  /** A command that runs as it is printed: on the same list, by the same hand. */
  readonly hint: (words: string) => string;
}

export async function openList(
  context: CommandContext,
  whose: Whose,
  use: "read" | "write",
): Promise<Result<OpenedList>> {
  const found = await findList(context, whose);
  if (!found.ok) return found;
  const { store } = await context.open(use);
  const flags = { session: whose.session, agent: whose.agent, as: whose.as, store: givenStore(context) };
  const hint = (words: string) => nextStep(words, flags, Object.keys(flags));
  return ok({ context, store, place: found.value, hint });
}

/** Without closed todos that the next write takes away. */
export function listNow({ store, place }: OpenedList): Promise<TodoList> {
  return sweptList(store, place.stream, place.clearAfter);
}

export async function reportOn(
  { store, place }: OpenedList,
  rest: Omit<ListReport, keyof ListOwner>,
): Promise<Result<ListReport>> {
  return ok({ ...(await ownerOf(store, place)), ...rest });
}

/** `plan` sees the list inside the write, as a person reads it, and `kept` as it is stored: an agent may write, too. */
export async function changeOpened(
  opened: OpenedList,
  plan: (list: TodoList, kept: TodoList) => Result<Change>,
): Promise<Result<ListReport>> {
  const { context, store, place } = opened;
  let before = EMPTY_LIST;
  const done = await editList<Result<Change>>(store, place, (list, kept) => {
    before = list;
    const change = plan(shownList(list), kept);
    if (!change.ok) return { plan: change };
    const { action, command } = change.value;
    const edit = { action: `milepost todo ${action}`, command: onRealList(command, list), policy: PERSON_POLICY };
    return { plan: change, edit };
  });
  if (!done.ok) return done;
  const { plan: change, list, isChanged } = done.value;
  if (!change.ok) return change;
  const { said, already = "Nothing has changed.", todos } = change.value;
  const words = typeof said === "string" ? said : said(diffLists(before, list));
  const offer = { before, after: list, by: place.by };
  const tasks = isChanged ? await offerTasks(context, store, place.stream, offer) : [];
  return reportOn(opened, {
    said: isChanged ? words : already,
    changed: isChanged,
    ...(todos ? { todos } : undefined),
    list,
    ...(tasks.length > 0 ? { tasks } : undefined),
  });
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
