import { type Failure, fail, ok, type Result } from "../../../core/result.js";
import { todosOf } from "../../../core/todo/list.js";
import { pickTodos } from "../../../core/todo/pick-todos.js";
import type { EventStore } from "../../../store/event-store.js";
import { sessionStream } from "../../../store/stream.js";
import { type CommandContext, defineCommand } from "../../command-definition.js";
import { needed, text, type Values } from "../../fields.js";
import { endedReader } from "../../session/find/find-reader.js";
import type { SessionMention } from "../../session/session-mention.js";
import { SESSIONS } from "../../session/session-view.js";
import { type Linked, type LinkPlace, promoteTodo, pullTask } from "../../tasks/links/promote.js";
import { lookAtTasks, taskNamed } from "../../tasks/read-tasks.js";
import { noTask } from "../../tasks/task-board.js";
import { reportTask, type TaskReport } from "../../tasks/task-report.js";
import { givenStore, nextStep, shellWord } from "../../terminal/next-step.js";
import { ownerText } from "../../terminal/todo-rows.js";
import { nobodyHere, ownerOf } from "../../todo/list-place.js";
import { listNow, type OpenedList, openList, ownedByClient } from "../../todo/person-edit.js";
import { shownList } from "../../todo/shown-list.js";
import { reportTodo, type TodoReport } from "../../todo/todo-report.js";
import { storedJudge } from "../../todo/todo-work.js";
import { hasEnded, hasHooks } from "../../transcripts/stored-session.js";
import { LISTS } from "../../views.js";
import { listOf, TASK, WHERE } from "./task-flags.js";

const LINK = {
  session: text("SESSION", "session id, or a prefix of it (default: the newest in this project)"),
  agent: text("AGENT", "a sub-agent in it with its own list"),
  as: text("WHO", "who links them (default: user@host)"),
  ...WHERE,
};

type LinkInput = Values<typeof LINK>;

interface Opened extends LinkPlace {
  readonly opened: OpenedList;
}

async function openLink(context: CommandContext, input: LinkInput, use: "read" | "write"): Promise<Result<Opened>> {
  const list = listOf(context, input);
  if (!list.ok) return list;
  const { session, agent, as } = input;
  const opened = await openList(context, { session, agent, as }, use);
  if (!opened.ok) return opened;
  const { place } = opened.value;
  return ok({
    ...{ list: list.value, session: place.session, agent: place.agent, by: place.by },
    opened: opened.value,
  });
}

export const promoteCommand = defineCommand({
  details: `The todo stays on the session's list, and a new task is added to the task list. The two are linked:
completing one offers to complete the other. If the todo is in progress, the session holds the task.`,
  examples: ["milepost task promote 3"],
  words: ["todo"],
  input: { todo: needed(text("TODO", "number or text of the todo")), ...LINK },
  async run(context, input) {
    const link = await openLink(context, input, "read");
    if (!link.ok) return link;
    const { opened, ...place } = link.value;
    if (opened.place.isStray) return fail(nobodyHere(context, place.session));
    const picked = pickTodos(shownList(await listNow(opened)), [input.todo]);
    const [todo] = picked.ok ? picked.value : [];
    if (!todo) {
      const why = picked.ok ? "Name one todo." : picked.error.message;
      return fail("no-todo", `${why} The list: ${opened.hint("todo list")}`);
    }
    if (opened.place.shown) return fail(notLinked(context, input, todo.text));
    const { store } = await context.open("write");
    return reported(store, await promoteTodo(store, place, todo.number), link.value);
  },
  show: shownLink,
});

export const pullCommand = defineCommand({
  details: `Adds the task to the session's list as a todo; the session then holds the task, and its next hook tells the
model. The two are linked: completing one offers to complete the other.`,
  examples: ["milepost task pull 7 --session acc5a7"],
  words: ["task"],
  input: { task: TASK.task, ...LINK },
  async run(context, input) {
    const link = await openLink(context, input, "write");
    if (!link.ok) return link;
    const { opened, ...place } = link.value;
    if (opened.place.shown)
      return fail(ownedByClient(opened, `add task #${input.task.replace(/^#/, "")} of ${place.list}`));
    const unread = await whyUnread(opened);
    if (unread) return fail(unread);
    const { store } = await context.open("write");
    return reported(store, await pullTask(store, place, input.task), link.value);
  },
  show: shownLink,
});

/** A todo that our store does not keep has nothing to link; its text can be a task all the same. */
function notLinked(context: CommandContext, { list }: LinkInput, text: string): Failure {
  const flags = { list, store: givenStore(context) };
  const add = nextStep(`task add ${shellWord(text)}`, flags);
  return {
    code: "client-owned",
    message: `The agent keeps this list itself: nothing can be linked to it. As a task: ${add}`,
  };
}

/** Whoever has hooks is told by them, and whoever keeps a list with our tool reads it there. */
async function whyUnread({ context, place }: OpenedList): Promise<Failure | undefined> {
  const { store } = await context.open("read");
  const known = { id: place.session, session: await store.view(SESSIONS, sessionStream(place.session)) };
  if (hasHooks(known)) return hasEnded(known) ? endedReader(known) : undefined;
  if (place.known.from === "store") return undefined;
  const { unreported } = await import("../../setup/start-again.js");
  const why = unreported(context, { id: place.session, client: place.known.client, folder: "" });
  return { code: "no-reader", message: `It keeps no list here, and nobody would read it: ${why}` };
}

interface LinkReport extends SessionMention {
  readonly task: TaskReport;
  readonly todo: TodoReport;
}

/** Both ends of the link, as they are now. */
async function reported(store: EventStore, linked: Result<Linked>, link: Opened): Promise<Result<LinkReport>> {
  if (!linked.ok) return linked;
  const { list, session, agent, opened } = link;
  const { task: number, todo: todoNumber } = linked.value;
  const found = await lookAtTasks(store, (look) => taskNamed(look, list, String(number)));
  if (!found?.ok) return found ?? fail(noTask(list, number));
  const todos = await store.view(LISTS, sessionStream(session, agent));
  const todo = todosOf(todos).find((one) => one.number === todoNumber);
  if (!todo) return fail({ code: "no-todo", message: `Todo ${todoNumber} of ${session} has just been removed.` });
  const judge = await storedJudge(store, todos, { session, agent });
  const { keeper: _, goal: __, writable: ___, ...about } = ownerOf(opened.place);
  return ok({ ...about, task: reportTask(list, found.value), todo: reportTodo(todo, judge) });
}

function shownLink({ task, todo, ...about }: LinkReport): string {
  return `Task #${task.id} and todo ${todo.number} of ${ownerText(about)} are now linked.\n`;
}
