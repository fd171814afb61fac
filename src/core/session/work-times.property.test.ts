import fc from "fast-check";
import { expect, test } from "vitest";
import { readCallEvent } from "../call/call-event.js";
import { type CallHistory, evolveCalls, isCallHistory, NO_CALL_HISTORY } from "../call/call-history.js";
import { evolveAll } from "../todo/evolve.js";
import { EMPTY_LIST, TODO_STATUSES, type TodoList, todosOf } from "../todo/list.js";
import { readTodoEvent } from "../todo/recorded.js";
import type { Fact } from "./observation.js";
import { evolveView, newView, type SessionView, verdictOf } from "./session-facts.js";
import { evolveHistory, isSessionHistory, NO_SESSION_HISTORY, type SessionHistory } from "./session-history.js";
import { todoWork } from "./work-times.js";

interface Logged {
  readonly type: string;
  readonly data: object;
  readonly at: number;
}

const number = fc.integer({ min: 1, max: 5 });
const status = fc.constantFrom(...TODO_STATUSES);
const told = <Type extends string>(type: Type, data: fc.Arbitrary<object> = fc.constant({})) =>
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
  told("turn.started", fc.constant({ isStop: false })),
  told("turn.ended"),
  told("reply.ended", fc.record({ batch: fc.boolean(), calls: fc.constant(1), usedList: fc.boolean() })),
  told("todo.moved", fc.constant({ number: "1", from: "pending", to: "nowhere" })),
);
const callEvent = fc
  .record({
    tool: fc.constantFrom("Bash", "Bash", "Edit", "TodoWrite"),
    server: fc.constantFrom(undefined, undefined, "milepost", "other"),
    status: fc.constantFrom("completed", "completed", "failed", "cancelled", "blessed"),
  })
  .map((data) => ({ type: "call.ended", data }));

/** Steps of the clock: many things happen in the same millisecond. */
const step = fc.constantFrom(0, 0, 1, 1, 2, 50);
const timed = (event: fc.Arbitrary<Omit<Logged, "at">>) =>
  fc.array(fc.tuple(step, event), { maxLength: 60 }).map((steps) => {
    let at = 1000;
    return steps.map(([passed, one]): Logged => {
      at += passed;
      return { ...one, at };
    });
  });
const own = timed(ownEvent).map((events) => [
  { type: "phase.opened", data: { name: "", revision: 1 }, at: 1000 },
  ...events,
]);
/** Some are told late, by a transcript. */
const calls = fc
  .tuple(timed(callEvent), fc.array(fc.nat({ max: 40 }), { maxLength: 60 }))
  .map(([events, late]) => events.map((event, at) => ({ ...event, at: Math.max(1, event.at - (late[at] ?? 0)) })));

/**
 * Both histories read from their beginning, in the order of the clock: what a session showed before anything was kept.
 */
function readAgain(ownEvents: readonly Logged[], callEvents: readonly Logged[]): SessionView {
  let view = newView("s");
  let list: TodoList = EMPTY_LIST;
  for (const { type, data, at } of [...ownEvents, ...callEvents].sort((a, b) => a.at - b.at)) {
    const change = readTodoEvent(type, data);
    if (change) list = evolveAll(list, [change]);
    for (const fact of factsOf(type, data, list)) view = evolveView(view, { ...fact, session: "s", at });
  }
  return view;
}

function factsOf(type: string, data: object, list: TodoList): readonly Fact[] {
  if (readTodoEvent(type, data)) return [{ type: "list.changed", list }];
  if (type === "turn.started") return [{ type: "turn.started" }];
  if (type === "turn.ended") return [{ type: "turn.ended", isAsking: false }];
  const call = readCallEvent(type, data);
  if (call?.type !== "call.ended") return [];
  const { tool, isWork, outcome } = call;
  return [
    { type: "call.started", call: "c", tool, isWork, isAsking: false },
    { type: "call.ended", call: "c", status: outcome },
  ];
}

/** Through the store and back between two pieces. */
function inPieces<State>(
  fold: (state: State, events: readonly Logged[]) => State,
  state: State,
  all: readonly Logged[][],
) {
  return all.reduce((before, events) => fold(JSON.parse(JSON.stringify(before)), events), state);
}

function cut(events: readonly Logged[], size: number): Logged[][] {
  return Array.from({ length: Math.ceil(events.length / size) }, (_, at) => events.slice(at * size, (at + 1) * size));
}

const verdicts = (view: Pick<SessionView, "list" | "work">) =>
  todosOf(view.list).map((todo) => [todo.number, verdictOf({ ...newView("s"), ...view }, todo)]);

test("what is kept tells the same as both histories read again", () => {
  fc.assert(
    fc.property(own, calls, (ownEvents, callEvents) => {
      const expected = readAgain(ownEvents, callEvents);
      const history = evolveHistory(NO_SESSION_HISTORY, ownEvents);
      const { own: kept } = evolveCalls(NO_CALL_HISTORY, callEvents);
      expect(verdicts({ list: expected.list, work: todoWork(history.work, kept.runs) })).toEqual(verdicts(expected));
      expect({ total: kept.completed + kept.failed + kept.cancelled, failed: kept.failed }).toEqual(expected.calls);
      const startedAt = Math.min(history.startedAt || kept.startedAt, kept.startedAt || history.startedAt);
      expect(startedAt).toBe(expected.startedAt);
    }),
    { numRuns: 2000 },
  );
});

test("folded in pieces or at once, it is the same, and a state that may be imported", () => {
  fc.assert(
    fc.property(own, calls, fc.integer({ min: 1, max: 20 }), (ownEvents, callEvents, size) => {
      const history: SessionHistory = inPieces(evolveHistory, NO_SESSION_HISTORY, cut(ownEvents, size));
      expect(history).toEqual(evolveHistory(NO_SESSION_HISTORY, ownEvents));
      expect(isSessionHistory(JSON.parse(JSON.stringify(history)))).toBe(true);
      const kept: CallHistory = inPieces(evolveCalls, NO_CALL_HISTORY, cut(callEvents, size));
      expect(kept).toEqual(evolveCalls(NO_CALL_HISTORY, callEvents));
      expect(isCallHistory(JSON.parse(JSON.stringify(kept)))).toBe(true);
    }),
  );
});
