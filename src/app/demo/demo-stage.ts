import type { Result } from "../../core/result.js";
import { openStore } from "../../store/open.js";
import { sessionStream } from "../../store/stream.js";
import type { Command, CommandContext } from "../command-definition.js";
import { createMilepost, type Milepost } from "../milepost.js";
import { SESSIONS } from "../session/session-view.js";
import { DEFAULT_SETTINGS } from "../settings.js";
import { readTasks } from "../tasks/read-tasks.js";
import { reportTask, type TaskReport } from "../tasks/task-report.js";
import { type OpenBoard, openBoard } from "../transcripts/open-session-board.js";
import { boardOf } from "../transcripts/session-board.js";
import { PROJECTIONS } from "../views.js";
import { DEMO_SESSIONS, DemoClient } from "./demo-client.js";
import { DEMO_LIST, demoContext } from "./demo-context.js";
import type { DemoAct, DemoAgent, DemoAnswer, DemoLook } from "./demo-moment.js";

/** A store in memory that nobody else sees, and whoever writes to it: two clients with their hooks, and a person. */
export interface DemoStage {
  readonly milepost: Milepost;
  /** For commands and views of this store. `person`: the command at whose terminal they are shown. */
  context(person?: CommandContext): CommandContext;
  /** The sessions of this store alone: no transcript of this machine is read. */
  board(): Promise<OpenBoard>;
  /** Does it the way it is really done; answers with what the engine said. `pause`: while a call runs. */
  act(act: DemoAct, pause: (milliseconds: number) => Promise<void>): Promise<readonly DemoAnswer[]>;
  look(answers: readonly DemoAnswer[]): Promise<DemoLook>;
  close(): Promise<void>;
}

export async function openDemoStage(): Promise<DemoStage> {
  const store = await openStore("memory:", { projections: PROJECTIONS, clock: steadyClock() });
  const milepost = createMilepost(store, DEFAULT_SETTINGS, "memory");
  const context = demoContext(milepost);
  const clients = { "claude-code": new DemoClient(milepost, "claude-code"), codex: new DemoClient(milepost, "codex") };
  const board = () => openBoard(context, { folders: () => [] });
  let looked: Promise<OpenBoard> | undefined;
  return {
    milepost,
    context: (person) => (person ? demoContext(milepost, person) : context),
    board,
    act: (act, pause) => actOn(context, clients[act.agent], act, pause),
    async look(answers) {
      looked ??= board();
      const { attachment, stored } = await looked;
      const reports = await boardOf(attachment, stored, { limit: MOST_SESSIONS, now: Date.now() });
      const reportOn = (agent: DemoAgent) => reports.find(({ id }) => id === DEMO_SESSIONS[agent]);
      return { claude: reportOn("claude-code"), codex: reportOn("codex"), tasks: await tasksOf(milepost), answers };
    },
    close: () => milepost.close(),
  };
}

const MOST_SESSIONS = 10;

/**
 * Never the same millisecond twice: which call belongs to which todo is told by time alone, and a demo without pauses
 * makes several of them in one.
 */
function steadyClock(): () => number {
  let last = 0;
  return () => {
    last = Math.max(Date.now(), last + 1);
    return last;
  };
}

type Answers = readonly DemoAnswer[];

async function actOn(
  context: CommandContext,
  client: DemoClient,
  act: DemoAct,
  pause: (milliseconds: number) => Promise<void>,
): Promise<Answers> {
  switch (act.type) {
    case "hook":
      return client.hook(act);
    case "tool":
      return client.tool(act, pause);
    case "call":
      return client.call(act);
    case "asks":
      return client.asks(act);
    case "answered":
      return client.answered(act);
    case "approve":
      return approve(context, act.agent);
    case "tell":
      return tellAgent(context, act);
  }
}

/** Who acts in the demo, as its records name the person. */
const PERSON = "you";

async function approve(context: CommandContext, agent: DemoAgent): Promise<Answers> {
  const { approvePlan } = await import("../commands/plan/judge-plan.js");
  const { store } = await context.open("read");
  const { plan } = await store.view(SESSIONS, sessionStream(DEMO_SESSIONS[agent]));
  const input = { plan: plan?.plan, todos: false, tasks: false, as: PERSON };
  return [shown(approvePlan, await approvePlan.run(context, input), context)];
}

async function tellAgent(
  context: CommandContext,
  { agent, text }: { readonly agent: DemoAgent; readonly text: string },
) {
  const { tell } = await import("../commands/tell.js");
  const input = { text: [text], session: DEMO_SESSIONS[agent], as: PERSON, later: true };
  return [shown(tell, await tell.run(context, input), context)];
}

type Shown<Value> = Pick<Command<never, Value>, "show">;

/** What the command prints. */
function shown<Value>({ show }: Shown<Value>, done: Result<Value>, { output }: CommandContext): DemoAnswer {
  if (!done.ok) return { to: "command", text: done.error.message, isError: true };
  return { to: "command", text: show?.(done.value, output, {}).trimEnd() ?? "", isError: false };
}

async function tasksOf({ store }: Milepost): Promise<readonly TaskReport[]> {
  const tasks: TaskReport[] = [];
  for await (const page of readTasks(store, DEMO_LIST, {}))
    tasks.push(...page.tasks.map((task) => reportTask(DEMO_LIST, task)));
  return tasks;
}
