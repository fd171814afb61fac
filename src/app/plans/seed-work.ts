import type { Plan } from "../../core/plan/plan.js";
import { planSteps, planTitle } from "../../core/plan/plan-outline.js";
import { fail, ok, type Result } from "../../core/result.js";
import { OUR_POLICY } from "../../core/task/policy.js";
import { todosOf } from "../../core/todo/list.js";
import type { Transaction, Write } from "../../store/event-store.js";
import type { Script } from "../../store/script.js";
import type { CommandContext } from "../command-definition.js";
import { listName } from "../tasks/list-name.js";
import { Board } from "../tasks/task-board.js";
import { reportTask, type TaskReport } from "../tasks/task-report.js";
import { givenStore, nextStep } from "../terminal/next-step.js";
import { type EditPlace, editScript, openList, ownedByClient, PERSON_POLICY } from "../todo/person-edit.js";
import { reportTodo, type TodoReport } from "../todo/todo-report.js";

// The steps of an approved plan as todos or tasks, where the person who approves asks for them.

export interface AskedSeeds {
  readonly todos: boolean;
  readonly tasks: boolean;
  readonly list?: string | undefined;
}

/** Where the steps go; nothing is asked for where both are left out. */
export interface SeedPlaces {
  readonly steps: readonly string[];
  readonly by: string;
  readonly todos?: EditPlace;
  readonly tasks?: string;
}

export interface Seeded {
  readonly todos: readonly TodoReport[];
  readonly tasks: readonly TaskReport[];
}

/** Looked up before the plan is approved: where a list cannot be written, nothing is decided either. */
export async function seedPlaces(
  context: CommandContext,
  plan: Plan,
  { todos, tasks, list, by }: AskedSeeds & { readonly by: string },
): Promise<Result<SeedPlaces>> {
  if (!todos && !tasks) return ok({ steps: [], by });
  const steps = planSteps(plan.text);
  if (steps.length === 0) return fail("no-steps", `Plan ${plan.id} has no steps. ${approveAlone(context, plan)}`);
  const board = tasks ? listName(list, context.environment, context.folder) : ok(undefined);
  if (!board.ok) return board;
  const place = todos ? await listFor(context, plan, by) : ok(undefined);
  if (!place.ok) return place;
  return ok({
    ...{ steps, by },
    ...(place.value && { todos: place.value }),
    ...(board.value === undefined ? undefined : { tasks: board.value }),
  });
}

function approveAlone(context: CommandContext, { id }: Plan): string {
  return `Nothing was decided. To approve it alone: ${nextStep(`plan approve ${id}`, { store: givenStore(context) })}`;
}

async function listFor(context: CommandContext, plan: Plan, by: string): Promise<Result<EditPlace>> {
  const { id, session } = plan;
  if (session === undefined) {
    const tasks = nextStep(`plan approve ${id} --tasks`, { store: givenStore(context) });
    return fail("no-session", `Plan ${id} belongs to no session, so it has no list. As tasks: ${tasks}`);
  }
  const opened = await openList(context, { session, as: by }, "write");
  if (!opened.ok) return opened;
  const { place } = opened.value;
  return place.shown ? fail(ownedByClient(opened.value, `add the steps of plan ${id}`)) : ok(place);
}

/** For the commit that approves: all of it is written, or nothing. */
export function* seedScript(
  transaction: Transaction,
  plan: Plan,
  places: SeedPlaces,
): Script<Result<Seeded & { readonly writes: readonly Write[] }>> {
  const todos = places.todos ? yield* seedTodos(transaction, plan, places, places.todos) : ok(NOTHING);
  if (!todos.ok) return todos;
  const tasks = places.tasks === undefined ? ok(NOTHING) : yield* seedTasks(transaction, plan, places, places.tasks);
  if (!tasks.ok) return tasks;
  const writes = [...todos.value.writes, ...tasks.value.writes];
  return ok({ todos: todos.value.todos, tasks: tasks.value.tasks, writes });
}

type Written = Seeded & { readonly writes: readonly Write[] };
const NOTHING: Written = { todos: [], tasks: [], writes: [] };

/** Pending, at the end: nobody has begun. */
function* seedTodos(
  transaction: Transaction,
  { id }: Plan,
  { steps }: SeedPlaces,
  place: EditPlace,
): Script<Result<Written>> {
  const todos = steps.map((text) => ({ text }));
  const action = `milepost plan approve ${id} --todos`;
  const edited = yield* editScript(transaction, place, (list) => ({
    plan: list.nextNumber,
    edit: { action, policy: PERSON_POLICY, command: { type: "edit", edits: [{ type: "add", todos }], advance: false } },
  }));
  if (!edited.ok) return edited;
  const { writes, answer } = edited.value;
  const added = todosOf(answer.list).filter(({ number }) => number >= answer.plan);
  return ok({ writes, tasks: [], todos: added.map((todo) => reportTodo(todo, undefined)) });
}

function* seedTasks(
  transaction: Transaction,
  plan: Plan,
  { steps, by }: SeedPlaces,
  list: string,
): Script<Result<Written>> {
  const board = new Board(transaction, { list, policy: OUR_POLICY, owner: by, session: "" });
  const tasks: TaskReport[] = [];
  for (const [at, subject] of steps.entries()) {
    const description = `Step ${at + 1} of ${steps.length} of plan ${plan.id}: ${planTitle(plan.text)}`;
    const added = yield* board.add({ subject, description });
    if (!added.ok) return added;
    const found = yield* board.find(added.value.number);
    if (found) tasks.push(reportTask(list, found));
  }
  return ok({ todos: [], tasks, writes: (yield* board.outcome()).writes });
}
