import { type CallRequest, openMilepost } from "../../src/app/milepost.js";
import { toNewEvent } from "../../src/app/views.js";
import { isObject, type JsonObject } from "../../src/core/json.js";
import { copyEvents } from "../../src/core/todo/carried-list.js";
import { EMPTY_LIST, type TodoList } from "../../src/core/todo/list.js";
import type { Answer } from "../../src/dialects/dialect.js";
import { append, type EventStore } from "../../src/store/event-store.js";
import { sessionStream } from "../../src/store/stream.js";

/** What differs; nothing when the case holds. `source` is the case as it is written in its file, numbers and all. */
export type Check = (testCase: Case, source: string) => Promise<readonly Mismatch[]>;

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
}

/** `initial`: a list that is there before, as another version may have left it. */
export async function openSession(dialect: string, initial: TodoList = EMPTY_LIST): Promise<Session> {
  const milepost = await openMilepost({ store: "memory:" });
  await putList(milepost.store, initial);
  return {
    async call(request) {
      const answer = await milepost.call({ dialect, ...request });
      return answer.ok ? answer.value : { text: answer.error.message, isError: true };
    },
    async list() {
      const list = await milepost.list();
      return list.ok ? list.value : EMPTY_LIST;
    },
  };
}

export async function putList(store: EventStore, list: TodoList): Promise<void> {
  const events = copyEvents(list).map((event) => toNewEvent(event, undefined));
  if (events.length > 0) await store.commit(append([{ stream: sessionStream("default"), events }]));
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
