import { checkId } from "../../core/id.js";
import { fail, ok, type Result } from "../../core/result.js";
import type { Answer, ToolCall } from "../../dialects/dialect.js";
import type { Steps, TaskDialect } from "../../dialects/task-dialect.js";
import type { Decision, EventStore, Idempotency } from "../../store/event-store.js";
import type { Script } from "../../store/script.js";
import { sessionStream } from "../../store/stream.js";
import { Board } from "../tasks/task-board.js";
import { numbersStream } from "../tasks/task-views.js";
import { callFacts } from "./call-facts.js";
import type { CallRequest } from "./tool-call.js";

export interface TaskCall {
  readonly dialect: TaskDialect;
  readonly request: CallRequest;
  readonly call: ToolCall;
  readonly session: string;
}

/** Which list a call is about: the one that was named, else the session's own or the project's, as the dialect says. */
function taskListOf({ scope }: TaskDialect, { list, project }: CallRequest, session: string): Result<string> {
  const name = list ?? (scope === "session" ? session : (project ?? session));
  return checkId("list", name) ?? ok(name);
}

/** One call of a task tool on an open store. */
export async function callTask(
  store: EventStore,
  taskCall: TaskCall,
  idempotency: (stream: string) => Result<Idempotency> | undefined,
): Promise<Result<Answer>> {
  const { dialect, request, session } = taskCall;
  const refused =
    checkId("session", session) ?? (request.agent === undefined ? undefined : checkId("agent", request.agent));
  if (refused) return refused;
  const list = taskListOf(dialect, request, session);
  if (!list.ok) return list;
  const key = idempotency(numbersStream(list.value));
  if (key && !key.ok) return fail(key.error);
  return store.commit(decisionOf(taskCall, list.value), key ? { idempotency: key.value } : {});
}

function decisionOf({ dialect, request, call, session }: TaskCall, list: string): Decision<Answer> {
  const { agent, actor, origin } = request;
  const owner = actor ?? holderName(session, agent, request.holder);
  return function* (transaction) {
    yield* transaction.version(sessionStream(session));
    const board = new Board(transaction, { list, policy: dialect.policy, owner, session });
    const answer = yield* asScript(dialect.answer(call, board));
    const outcome = answer.isError ? undefined : yield* board.outcome(dialect.told ? session : undefined);
    const { writes, own } = outcome ?? { writes: [], own: [] };
    const told = dialect.told && own.length > 0 ? dialect.told(answer, own) : answer;
    const facts = yield* callFacts(transaction, request, session, answer);
    // Some models number their calls from 1 in each turn: a read must not be answered with a kept answer.
    return ok({ writes: [...writes, ...facts], answer: told, isKept: origin === undefined || writes.length > 0 });
  };
}

/** The lease owner: the session, a sub-agent in it, or one of several clients that share a guessed session. */
export function holderName(session: string, agent: string | undefined, holder: string | undefined): string {
  const name = agent === undefined ? session : `${session}/${agent}`;
  return holder === undefined ? name : `${name}@${holder}`;
}

/** A dialect asks nothing but the board, and the board is made of scripts. */
function asScript(steps: Steps<Answer>): Script<Answer> {
  return steps as unknown as Script<Answer>;
}
