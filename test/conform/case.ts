import { LISTS, toNewEvent } from "../../src/app/lists.js";
import { type CallRequest, openMilepost } from "../../src/app/milepost.js";
import { fail, ok } from "../../src/core/result.js";
import type { TodoCommand } from "../../src/core/todo/command.js";
import { copyEvents } from "../../src/core/todo/copy.js";
import { decide } from "../../src/core/todo/decide.js";
import { EMPTY_LIST, type TodoList } from "../../src/core/todo/list.js";
import type { TodoPolicy } from "../../src/core/todo/policy.js";
import { type Answer, isObject, type JsonObject } from "../../src/dialects/dialect.js";
import { append } from "../../src/store/event-store.js";
import { sessionStream } from "../../src/store/stream.js";

/** What differs; nothing when the case holds. */
export type Check = (testCase: Case) => Promise<readonly Mismatch[]>;

export interface Case extends JsonObject {
  readonly name: string;
}

export interface Mismatch {
  readonly call: number;
  readonly expected: unknown;
  readonly actual: unknown;
}

/** One session, spoken to through the public facade. */
export interface Session {
  call(request: Omit<CallRequest, "dialect">): Promise<Answer>;
  list(): Promise<TodoList>;
  /** What a person does, beside the tools. */
  change(command: TodoCommand, policy: TodoPolicy): Promise<void>;
}

/** `initial`: a list that is there before, as another version may have left it. */
export async function openSession(dialect: string, initial: TodoList = EMPTY_LIST): Promise<Session> {
  const milepost = await openMilepost({ store: "memory:" });
  const events = copyEvents(initial).map((event) => toNewEvent(event, undefined));
  const stream = sessionStream("default");
  if (events.length > 0) await milepost.store.commit(append([{ stream, events }]));
  return {
    async call(request) {
      const answer = await milepost.call({ dialect, ...request });
      return answer.ok ? answer.value : { text: answer.error.message, isError: true };
    },
    async list() {
      const list = await milepost.list();
      return list.ok ? list.value : EMPTY_LIST;
    },
    async change(command, policy) {
      const changed = await milepost.store.commit<void>(function* (transaction) {
        const decision = decide(yield* transaction.view(LISTS, stream), command, policy);
        if (!decision.ok) return fail(decision.error);
        const written = decision.value.events.map((event) => toNewEvent(event, undefined));
        return ok({ writes: [{ stream, events: written }], answer: undefined });
      });
      if (!changed.ok) throw new Error(changed.error.message);
    },
  };
}

export interface Row {
  readonly expected: unknown;
  readonly actual: unknown;
}

/** Row by row; rows that are alike but for the order of keys are the same. */
export function mismatches(rows: readonly Row[]): readonly Mismatch[] {
  return rows.flatMap(({ expected, actual }, call) => {
    const wanted = sortKeys(expected);
    const got = sortKeys(actual);
    return JSON.stringify(wanted) === JSON.stringify(got) ? [] : [{ call, expected: wanted, actual: got }];
  });
}

/** Key order is part of a text, never of data. */
export function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isObject(value)) return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.flatMap((key) => (value[key] === undefined ? [] : [[key, sortKeys(value[key])]])));
}

/** Call for call, also where one side has more of them. */
export function pairs(
  calls: unknown,
  expected: unknown,
): readonly { readonly call: unknown; readonly expected: unknown }[] {
  const asked = Array.isArray(calls) ? calls : [];
  const wanted = Array.isArray(expected) ? expected : [];
  const length = Math.max(asked.length, wanted.length);
  return Array.from({ length }, (_, at) => ({ call: asked[at], expected: wanted[at] }));
}
