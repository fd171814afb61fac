import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { command, policy } from "../../../../test/arbitraries.js";
import { sized } from "../../../../test/sizes.js";
import { sweepList } from "../../todo/carried-list.js";
import type { TodoCommand } from "../../todo/command.js";
import { decide } from "../../todo/decide.js";
import type { TodoEvent } from "../../todo/events.js";
import { evolveAll } from "../../todo/evolve.js";
import { EMPTY_LIST, isOpen, type TodoList, type TodoStatus, todosOf } from "../../todo/list.js";
import { type TodoPolicy, WHOLE_LIST } from "../../todo/policy.js";
import { evolveHistory, isSessionHistory, NO_SESSION_HISTORY, type SessionHistory } from "../session-history.js";
import { canFinish, finishedText, isFinished } from "./finished-list.js";
import { finishedTimes } from "./list-times.js";

interface Logged {
  readonly type: string;
  readonly data: object;
  readonly at: number;
}

const STATUS: Readonly<Record<string, TodoStatus>> = { "!": "in_progress", ".": "completed", "-": "cancelled" };
const MARK: Readonly<Record<TodoStatus, string>> = { pending: "", in_progress: "!", completed: ".", cancelled: "-" };

/** `a!` in progress, `a.` completed, `a-` cancelled. */
const write = (...texts: string[]): TodoCommand => {
  const todos = texts.map((text) => {
    const status = STATUS[text.at(-1) ?? ""] ?? "pending";
    return { text: status === "pending" ? text : text.slice(0, -1), status };
  });
  return { type: "replace", phases: todos.length === 0 ? [] : [{ name: "", todos }] };
};
const edit = (...edits: Extract<TodoCommand, { type: "edit" }>["edits"]): TodoCommand => ({ type: "edit", edits });
const add = (...texts: string[]) => edit({ type: "add", todos: texts.map((text) => ({ text })) });
const move = (number: number, to: TodoStatus) => ({ type: "move", target: { number }, to }) as const;
const remove = (number: number) => edit({ type: "remove", target: { number } });
const SWEEP = "sweep";

/** Each write a second after the one before. */
function play(steps: readonly (TodoCommand | typeof SWEEP)[], rules: Partial<TodoPolicy>) {
  let list: TodoList = EMPTY_LIST;
  const log: Logged[] = [];
  for (const [index, step] of steps.entries()) {
    const events = step === SWEEP ? sweepList(list, () => true) : eventsOf(list, step, rules);
    list = evolveAll(list, events);
    log.push(...events.map(({ type, ...data }) => ({ type, data, at: (index + 1) * 1000 })));
  }
  return { list, log };
}

function eventsOf(list: TodoList, step: TodoCommand, rules: Partial<TodoPolicy>): readonly TodoEvent[] {
  const decided = decide(list, step, { ...WHOLE_LIST, ...rules });
  return decided.ok ? decided.value.events : [];
}

const shown = (list: TodoList) => todosOf(list).map(({ text, status }) => text + MARK[status]);
const folded = (log: readonly Logged[]): SessionHistory => evolveHistory(NO_SESSION_HISTORY, log);
const finishedIn = (history: SessionHistory) => finishedTimes(history);

const NOW = { clearWhenDone: "now" } as const;
const ON_ADD = { clearWhenDone: "on-add", promote: "on-close" } as const;

/** What is finished, and with which write; `list`: what is left of the list itself. */
const cases: {
  name: string;
  rules?: Partial<TodoPolicy>;
  steps: readonly (TodoCommand | typeof SWEEP)[];
  list: string[];
  then: string[] | null;
  at?: number;
}[] = [
  { name: "nothing yet", steps: [write("a!", "b")], list: ["a!", "b"], then: null },
  {
    name: "cleared by the write that ends it",
    rules: NOW,
    steps: [write("a!", "b"), write("a.", "b!"), write("a.", "b.")],
    list: [],
    then: ["a.", "b."],
    at: 3,
  },
  {
    name: "written and finished at once",
    rules: NOW,
    steps: [write("a.", "b.")],
    list: [],
    then: ["a.", "b."],
    at: 1,
  },
  { name: "never cleared", steps: [write("a!"), write("a.")], list: ["a."], then: ["a."], at: 2 },
  {
    name: "cleared by the next todo",
    rules: ON_ADD,
    steps: [add("a", "b"), edit(move(1, "completed")), edit(move(2, "completed")), add("c")],
    list: ["c!"],
    then: ["a.", "b."],
    at: 3,
  },
  {
    name: "ended and followed by the next list in one write",
    rules: ON_ADD,
    steps: [add("a"), edit(move(1, "completed"), { type: "add", todos: [{ text: "b" }] })],
    list: ["b!"],
    then: ["a."],
    at: 2,
  },
  {
    name: "cancelled todos stand among the completed ones",
    rules: NOW,
    steps: [write("a!", "b"), write("a.", "b-")],
    list: [],
    then: ["a.", "b-"],
    at: 2,
  },
  { name: "only cancelled", rules: NOW, steps: [write("a!"), write("a-")], list: [], then: null },
  { name: "cleared while something was open", steps: [write("a.", "b!"), write()], list: [], then: null },
  {
    name: "the open one is taken off: what is left is done",
    steps: [write("a.", "b!"), write("a.")],
    list: ["a."],
    then: ["a."],
    at: 2,
  },
  {
    name: "in the middle of a write nothing is open",
    steps: [write("a.", "b!"), write("a.", "c", "d")],
    list: ["a.", "c", "d"],
    then: null,
  },
  {
    name: "closed ones that left before the end are not on it",
    steps: [write("a.", "b!"), remove(1), edit(move(2, "completed"))],
    list: ["b."],
    then: ["b."],
    at: 3,
  },
  {
    name: "closed ones that leave afterwards are",
    steps: [write("a!", "b."), edit(move(1, "completed")), remove(1), remove(2)],
    list: [],
    then: ["a.", "b."],
    at: 2,
  },
  {
    name: "swept by a setting",
    steps: [write("a!", "b."), edit(move(1, "completed")), SWEEP],
    list: [],
    then: ["a.", "b."],
    at: 2,
  },
  {
    name: "a note to what is done is no new end",
    steps: [write("a."), edit({ type: "note", target: { number: 1 }, text: "n" })],
    list: ["a."],
    then: ["a."],
    at: 1,
  },
  {
    name: "opened again: the last end stays until there is another one",
    steps: [write("a."), edit(move(1, "pending")), add("b")],
    list: ["a", "b"],
    then: ["a."],
    at: 1,
  },
  {
    name: "another list takes its place",
    rules: NOW,
    steps: [write("a."), write("b!", "c"), write("b.", "c.")],
    list: [],
    then: ["b.", "c."],
    at: 3,
  },
  {
    name: "another list that is given up does not",
    rules: NOW,
    steps: [write("a."), write("b!", "c"), write()],
    list: [],
    then: ["a."],
    at: 1,
  },
];

describe("the last finished list", () => {
  test.each(cases)("$name", ({ rules = {}, steps, list, then, at }) => {
    const played = play(steps, rules);
    const finished = finishedIn(folded(played.log));
    expect(shown(played.list)).toEqual(list);
    expect(finished && shown(finished.list)).toEqual(then);
    if (at !== undefined) expect(finished?.at).toBe(at * 1000);
  });

  test("has its phases and what the agent said of it", () => {
    const phases = [{ name: "P", todos: [{ text: "a", status: "completed" }] }] as const;
    const { log } = play([{ type: "replace", explanation: "why", phases }], {});
    expect(finishedIn(folded(log))?.list).toMatchObject({ explanation: "why", phases: [{ name: "P" }] });
  });

  test("a broken write, which has the revision of the one before it, ends that one", () => {
    const broken = { ...write("a.", "b"), isBroken: true } as TodoCommand;
    expect(finishedIn(folded(play([write("a."), broken], {}).log))).toMatchObject({ at: 1000 });
  });

  test("is bounded", () => {
    const huge = Array.from({ length: 900 }, (_, at) => `${at} ${"x".repeat(3000)}.`);
    const finished = finishedIn(folded(play([write(...huge)], NOW).log));
    expect(todosOf(finished?.list ?? EMPTY_LIST)).toHaveLength(900);
    expect(JSON.stringify(finished).length).toBeLessThan(300_000);
  });

  test("a view of an older version, whose list began in a history that is gone, tells of the next list only", () => {
    const { log } = play([write("a!", "b"), write("a.", "b."), write("c."), write(), write("d."), write("e!")], {});
    const whole = folded(log.filter(({ at }) => at <= 1000));
    const { currentList: _, finished: __, ...older } = whole;
    const later = (until: number) =>
      evolveHistory(
        older,
        log.filter(({ at }) => at > 1000 && at <= until * 1000),
      );
    expect(isSessionHistory(older)).toBe(true);
    expect(finishedIn(later(3))).toBe(null);
    expect(finishedIn(later(6))).toMatchObject({ at: 5000 });
  });
});

const times = fc.array(fc.constantFrom(0, 1, 1000), { minLength: 16, maxLength: 16 });

test("of a replayed log, in any pieces, equals the live one; nothing on it is open, and something was completed", () => {
  let met = 0;
  fc.assert(
    fc.property(
      fc.array(command, { maxLength: 15 }),
      policy,
      times,
      fc.nat({ max: 9 }),
      (commands, rules, gaps, size) => {
        let [list, live, at] = [EMPTY_LIST, null as readonly string[] | null, 1000];
        const log: Logged[] = [];
        for (const [index, step] of [add("a", "b"), ...commands].entries()) {
          const events = eventsOf(list, step, rules);
          at += Math.max(gaps[index] ?? 1, 1);
          live = liveFinish(list, events) ?? live;
          list = evolveAll(list, events);
          log.push(...events.map(({ type, ...data }) => ({ type, data, at })));
        }
        const finished = finishedIn(folded(JSON.parse(JSON.stringify(log))));
        if (finished) met += 1;
        expect(finished && shown(finished.list)).toEqual(live);
        if (finished) expect(isFinished(finished.list) && !todosOf(finished.list).some(isOpen)).toBe(true);
        let pieces: SessionHistory = NO_SESSION_HISTORY;
        for (let from = 0; from < log.length; from += size + 1)
          pieces = JSON.parse(JSON.stringify(evolveHistory(pieces, log.slice(from, from + size + 1))));
        expect(finishedIn(pieces)).toEqual(finished && JSON.parse(JSON.stringify(finished)));
      },
    ),
    { numRuns: sized(100, 5000) },
  );
  expect(met).toBeGreaterThan(10);
});

/** Told by the lists alone: before each clearing, and after the write. */
function liveFinish(before: TodoList, events: readonly TodoEvent[]): readonly string[] | undefined {
  let [list, found, isNew] = [before, undefined as readonly string[] | undefined, false];
  const look = () => {
    if (isNew && isFinished(list)) [found, isNew] = [shown(list), false];
  };
  for (const event of events) {
    if (event.type === "list.cleared") look();
    list = evolveAll(list, [event]);
    isNew ||= canFinish(event);
  }
  look();
  return found;
}

test.each([
  [["a.", "b."], 1000, "2/2 done 22m ago"],
  [["a.", "b.", "c-"], 1000, "2/2 done 22m ago, 1 cancelled"],
  [["a."], 0, "1/1 done"],
] as const)("%j as a person reads it", (texts, at, then) => {
  const { list } = play([write(...texts)], {});
  expect(finishedText(todosOf(list), at, 1000 + 22 * 60_000)).toBe(then);
});
