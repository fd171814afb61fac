import { checkId } from "../../core/id.js";
import { ok, type Result } from "../../core/result.js";
import type { Answer, ToolCall } from "../../dialects/dialect.js";
import type { TaskDialect } from "../../dialects/task-dialect.js";
import type { Decision, EventStore } from "../../store/event-store.js";
import type { Script } from "../../store/script.js";
import { sessionStream } from "../../store/stream.js";
import { Board, type BoardOptions } from "../tasks/task-board.js";
import { numbersStream } from "../tasks/task-views.js";
import { callFacts, modeOfCall } from "./call-events.js";
import type { CallRequest } from "./call-request.js";
import type { PlannedCall } from "./tool-call.js";

interface TaskCall {
  readonly dialect: TaskDialect;
  readonly request: CallRequest;
  readonly call: ToolCall;
  readonly session: string;
}

export function planTaskCall(taskCall: TaskCall): Result<PlannedCall> {
  const { dialect, request, session } = taskCall;
  const { agent, project = session } = request;
  const list = request.list ?? (dialect.scope === "session" ? session : project);
  const refused =
    checkId("session", session) ?? (agent === undefined ? undefined : checkId("agent", agent)) ?? checkId("list", list);
  return refused ?? ok(planOn(taskCall, list));
}

function planOn({ dialect, request, call, session }: TaskCall, list: string): PlannedCall {
  const { agent, actor, origin } = request;
  const owner = actor ?? holderName(session, agent, request.holder);
  const isNameless = dialect.needsSession === true && request.session === undefined;
  const place: BoardOptions = { list, policy: dialect.policy, owner, session: isNameless ? "" : session };
  let isUnfinished = false;
  const decision: Decision<Answer> = function* (transaction) {
    yield* transaction.version(sessionStream(session));
    const board = new Board(transaction, place);
    const mode = yield* modeOfCall(transaction, request);
    // A dialect asks nothing but the board, and the board is made of scripts.
    const answer = yield* dialect.answer({ ...call, mode }, board) as unknown as Script<Answer>;
    isUnfinished = board.isUnfinished && !answer.isError;
    const outcome = answer.isError ? undefined : yield* board.outcome(dialect.told ? session : undefined);
    const { writes, own } = outcome ?? { writes: [], own: [] };
    const told = dialect.told && own.length > 0 ? dialect.told(answer, own) : answer;
    const facts = yield* callFacts(transaction, request, session, answer.isError);
    // Some models number their calls from 1 in each turn: a read must not be answered with a kept answer.
    return ok({ writes: [...writes, ...facts], answer: told, isKept: origin === undefined || writes.length > 0 });
  };
  const finish = async (store: EventStore) => {
    if (isUnfinished) await (await import("../tasks/finish-removals.js")).finishRemovals(store, place);
  };
  return { stream: numbersStream(list), decision, finish };
}

/** The lease owner: the session, a sub-agent in it, or one of several clients that share a guessed session. */
export function holderName(session: string, agent: string | undefined, holder: string | undefined): string {
  const name = agent === undefined ? session : `${session}/${agent}`;
  return holder === undefined ? name : `${name}@${holder}`;
}
