import { fail, ok, type Result } from "../../../core/result.js";
import { pickTodos } from "../../../core/todo/pick-todos.js";
import { sessionStream } from "../../../store/stream.js";
import { type CommandContext, defineCommand } from "../../command-definition.js";
import { needed, text, type Values } from "../../fields.js";
import { findListed } from "../../session/find-session.js";
import { type Linked, type LinkPlace, promoteTodo, pullTask } from "../../tasks/links/promote.js";
import { givenStore, nextStep } from "../../terminal/next-step.js";
import { personOf } from "../../todo/person-edit.js";
import { shownList } from "../../todo/shown-list.js";
import { LISTS } from "../../views.js";
import { listOf, TASK, WHERE } from "./task-flags.js";

const LINK = {
  session: text("SESSION", "session with the todo list (default: the newest in this project)"),
  agent: text("AGENT", "a sub-agent in it with its own list"),
  as: text("WHO", "who links them (default: user@host)"),
  ...WHERE,
};

type LinkInput = Values<typeof LINK>;

async function linkPlace(context: CommandContext, input: LinkInput): Promise<Result<LinkPlace>> {
  const list = listOf(context, input);
  if (!list.ok) return list;
  const by = personOf(input.as);
  if (!by.ok) return by;
  const { store } = await context.open("write");
  const session = await findListed(store, input.session, context.folder);
  if (!session.ok) return session;
  return ok({ list: list.value, session: session.value, agent: input.agent, by: by.value });
}

export const promoteCommand = defineCommand({
  details: `The todo stays on the session's list, and a new task is added to the task list. The two are linked:
completing one offers to complete the other. If the todo is in progress, the session holds the task.`,
  examples: ["milepost task promote 3"],
  words: ["todo"],
  input: { todo: needed(text("TODO", "number or text of the todo")), ...LINK },
  async run(context, input) {
    const place = await linkPlace(context, input);
    if (!place.ok) return place;
    const { session, agent } = place.value;
    const { store } = await context.open("write");
    const shown = shownList(await store.view(LISTS, sessionStream(session, agent)));
    const picked = pickTodos(shown, [input.todo]);
    const [todo] = picked.ok ? picked.value : [];
    if (!todo) {
      const why = picked.ok ? "Name one todo." : picked.error.message;
      const list = nextStep("todo list", { session, agent, store: givenStore(context) }, ["session", "agent", "store"]);
      return fail({ code: "no-todo", message: `${why} The list: ${list}` });
    }
    return reported(await promoteTodo(store, place.value, todo.number), place.value);
  },
  show: shownLink,
});

export const pullCommand = defineCommand({
  details: `Adds the task to the session's list as a todo; the session then holds the task, and its next hook tells the
model. The two are linked: completing one offers to complete the other.`,
  examples: ["milepost task pull 7 --session 0199-abcd"],
  words: ["task"],
  input: { task: TASK.task, ...LINK },
  async run(context, input) {
    const place = await linkPlace(context, input);
    if (!place.ok) return place;
    const { store } = await context.open("write");
    return reported(await pullTask(store, place.value, input.task), place.value);
  },
  show: shownLink,
});

type LinkReport = Omit<Linked, "task"> & Record<"task" | "list", string>;

function reported(linked: Result<Linked>, { list }: LinkPlace): Result<LinkReport> {
  if (!linked.ok) return linked;
  const { task, todo, session } = linked.value;
  return ok({ task: String(task), list, session, todo });
}

function shownLink({ task, session, todo }: LinkReport): string {
  return `Task #${task} and todo ${todo} of ${session} are now linked.\n`;
}
