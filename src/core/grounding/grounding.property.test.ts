import fc from "fast-check";
import { expect, test } from "vitest";
import { asRead, asRecorded, type Ending } from "../../../test/grounding/made-up-session.js";
import { evolveCalls, isCallHistory, NO_CALL_HISTORY } from "../call/call-history.js";
import { evolveHistory, isSessionHistory, NO_SESSION_HISTORY } from "../session/session-history.js";
import { TODO_STATUSES, todosOf } from "../todo/list.js";
import { judgeList, judgeTasks } from "./judged.js";

const todoStep = fc
  .tuple(fc.integer({ min: 1, max: 4 }), fc.constantFrom(">", ">", ".", ".", "-", "x"))
  .map((two) => two.join(""));
const taskStep = fc.tuple(fc.constantFrom("A", "B"), fc.constantFrom(">", ".", "-")).map((two) => two.join(""));
const callStep = fc.constantFrom("e", "e", "c", "f", "g", "g", "r", "u", "p", "n", "l", "L", "ae", "ag", "ar", "ac");
const step = fc.oneof(
  { weight: 4, arbitrary: todoStep },
  { weight: 7, arbitrary: callStep },
  { weight: 1, arbitrary: taskStep },
  { weight: 1, arbitrary: fc.constantFrom("clear", "waive") },
);

/** All that is said of its todos and tasks. */
function judged({ list, tasks, work }: Ending) {
  const [judge, judgeTask] = [judgeList(list, work), judgeTasks(tasks, work)];
  return {
    todos: todosOf(list).map((todo) => [todo.number, judge?.(todo)]),
    tasks: tasks.map((task) => [task.id, judgeTask?.(task)]),
  };
}

test("what hooks recorded and what the transcript tells agree on every todo, at once and in pieces", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), fc.integer({ min: 1, max: 9 }), (steps, size) => {
      const recorded = judged(asRecorded(steps));
      expect(judged(asRead(steps))).toEqual(recorded);
      expect(judged(asRecorded(steps, size))).toEqual(recorded);
      expect(judged(asRead(steps, size))).toEqual(recorded);
    }),
    { numRuns: 300 },
  );
});

interface Logged {
  readonly type: string;
  readonly data: object;
  readonly at: number;
}

const number = fc.integer({ min: 1, max: 5 });
const status = fc.constantFrom(...TODO_STATUSES);
const told = (type: string, data: fc.Arbitrary<object> = fc.constant({})) =>
  data.map((fields) => ({ type, data: { revision: 1, ...fields } }));
const phases = fc.array(fc.record({ name: fc.constant("p"), numbers: fc.array(number, { maxLength: 5 }) }), {
  maxLength: 2,
});
const phase = fc.constantFrom(0, 0, 0, 1, 7);
const ownEvent = fc.oneof(
  { weight: 4, arbitrary: told("todo.added", fc.record({ number, phase, text: fc.constant("x"), status })) },
  { weight: 5, arbitrary: told("todo.moved", fc.record({ number, from: status, to: status })) },
  { weight: 2, arbitrary: told("todo.removed", fc.record({ number, text: fc.constant("x"), status })) },
  { weight: 2, arbitrary: told("phase.opened", fc.constant({ name: "p" })) },
  told("list.cleared"),
  told("list.ordered", fc.record({ phases })),
  told("todo.noted", fc.record({ number, text: fc.constant("n") })),
  told("check.waived", fc.record({ reason: fc.constant("r") })),
  told("client-task.updated", fc.record({ id: fc.constantFrom("1", "2"), status })),
  told("client-task.deleted", fc.record({ id: fc.constantFrom("1", "2") })),
  told("turn.started", fc.constant({ isStop: false })),
  told("turn.ended"),
  told("reply.ended", fc.record({ batch: fc.boolean(), calls: fc.constant(1), usedList: fc.boolean() })),
  told("todo.moved", fc.constant({ number: "1", from: "pending", to: "nowhere" })),
);
const facts = fc.record(
  {
    kind: fc.constantFrom("edit", "read", "execute", "blessed"),
    files: fc.array(
      fc.integer({ min: 0, max: 60 }).map((at) => `/f${at}`),
      { maxLength: 7 },
    ),
    check: fc.constantFrom("tests", "lint", "prayer"),
    result: fc.constantFrom("passed", "failed", "unknown"),
    added: fc.nat({ max: 9 }),
  },
  { requiredKeys: [] },
);
const callEvent = fc
  .record({
    call: fc.constantFrom(undefined, "c1", "c2"),
    tool: fc.constantFrom("Bash", "Bash", "Edit", "TodoWrite"),
    server: fc.constantFrom(undefined, undefined, "milepost", "other"),
    agent: fc.constantFrom(undefined, undefined, "a1", "a2"),
    status: fc.constantFrom("completed", "completed", "failed", "cancelled", "blessed"),
    milliseconds: fc.constantFrom(undefined, 0, 7, -1, 1e18, Number.NaN),
    subject: fc.constantFrom(undefined, "npm test", "\u0000\ud800"),
    facts,
  })
  .map((data) => ({ type: "call.ended", data }));
const startEvent = fc.record({ call: fc.constantFrom("c1", "c2", 7) }).map((data) => ({ type: "call.started", data }));

/** Steps of the clock: many things happen in the same millisecond. */
const passed = fc.constantFrom(0, 0, 1, 1, 2, 50);
const timed = (event: fc.Arbitrary<Omit<Logged, "at">>, maxLength: number) =>
  fc.array(fc.tuple(passed, event), { maxLength }).map((steps) => {
    let at = 1000;
    return steps.map(([more, one]): Logged => {
      at += more;
      return { ...one, at };
    });
  });
/** Some are told late, by a transcript. */
const calls = fc
  .tuple(
    timed(fc.oneof({ weight: 6, arbitrary: callEvent }, startEvent), 200),
    fc.array(fc.nat({ max: 40 }), { maxLength: 60 }),
  )
  .map(([events, late]) => events.map((event, at) => ({ ...event, at: Math.max(1, event.at - (late[at] ?? 0)) })));

/** Through the store and back between two pieces. */
function inPieces<State>(
  fold: (state: State, events: readonly Logged[]) => State,
  state: State,
  events: readonly Logged[],
  size: number,
) {
  let before = state;
  for (let at = 0; at < events.length; at += size)
    before = fold(JSON.parse(JSON.stringify(before)), events.slice(at, at + size));
  return before;
}

test("folded in pieces or at once, it is the same, and a state that may be imported", () => {
  fc.assert(
    fc.property(timed(ownEvent, 60), calls, fc.integer({ min: 1, max: 20 }), (own, called, size) => {
      const history = inPieces(evolveHistory, NO_SESSION_HISTORY, own, size);
      expect(history).toEqual(evolveHistory(NO_SESSION_HISTORY, own));
      expect(isSessionHistory(JSON.parse(JSON.stringify(history)))).toBe(true);
      const kept = inPieces(evolveCalls, NO_CALL_HISTORY, called, size);
      expect(kept).toEqual(evolveCalls(NO_CALL_HISTORY, called));
      expect(isCallHistory(JSON.parse(JSON.stringify(kept)))).toBe(true);
    }),
    { numRuns: 200 },
  );
});
