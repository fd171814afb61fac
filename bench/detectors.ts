// npm run bench:detectors: what detectors and verdicts cost for each event, and how large the watch of a session grows.
import type { RoundCall } from "../src/core/call/call-facts.js";
import { NO_WATCH, type Watch, watchStep } from "../src/core/detectors/session-watch.js";
import type { Step } from "../src/core/detectors/step.js";
import { judgeList } from "../src/core/grounding/judged.js";
import { endWork, NO_SEEN_WORK, passList, startWork } from "../src/core/grounding/seen-work.js";
import { EMPTY_LIST, type Todo, type TodoList } from "../src/core/todo/list.js";
import { corpus } from "../test/detectors/corpus.js";
import { stepsOf, type Trace } from "../test/detectors/trace.js";
import { type Goal, type Row, report } from "./report.js";

const ROUNDS = 7;
const LEAST_STEPS = 20_000;
const T = 1_790_000_000_000;

interface Stream {
  readonly name: string;
  /** Each is folded from nothing. */
  readonly sessions: readonly (readonly Step[])[];
}

const call = (at: number, more: Partial<RoundCall>): RoundCall => {
  return {
    tool: "Bash",
    status: "completed",
    kind: "execute",
    signature: `s${at}`,
    outcome: `o${at}`,
    size: 9,
    ...more,
  };
};

/** One session of rounds, ten seconds apart. */
function rounds(length: number, calls: (at: number) => readonly RoundCall[]): readonly Step[] {
  return Array.from({ length }, (_, at) => ({ type: "round", at: T + at * 10_000, calls: calls(at), isBatch: true }));
}

const told = (traces: readonly Trace[]) => traces.map(({ items }) => stepsOf(items, "told"));
const TRACES = corpus(0, 20);
const ODD = `<b>\u{1f600}"\\`.repeat(1500);

const STREAMS: readonly Stream[] = [
  { name: "honest work of the corpus", sessions: told(TRACES.filter(({ detector }) => detector === undefined)) },
  { name: "loops of the corpus", sessions: told(TRACES.filter(({ detector }) => detector !== undefined)) },
  { name: "one long loop", sessions: [rounds(LEAST_STEPS, () => [call(1, {})])] },
  { name: "a long cycle of five", sessions: [rounds(LEAST_STEPS, (at) => [call(at % 5, {})])] },
  { name: "always something new", sessions: [rounds(LEAST_STEPS, (at) => [call(at, {})])] },
  {
    name: "hostile: 10 failing edits a reply",
    sessions: [
      rounds(LEAST_STEPS, (at) =>
        Array.from({ length: 10 }, (_, one) => {
          return call(one, {
            tool: `t${one}`,
            kind: "edit",
            status: "failed",
            files: [`f${at % 9}`],
            outcome: `${one}`,
          });
        }),
      ),
    ],
  },
  {
    name: "hostile: names of 10,000 characters",
    sessions: [
      rounds(LEAST_STEPS, (at) => [
        call(at % 30, { tool: ODD, kind: "edit", status: "failed", files: [ODD], outcome: "e" }),
      ]),
    ],
  },
];

const isHostile = (name: string) => name.startsWith("hostile");
const fold = (steps: readonly Step[]): Watch => steps.reduce(watchStep, NO_WATCH);

/** Of the processor, and the best of some rounds: what else the machine does is not ours. */
function microseconds({ sessions }: Stream, work: (session: readonly Step[]) => unknown = fold): number {
  const steps = sessions.reduce((sum, session) => sum + session.length, 0);
  const times = Math.max(1, Math.ceil(LEAST_STEPS / steps));
  const costs = Array.from({ length: ROUNDS }, () => {
    const started = process.cpuUsage();
    for (let time = 0; time < times; time += 1) for (const session of sessions) work(session);
    const { user, system } = process.cpuUsage(started);
    return (user + system) / (steps * times);
  });
  return Math.min(...costs);
}

const round = (value: number) => Math.round(100 * value) / 100;
const costs = STREAMS.map((stream) => ({ name: stream.name, cost: microseconds(stream) }));

/** A session that does all that the corpus does, one thing after the other. */
function longSession(length: number): readonly Step[] {
  const all = told(TRACES).flat();
  let at = T;
  return Array.from({ length }, (_, place): Step => {
    at += 10_000;
    return { ...(all[(place * 7) % all.length] ?? { type: "prompt" }), at };
  });
}

const sizes = [10, 1000, 100_000].map((length) => {
  return { length, usual: usualSize(length), worst: JSON.stringify(fold(longSession(length))).length };
});

/** Honest work only: how large a view grows for most people. */
function usualSize(length: number): number {
  const honest = told(
    TRACES.filter(({ detector, name }) => detector === undefined && name.startsWith("a long day")),
  ).flat();
  const steps = Array.from({ length }, (_, place): Step => {
    return { ...(honest[place % honest.length] ?? { type: "prompt" }), at: T + place * 10_000 };
  });
  return JSON.stringify(fold(steps)).length;
}

/** Eight todos, the first six of them called completed. */
const TODOS: readonly Todo[] = Array.from({ length: 8 }, (_, at) => {
  const status = at < 6 ? "completed" : "pending";
  return { number: at + 1, text: `Part ${at}`, status, notes: [], evidence: [] };
});
const LIST: TodoList = { ...EMPTY_LIST, phases: [{ name: "", todos: TODOS }] };
const ITEMS = TODOS.map(({ number: key, status }) => ({ key, status }));

/** Verdicts: calls are folded into the work of their todos, and after each write of the list all of it is judged. */
function workOf(session: readonly Step[]): number {
  let work = NO_SEEN_WORK;
  let judged = 0;
  for (const [at, step] of session.entries()) {
    if (step.type === "round")
      for (const call of step.calls) {
        const [begun, started] = startWork(work, step.at - (call.milliseconds ?? 0));
        work = endWork(begun, started, { status: call.status, facts: call, call: `c${at}` }, step.at);
      }
    if (step.type !== "list-written") continue;
    work = passList(work, ITEMS, ITEMS, step.at);
    const judge = judgeList(LIST, work);
    judged += TODOS.filter((todo) => judge?.(todo).judgement != null).length;
  }
  return judged;
}

/** Of the worst usual stream. */
const verdict = Math.max(
  ...STREAMS.filter(({ name }) => !isHostile(name)).map((stream) => microseconds(stream, workOf)),
);

const base = costs[0]?.cost ?? 1;
/** What the same machine needs at the same time for something that every event goes through anyway. */
const [honest] = STREAMS;
const json = honest ? microseconds(honest, (session) => session.map((step) => JSON.parse(JSON.stringify(step)))) : 1;
const rows: readonly Row[] = [
  { what: "for comparison: a step to JSON and back", "µs an event": round(json), "to honest work": round(json / base) },
  ...costs.map(({ name, cost }) => ({ what: name, "µs an event": round(cost), "to honest work": round(cost / base) })),
  {
    what: "verdicts: work folded, the list judged at each write",
    "µs an event": round(verdict),
    "to honest work": round(verdict / base),
  },
  ...sizes.map(({ length, usual, worst }) => {
    return {
      what: `a watch after ${length} events`,
      "characters, honest work": usual,
      "characters, everything": worst,
    };
  }),
];
const worstOf = (which: (name: string) => boolean) =>
  Math.max(...costs.filter(({ name }) => which(name)).map(({ cost }) => cost));
const goals: readonly Goal[] = [
  {
    name: "microseconds an event, detectors and verdicts, the worst usual streams",
    actual: worstOf((name) => !isHostile(name)) + verdict,
    most: 20,
  },
  { name: "microseconds an event, the worst hostile stream", actual: worstOf(isHostile), most: 60 },
  { name: "characters of a watch, honest work", actual: Math.max(...sizes.map(({ usual }) => usual)), most: 2000 },
  { name: "characters of a watch, everything", actual: Math.max(...sizes.map(({ worst }) => worst)), most: 12_000 },
];

report("detectors", rows, goals);
